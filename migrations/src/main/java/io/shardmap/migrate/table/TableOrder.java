package io.shardmap.migrate.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which rows of several tables can be written without breaking a foreign key.
 *
 * @param parentsFirst the tables, each after all tables it references; the ones of a cycle are missing
 * @param cyclic full names of the tables that reference each other in a circle; a table that only references itself is not one
 */
public record TableOrder(List<TableShape> parentsFirst, List<String> cyclic) {

    /** Copies the parts. */
    public TableOrder {
        parentsFirst = List.copyOf(parentsFirst);
        cyclic = List.copyOf(cyclic);
    }

    /** Orders tables; references to tables outside the list do not matter. */
    public static TableOrder of(List<TableShape> tables) {
        Map<String, TableShape> waiting = new LinkedHashMap<>();
        tables.forEach(table -> waiting.put(table.fullName(), table));
        List<TableShape> ordered = new ArrayList<>();
        boolean progress = true;
        while (progress) {
            List<TableShape> free = waiting.values().stream()
                    .filter(table -> table.references().stream()
                            .noneMatch(parent -> !parent.equals(table.fullName()) && waiting.containsKey(parent)))
                    .toList();
            free.forEach(table -> waiting.remove(table.fullName()));
            ordered.addAll(free);
            progress = !free.isEmpty();
        }
        return new TableOrder(ordered, List.copyOf(waiting.keySet()));
    }
}

package io.shardmap.migrate.doctor;

import io.shardmap.ShardMap;
import io.shardmap.migrate.doctor.Finding.Rule;
import io.shardmap.migrate.doctor.ServerFacts.Owned;
import io.shardmap.migrate.doctor.ServerFacts.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Sharded tables that are missing or unguarded, and rows on servers that do not own them. */
final class TableCheck implements Check {
    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> findings = new ArrayList<>();
        for (ServerFacts server : facts.servers()) {
            for (Table table : server.tables()) {
                if (server.error() == null && server.objects() > 0) {
                    table(facts, server, table, findings);
                }
            }
            for (ShardMap map : facts.maps()) {
                rows(facts, server, map, findings);
            }
        }
        return findings;
    }

    private static void table(Facts facts, ServerFacts server, Table table, List<Finding> findings) {
        String name = table.table().qualifiedName();
        String where = "server " + server.name() + ", table " + name;
        if (table.error() != null) {
            findings.add(new Finding(
                    Rule.NOT_EXAMINED,
                    where,
                    table.error(),
                    "grant select on " + name + " to the role of the servers"));
        } else if (!table.exists()) {
            findings.add(new Finding(
                    Rule.TABLE_MISSING,
                    where,
                    "no such table, or no column " + table.table().shardColumn(),
                    "shardmap schema migrate"));
        } else if (!table.guarded() && isGuardedElsewhere(facts, table)) {
            findings.add(new Finding(
                    Rule.GUARD_MISSING,
                    where,
                    "no guard, or a disabled one; other servers have it",
                    "shardmap table add --map " + table.map() + " " + name + " --column "
                            + table.table().shardColumn()));
        }
        if (!table.outside().isEmpty()) {
            findings.add(new Finding(
                    Rule.STRANDED_ROWS,
                    where,
                    "rows of numbers that are no virtual shards of map " + table.map() + ": " + table.outside(),
                    "look where they come from, then correct their shard column or delete them"));
        }
    }

    private static boolean isGuardedElsewhere(Facts facts, Table table) {
        return facts.servers().stream()
                .flatMap(server -> server.tables().stream())
                .anyMatch(other -> other.map().equals(table.map())
                        && other.table().equals(table.table())
                        && other.error() == null
                        && other.guarded());
    }

    private static void rows(Facts facts, ServerFacts server, ShardMap map, List<Finding> findings) {
        Set<Integer> flagged = server.ownership().stream()
                .filter(row -> row.map() == map.number() && row.holdsCopies())
                .map(Owned::virtualShard)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<Integer> there = server.tables().stream()
                .filter(table -> table.map().equals(map.name()))
                .flatMap(table -> table.unowned().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        flagged.removeIf(shard -> facts.activeMove(map.name(), shard).isPresent());
        there.removeIf(shard -> facts.activeMove(map.name(), shard).isPresent());
        there.removeAll(flagged);
        add(findings, Rule.STRANDED_ROWS, server, map, there, "rows that a query over servers may count twice");
        add(
                findings,
                Rule.LEFTOVER_COPIES,
                server,
                map,
                flagged,
                "marked as copies, and no move; queries leave them out");
    }

    private static void add(
            List<Finding> findings, Rule rule, ServerFacts server, ShardMap map, Set<Integer> shards, String found) {
        if (!shards.isEmpty()) {
            List<Integer> sorted = List.copyOf(shards);
            String ids = Facts.ranges(sorted);
            findings.add(new Finding(
                    rule,
                    "map " + map.name() + ", virtual shards " + ids + ", server " + server.name(),
                    sorted,
                    found,
                    "look at them, then: shardmap shard repair --map " + map.name() + " " + ids + " --remove-copies"));
        }
    }
}

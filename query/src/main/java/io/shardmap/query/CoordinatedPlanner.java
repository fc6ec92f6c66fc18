package io.shardmap.query;

import io.shardmap.ShardedTable;
import io.shardmap.jdbc.fanout.FanOutPlan;
import io.shardmap.jdbc.fanout.FanOutPlan.Pull;
import io.shardmap.jdbc.fanout.QueryPlanner.Request;
import io.shardmap.jdbc.sql.ShardedTables;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import io.shardmap.query.Relations.Relation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plans what a coordinator answers: which rows of which sharded tables it needs, and the query as written, with the names of its temporary
 * tables. The caller's own text is kept; only schemas in front of sharded tables are taken out. Reference tables are not collected: the
 * coordinator has a copy, which the query reads.
 */
final class CoordinatedPlanner {
    private final Request request;
    private final ParsedQuery query;
    private final String reason;
    private final Relations relations;

    CoordinatedPlanner(Request request, ParsedQuery query, String reason) {
        this.request = request;
        this.query = query;
        this.reason = reason;
        this.relations = Relations.of(query);
    }

    FanOutPlan plan() {
        CoordinatorFunctions.require(query.tokens(), relations);
        Map<ShardedTable, List<Relation>> tables = tables();
        if (tables.isEmpty()) {
            throw new UnsupportedConstruct(
                    "query without a sharded table", "ask any single server: openServer(map, server)");
        }
        List<Pull> pulls = new ArrayList<>();
        tables.forEach((table, occurrences) -> pulls.add(pull(table, occurrences)));
        int parameters = ParsedQuery.parameters(query.tokens());
        return new FanOutPlan.Coordinated(
                new FanOutPlan.Origin(
                        request.sql(),
                        request.map().name(),
                        request.map().generation(),
                        SqlQueryPlanner.servers(request),
                        parameters),
                List.copyOf(pulls),
                withoutSchemas(tables),
                IntStream.rangeClosed(1, parameters).boxed().toList(),
                reason);
    }

    private Map<ShardedTable, List<Relation>> tables() {
        Map<ShardedTable, List<Relation>> tables = new LinkedHashMap<>();
        for (Relation relation : relations.found()) {
            ShardedTable table = table(relation);
            if (table != null) {
                for (ShardedTable other : tables.keySet()) {
                    if (!other.equals(table) && other.name().equals(table.name())) {
                        throw new UnsupportedConstruct(
                                "tables of one name in two schemas: " + other.qualifiedName() + ", "
                                        + table.qualifiedName(),
                                "read them in queries of their own");
                    }
                }
                tables.computeIfAbsent(table, unseen -> new ArrayList<>()).add(relation);
            }
        }
        return tables;
    }

    /** Returns the sharded table that a relation names; null for a reference table or a common table expression of another name. */
    private @Nullable ShardedTable table(Relation relation) {
        if (relation.schema() == null && relations.isCommon(relation.name()) && !isSharded(relation)) {
            return null;
        }
        if (isReference(relation.schema(), relation.name())) {
            if (isSharded(relation)) {
                throw new UnsupportedConstruct(
                        "reference table of the name of a sharded table: "
                                + relation.name().text(),
                        "read them in queries of their own");
            }
            return null;
        }
        return ShardedTables.find(request.map(), relation.schema(), relation.name());
    }

    /** A name without a schema means the table registered without one: any other could be found elsewhere on the search path. */
    private boolean isReference(@Nullable SqlToken schema, SqlToken name) {
        return request.map().referenceTables().stream()
                .anyMatch(table -> ShardedTables.names(name, table.name()) && isSchemaOf(table.schema(), schema));
    }

    private static boolean isSchemaOf(@Nullable String registered, @Nullable SqlToken written) {
        if (registered == null || written == null) {
            return registered == null && written == null;
        }
        return ShardedTables.names(written, registered);
    }

    private boolean isSharded(Relation relation) {
        return request.map().tables().stream().anyMatch(table -> ShardedTables.names(relation.name(), table.name()));
    }

    private Pull pull(ShardedTable table, List<Relation> occurrences) {
        PushedPredicate pushed = occurrences.size() == 1
                        && !relations.isCommon(occurrences.get(0).name())
                ? PushedPredicate.of(query, occurrences.get(0))
                : null;
        return new Pull(
                table,
                ColumnNames.of(query.tokens(), occurrences, request.product()),
                pushed == null ? null : pushed.sql(),
                pushed == null ? List.of() : pushed.parameters());
    }

    /** Returns the query without the schema in front of any table. */
    private String withoutSchemas(Map<ShardedTable, List<Relation>> tables) {
        List<SqlToken> tokens = query.tokens();
        StringBuilder sql = new StringBuilder();
        int copied = 0;
        for (int i = 0; i < tokens.size(); i++) {
            if (isSchema(i, tables)) {
                sql.append(query.text(), copied, tokens.get(i).start());
                copied = tokens.get(i + 1).end();
            }
        }
        return sql.append(query.text().substring(copied)).toString().strip();
    }

    private boolean isSchema(int i, Map<ShardedTable, List<Relation>> tables) {
        List<SqlToken> tokens = query.tokens();
        boolean declares = tables.values().stream()
                .flatMap(List::stream)
                .anyMatch(relation -> relation.at() == i && relation.schema() != null);
        if (declares) {
            return true;
        }
        boolean threeParts = i + 3 < tokens.size()
                && tokens.get(i).isName()
                && tokens.get(i + 1).isSymbol('.')
                && tokens.get(i + 2).isName()
                && tokens.get(i + 3).isSymbol('.')
                && !(i > 0 && tokens.get(i - 1).isSymbol('.'));
        if (!threeParts || isReference(tokens.get(i), tokens.get(i + 2))) {
            return false;
        }
        boolean known = tables.values().stream()
                .flatMap(List::stream)
                .anyMatch(relation -> relation.schema() != null
                        && ColumnNames.same(relation.schema(), tokens.get(i))
                        && ColumnNames.same(relation.name(), tokens.get(i + 2)));
        if (!known) {
            throw new UnsupportedConstruct(
                    "name " + tokens.get(i).text() + "." + tokens.get(i + 2).text() + ".",
                    "qualify columns with the table or its alias");
        }
        return true;
    }
}

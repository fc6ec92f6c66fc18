package io.shardmap.query;

import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * The same rows twice: spread over the servers one, two and three, one of which may be empty, and all on the server single. Books and
 * sales, with NULLs, ties, mixed case, accents, huge and tiny numbers, NaN, infinities and time zones.
 */
final class ShardedAndSingle implements AutoCloseable {
    static final int VIRTUAL_SHARDS = 12;
    static final List<String> NAMES = List.of("one", "two", "three");

    static final String TABLES = """
            drop table if exists book, genre; drop schema if exists shop cascade; create schema shop;
            create table book (id int primary key, vs int not null, small smallint, pages int, big bigint, price numeric(12,3), weight numeric,
                ratio float8, author text collate "C", title text, printed date, seen timestamptz, sold boolean, ref uuid, pad char(5) collate "C");
            create table shop.sale (n int primary key, vs int not null, book int, amount numeric(10,2), buyer text, at timestamp);
            create table genre (code int primary key, label text); create table shop.buyer (name text primary key, town text);
            insert into genre values (0, 'novel'), (1, 'Poem'), (2, null), (99, 'unread');
            insert into shop.buyer values ('ann', 'Rome'), ('bob', null), ('zoe', 'Oslo')
            """;

    final Connection single;
    private final ShardRouter router;

    ShardedAndSingle(PostgresServers servers, long seed) throws SQLException {
        List<Server> named = NAMES.stream()
                .map(name -> new Server(name, servers.get(name).jdbcUrl(), null))
                .toList();
        Random random = new Random(seed);
        int empty = random.nextInt(NAMES.size() + 1); // that many: none is empty
        single = servers.get("single").openConnection();
        execute(single, TABLES);
        for (int server = 0; server < NAMES.size(); server++) {
            try (Connection connection = servers.get(NAMES.get(server)).openConnection()) {
                execute(connection, "drop schema if exists shardmap cascade;" + TABLES);
                ServerDialect.of(servers.get(NAMES.get(server)).jdbcUrl()).install(connection);
                for (int shard = server; shard < VIRTUAL_SHARDS; shard += NAMES.size()) {
                    execute(
                            connection,
                            "insert into \"shardmap\".\"ownership\" (\"map_number\", \"virtual_shard\", \"epoch\", \"state\","
                                    + " \"holds_copies\") values (1, " + shard + ", 1, 'OPEN', false)");
                }
                if (server != empty) {
                    for (String rows : List.of(books(seed), sales(seed))) {
                        String share = rows + " and id % 12 % 3 = " + server;
                        execute(connection, share);
                        execute(single, share);
                    }
                }
            }
        }
        PostgresServer first = servers.get("one");
        router = ShardRouter.builder(FixedMap.of(
                                named,
                                VIRTUAL_SHARDS,
                                new ShardedTable(null, "book", "vs"),
                                new ShardedTable("shop", "sale", "vs"))
                        .withReferences(new ReferenceTable(null, "genre"), new ReferenceTable("shop", "buyer")))
                .credentials(first.user(), first.password())
                .build();
    }

    static String books(long seed) {
        return String.format(Locale.ROOT, """
                insert into book select id, id %% 12,
                    case when h %% 5 > 0 then (h %% 7)::smallint end,
                    case when h %% 7 > 0 then h %% 9 * 100000000 end,
                    case when h %% 6 > 0 then h %% 5 * 2000000000000000000::bigint end,
                    case when h %% 4 > 0 then (h %% 13) * 1.125 - 7 end,
                    (array[1, 1.50, -3, 'NaN', 'Infinity', 1e30, 1e-20, null]::numeric[])[1 + h / 3 %% 8],
                    (array[0, 1.5, 'NaN', 'Infinity', '-Infinity', 1e-300, null]::float8[])[1 + h %% 7],
                    (array['', 'a', 'A', 'b', 'Ä', 'ä', E'\\U0001F600', null])[1 + h / 5 %% 8],
                    (array['a', 'A', 'b', 'B', 'ä', 'Z', null])[1 + h %% 7],
                    (array['infinity', '2024-02-29', '0044-03-15 BC', null]::date[])[1 + h / 7 %% 4],
                    (array['-infinity', '2024-02-29 12:00+02', '2024-02-29 11:00+01', '2024-03-31 02:30+00', null]::timestamptz[])[1 + h %% 5],
                    (array[true, false, null])[1 + h %% 3],
                    case when h %% 5 > 0 then md5((h %% 6)::text)::uuid end,
                    (array['a', 'a b', 'b', null])[1 + h %% 4]
                from (select id, hashint4(id + %d) & 65535 h from generate_series(0, 149) id) generated
                where true""", seed * 1000);
    }

    static String sales(long seed) {
        return String.format(Locale.ROOT, """
                insert into shop.sale select id, id %% 12, case when h %% 6 > 0 then h %% 180 end, (h %% 40) * 0.75,
                    (array['ann', 'Ann', 'bob', 'Éva', null])[1 + h %% 5], timestamp '2024-01-01' + h %% 50 * interval '7 hours'
                from (select id, hashint4(id + %d) & 65535 h from generate_series(0, 119) id) generated
                where true""", seed * 1000 + 500);
    }

    FanOut fanOut() {
        return router.fanOut("books");
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        router.close();
        single.close();
    }
}

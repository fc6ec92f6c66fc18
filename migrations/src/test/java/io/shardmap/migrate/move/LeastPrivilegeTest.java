package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.migrate.doctor.Doctor;
import io.shardmap.migrate.place.ServerRegistration;
import io.shardmap.migrate.place.ShardAssignment;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** The roles that the operations guide creates, by the very SQL that stands there, are enough for everything. */
class LeastPrivilegeTest {
    private static final String MOVER_PASSWORD = "change-me-mover";
    private static final String APPLICATION_PASSWORD = "change-me-app";
    private static final int ONLINE_WITHOUT_SUPERUSER = 16;

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("log_statement", "all")
            .build();

    @BeforeAll
    static void createRoles() throws IOException, SQLException {
        admin(servers.get("map"), guide("map"));
        passwords(servers.get("map"));
        for (String name : List.of("a", "b")) {
            admin(servers.get(name), guide("server"));
            if (servers.get(name).majorVersion() >= ONLINE_WITHOUT_SUPERUSER) {
                admin(servers.get(name), guide("online"));
            }
            admin(servers.get(name), """
                    set role books_owner;
                    create table books.account (vs int not null, id bigint generated always as identity,
                        owner text, balance numeric not null, primary key (vs, id));
                    create table books.entry (vs int not null, id bigint generated always as identity, account bigint not null,
                        amount numeric not null, primary key (vs, id), foreign key (vs, account) references books.account);
                    """);
            passwords(servers.get(name));
        }
    }

    /** Returns the SQL of the blocks that are marked so in the guide. */
    private static String guide(String mark) throws IOException {
        String text = Files.readString(Path.of("..", "docs", "moves.md"));
        StringBuilder sql = new StringBuilder();
        Matcher blocks =
                Pattern.compile("(?ms)^```sql " + mark + "$\\n(.*?)^```$").matcher(text);
        while (blocks.find()) {
            sql.append(blocks.group(1));
        }
        assertTrue(sql.length() > 0, "the guide must have SQL that is marked so: " + mark);
        return sql.toString();
    }

    private static void admin(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Asks our roles for their passwords, as a server that is not a test's would. */
    private static void passwords(PostgresServer server) throws IOException, SQLException {
        try (Connection connection = server.openConnection();
                Statement statement = connection.createStatement()) {
            Path file;
            try (ResultSet row = statement.executeQuery("show hba_file")) {
                row.next();
                file = Path.of(row.getString(1));
            }
            Files.writeString(
                    file,
                    "host all shardmap_mover,books_app all scram-sha-256\n"
                            + "host replication shardmap_mover all scram-sha-256\n" + Files.readString(file));
            statement.execute("select pg_reload_conf()");
        }
    }

    private static JdbcShardMapStore store(String user, String password) {
        return new JdbcShardMapStore(mapDatabase(user, password), "test");
    }

    private static PGSimpleDataSource mapDatabase(String user, String password) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setURL(servers.get("map").jdbcUrl());
        database.setUser(user);
        database.setPassword(password);
        return database;
    }

    @Test
    void thoseRolesAreEnoughForMovesAndForTheApplication() throws Exception {
        ShardMapSchema.migrate(mapDatabase("shardmap_mover", MOVER_PASSWORD));
        JdbcShardMapStore store = store("shardmap_mover", MOVER_PASSWORD);
        try (ServerPools pools =
                new ServerPools(null, server -> new Credentials("shardmap_mover", MOVER_PASSWORD), config -> {})) {
            for (String name : List.of("a", "b")) {
                new ServerRegistration(store, pools)
                        .add(new Server(name, servers.get(name).jdbcUrl()));
            }
            store.createMap(
                    new ShardMapDefinition("books", KeyType.LONG, new Strategy.Lookup(new KeyFunction.Modulo(4))));
            TableRegistration tables = new TableRegistration(store, pools);
            tables.add("books", new ShardedTable(null, "account", "vs"), true);
            tables.add("books", new ShardedTable(null, "entry", "vs"), true);
            new ShardAssignment(store, pools).assign("books", List.of(0, 1, 2, 3), "a");

            try (ShardRouter router = ShardRouter.builder(store("books_app", APPLICATION_PASSWORD))
                    .credentials(server -> new Credentials("books_app", APPLICATION_PASSWORD))
                    .build()) {
                theLogMustBeKeptClean(Moves.of(store, pools));
                moveUnderWrites(Moves.of(store, pools), router);
            }
            assertEquals(List.of(), new Doctor(store, pools).examine(true).findings());
        }
        assertThrows(
                ShardMapException.class,
                () -> store("books_app", APPLICATION_PASSWORD).putServer(new Server("c", "jdbc:postgresql://c/x")),
                "an application changes no map");
        noSuperusers();
        for (String name : List.of("a", "b")) {
            assertFalse(log(servers.get(name)).contains("password=''" + MOVER_PASSWORD), "no password in the log");
        }
    }

    private static void theLogMustBeKeptClean(Moves moves) throws SQLException {
        String parameters = "set on parameter log_statement, log_min_duration_statement, log_min_error_statement";
        admin(servers.get("b"), "revoke " + parameters + " from shardmap_mover");
        List<PreflightProblem> problems = moves.plan("books", 2, "b", MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT))
                .problems();
        assertTrue(
                problems.stream().anyMatch(problem -> problem.message().contains("password out of the target's log")),
                problems::toString);
        admin(servers.get("b"), "grant " + parameters + " to shardmap_mover");
    }

    private static void moveUnderWrites(Moves moves, ShardRouter router) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong written = new AtomicLong();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            while (!stop.get()) {
                write(router);
                written.incrementAndGet();
            }
        });
        if (servers.get("a").majorVersion() >= ONLINE_WITHOUT_SUPERUSER) {
            MoveOptions online = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);
            assertEquals(List.of(), moves.plan("books", 2, "b", online).problems());
            assertEquals(
                    MoveState.DONE,
                    moves.run(moves.start("books", 2, "b", online)).state());
            assertEquals(
                    MoveState.DONE,
                    moves.run(moves.start("books", 2, "a", online)).state());
            MoveOptions reversible = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT.withReversible(true));
            assertEquals(List.of(), moves.plan("books", 2, "b", reversible).problems());
            MoveId waits = moves.start("books", 2, "b", reversible);
            assertEquals(MoveState.REVERSIBLE, moves.run(waits).state());
            assertEquals(MoveState.REVERSIBLE, moves.guard(waits).state());
            assertEquals(MoveState.REVERSED, moves.reverse(waits).state());
        } else {
            MoveOptions online = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);
            assertEquals(
                    List.of(PreflightProblem.Kind.NO_REPLICATION_PRIVILEGE),
                    moves.plan("books", 2, "b", online).problems().stream()
                            .map(PreflightProblem::kind)
                            .toList());
        }
        assertEquals(
                MoveState.DONE,
                moves.run(moves.start("books", 2, "b", MoveWorld.QUICK)).state());
        stop.set(true);
        writer.join();
        try (Connection connection = router.openConnection("books", 2L);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*), count(distinct id) from entry where vs = 2")) {
            row.next();
            assertEquals(written.get(), row.getLong(1), "no acknowledged write is lost");
            assertEquals(written.get(), row.getLong(2));
        }
    }

    private static void write(ShardRouter router) {
        try {
            router.transactions("books").execute(2L, connection -> {
                try (PreparedStatement insert = connection.prepareStatement("""
                        with a as (insert into account (vs, owner, balance) values (2, 'x', 1) returning id)
                        select id from a
                        """);
                        ResultSet account = insert.executeQuery();
                        PreparedStatement entry = connection.prepareStatement(
                                "insert into entry (vs, account, amount) values (2, ?, 1)")) {
                    account.next();
                    entry.setLong(1, account.getLong(1));
                    return entry.executeUpdate();
                }
            });
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private static void noSuperusers() throws SQLException {
        for (PostgresServer server : servers) {
            try (Connection connection = server.openConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select count(*) from pg_roles where rolsuper and rolname in"
                            + " ('books_owner', 'books_app', 'shardmap_mover')")) {
                row.next();
                assertEquals(0, row.getInt(1));
            }
        }
    }

    private static String log(PostgresServer server) throws IOException, SQLException {
        try (Connection connection = server.openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show data_directory")) {
            row.next();
            StringBuilder text = new StringBuilder();
            try (Stream<Path> files = Files.list(Path.of(row.getString(1)).getParent())) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    text.append(Files.readString(file));
                }
            }
            assertTrue(text.indexOf("insert into account") > 0, "statements are logged");
            return text.toString();
        }
    }
}

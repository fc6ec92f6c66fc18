package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ShardedTable;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** After the switch no sequence of the target gives a value that the source has given: it is advanced, or the move is refused. */
class SequenceMoveTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("map", "a", "b");

    private MoveWorld world;
    private int shard;

    @BeforeEach
    void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
        shard = world.shard();
    }

    @AfterEach
    void close() throws SQLException {
        world.close();
        for (String server : List.of("a", "b")) {
            run(
                    server,
                    "drop table if exists numbered; drop table account, ledger cascade; drop schema shardmap cascade;"
                            + " drop domain if exists numbers; drop sequence if exists serial");
        }
        run("map", "drop schema shardmap_catalog cascade");
    }

    private static void run(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void numbered(String sequenceOnSource, String sequenceOnTarget, String column) throws SQLException {
        for (String server : List.of("a", "b")) {
            run(
                    server,
                    "create sequence serial " + (server.equals("a") ? sequenceOnSource : sequenceOnTarget)
                            + "; create table numbered (vs int not null, " + column + ", primary key (vs, id))");
        }
        new TableRegistration(world.store, world.pools)
                .add(MoveWorld.MAP, new ShardedTable(null, "numbered", "vs"), true);
    }

    private void moveWithRows(int rows) throws SQLException {
        run("a", "insert into numbered (vs) select " + shard + " from generate_series(1, " + rows + ")");
        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", MoveWorld.QUICK);
        assertEquals(MoveState.DONE, world.moves().run(id).state());
    }

    private long next() throws SQLException {
        return number("b", "insert into numbered (vs) values (" + shard + ") returning id");
    }

    @ParameterizedTest
    @CsvSource({
        "'', id bigint default nextval('serial')",
        "'', id bigint default nextval('serial') * 2",
        "increment 10, id bigint default nextval('serial')",
        "maxvalue 100, id bigint default nextval('serial')",
        "as smallint, id bigint default nextval('serial')",
    })
    void aSequenceThatNoColumnOwnsIsAdvanced(String sequence, String column) throws SQLException {
        numbered(sequence, sequence, column);
        moveWithRows(10);
        long most = number("b", "select max(id) from numbered where vs = " + shard);

        assertTrue(next() > most);
    }

    @Test
    void aDescendingSequenceIsLowered() throws SQLException {
        numbered("increment -1", "increment -1", "id bigint default nextval('serial')");
        moveWithRows(10);

        assertTrue(next() < -10);
    }

    /** Servers whose sequences take turns never give the same value; the target keeps its turn. */
    @Test
    void aSequenceKeepsItsPlaceBetweenThoseOfOtherServers() throws SQLException {
        numbered("increment 10 start 3", "increment 10 start 4", "id bigint default nextval('serial')");
        moveWithRows(10);

        long next = next();

        assertTrue(next > 93, () -> "next=" + next);
        assertEquals(4, next % 10);
    }

    @Test
    void aSequenceNearItsEndIsAdvancedAsFarAsItGoes() throws SQLException {
        numbered("maxvalue 12", "maxvalue 12", "id bigint default nextval('serial')");
        moveWithRows(10);

        assertTrue(next() > 10);
    }

    @Test
    void aSequenceAtItsEndSaysSoOnTheTarget() throws SQLException {
        numbered("maxvalue 10", "maxvalue 10", "id bigint default nextval('serial')");
        moveWithRows(10);

        SQLException failure = assertThrows(SQLException.class, this::next);

        assertEquals("2200H", failure.getSQLState(), failure.getMessage());
    }

    /** Resetting a sequence to the next free value is what people do after an import. */
    @Test
    void aSequenceThatWasSetButNotUsedSinceIsAdvanced() throws SQLException {
        numbered("", "", "id bigint default nextval('serial')");
        run("a", "insert into numbered (vs, id) select " + shard + ", n from generate_series(1, 99) n");
        run("a", "select setval('serial', 100, false)");
        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", MoveWorld.QUICK);
        world.moves().run(id);

        assertTrue(next() > 99);
    }

    @Test
    void aSequenceBehindADomainIsAdvanced() throws SQLException {
        for (String server : List.of("a", "b")) {
            run(
                    server,
                    "create sequence serial; create domain numbers as bigint default nextval('serial');"
                            + " create table numbered (vs int not null, id numbers, primary key (vs, id))");
        }
        new TableRegistration(world.store, world.pools)
                .add(MoveWorld.MAP, new ShardedTable(null, "numbered", "vs"), true);
        moveWithRows(10);

        assertTrue(next() > 10);
    }

    @ParameterizedTest
    @CsvSource({
        "maxvalue 20 cycle, maxvalue 20 cycle, id bigint default nextval('serial'), no cycle",
        "'', increment -1, id bigint default nextval('serial'), increment",
        "'', '', id bigint default nextval('serial'::text), ::regclass",
        "'', maxvalue 5, id bigint default nextval('serial'), maxvalue",
    })
    void aSequenceThatCannotBeKeptApartIsRefusedByName(String here, String there, String column, String remedy)
            throws SQLException {
        numbered(here, there, column);
        run("a", "insert into numbered (vs) select " + shard + " from generate_series(1, 10)");

        List<PreflightProblem> problems =
                world.moves().plan(MoveWorld.MAP, shard, "b").problems();

        assertEquals(
                List.of(Kind.SEQUENCE),
                problems.stream().map(PreflightProblem::kind).distinct().toList(),
                problems::toString);
        String message = problems.get(0).message();
        assertTrue(message.contains("numbered.id") && message.contains(remedy), message);
    }

    @Test
    void aColumnThatTakesItsValuesFromASequenceOnOneServerOnlyIsRefused() throws SQLException {
        numbered("", "", "id bigint default nextval('serial')");
        run("b", "alter table numbered alter column id drop default");

        List<PreflightProblem> problems =
                world.moves().plan(MoveWorld.MAP, shard, "b").problems();

        assertEquals(
                List.of(Kind.SEQUENCE),
                problems.stream().map(PreflightProblem::kind).toList());
    }
}

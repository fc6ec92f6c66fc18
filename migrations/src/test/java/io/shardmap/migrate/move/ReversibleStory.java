package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Route;
import io.shardmap.jdbc.server.Refusal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A virtual shard on "a" that moves to "b" reversibly, and what must be true of it wherever it stops. */
record ReversibleStory(MoveWorld world, int shard, List<String> contents, List<String> neighbour) {
    static final MoveOptions OPTIONS = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT.withReversible(true));

    static ReversibleStory begin(MoveWorld world) throws SQLException {
        return of(world, world.shard());
    }

    static ReversibleStory of(MoveWorld world, int shard) throws SQLException {
        return new ReversibleStory(world, shard, world.contents("a", shard), world.contents("a", shard + 1));
    }

    /** Begins one that has moved and waits. */
    static Waiting waiting(MoveWorld world) throws SQLException {
        ReversibleStory story = begin(world);
        MoveId id = story.start("b");
        assertEquals(MoveState.REVERSIBLE, world.moves().run(id).state());
        return new Waiting(story, id);
    }

    record Waiting(ReversibleStory story, MoveId id) {}

    MoveId start(String target) {
        return world.moves().start(MoveWorld.MAP, shard, target, OPTIONS);
    }

    /** Inserts, updates and deletes as an application does, on the server that owns the virtual shard; returns what is there then. */
    List<String> write(int number) throws SQLException {
        Route route = world.map().routeOf(shard);
        assertEquals(Refusal.NONE, write(route, number));
        return world.contents(route.server().name(), shard);
    }

    /** The same at a place that may refuse. */
    Refusal write(Route route, int number) throws SQLException {
        try (Connection connection = world.pools.open(route.server());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            Refusal refusal = world.pools.dialect(route.server()).tryEnter(connection, route);
            if (refusal == Refusal.NONE) {
                statement.execute("insert into account (vs, id, name) values (" + shard + ", " + (100 + number)
                        + ", 'written'); insert into ledger (vs, account, amount) values (" + shard + ", "
                        + (100 + number) + ", 1); update account set balance = balance + 1 where vs = " + shard
                        + " and id <= 3; delete from ledger where vs = " + shard + " and account = " + (3 + number));
                connection.commit();
            } else {
                connection.rollback();
            }
            return refusal;
        }
    }

    /** The virtual shard is whole on one server with these rows, nothing is on the other, and no part of a stream is anywhere. */
    void assertAtRest(String owner, List<String> rows, MoveId id) throws SQLException {
        world.assertAtRest(shard, owner, rows, neighbour);
        for (String server : List.of("a", "b")) {
            assertEquals(List.of(), parts(server, id), server);
        }
        assertTrue(!world.moves().status(id).leaseLive());
    }

    /** The new home serves, the old one is closed, has copies, and gets what is written. */
    void assertWaiting(MoveId id) throws SQLException {
        MoveStatus move = world.moves().status(id);
        assertEquals(MoveState.REVERSIBLE, move.state());
        assertTrue(!move.leaseLive() && !move.isOrphaned(), move::toString);
        assertEquals(new Ownership(move.newEpoch(), Ownership.State.OPEN, false, false), world.ownership("b", shard));
        Ownership old = world.ownership("a", shard);
        assertTrue(old.isClosed() && old.holdsCopies(), old::toString);
        assertEquals(1, parts("a", id).size(), () -> "only the subscription is left on the old server");
        assertEquals(2, parts("b", id).size(), () -> "publication and slot are on the new server");
        assertSame();
        assertEquals(0, applyErrors("a"));
    }

    /** Waits until the old home has what the new one has. */
    void assertSame() throws SQLException {
        List<String> there = world.contents("b", shard);
        await("rows of a and b", () -> contentsOf("a").equals(there));
    }

    private List<String> contentsOf(String server) {
        try {
            return world.contents(server, shard);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, () -> "must become equal: " + what);
            Thread.onSpinWait();
        }
    }

    private long applyErrors(String server) throws SQLException {
        try (Connection connection = world.pools.open(world.server(server));
                PreparedStatement query = connection.prepareStatement(
                        "select coalesce(sum(apply_error_count), 0) from pg_stat_subscription_stats");
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Returns slots, publications and subscriptions of a move on a server. */
    List<String> parts(String server, MoveId id) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = world.pools.open(world.server(server));
                PreparedStatement query = connection.prepareStatement("""
                        select kind || ' ' || name from (
                            select 'slot' as kind, slot_name::text as name from pg_replication_slots
                            union all select 'publication', pubname::text from pg_publication
                            union all select 'subscription', subname::text from pg_subscription) t
                        where name like 'shardmap\\_%\\_' || ? || '\\_%' order by 1""")) {
            query.setString(1, id.toString());
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    names.add(row.getString(1));
                }
            }
        }
        return names;
    }
}

package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.server.Refusal;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One cell of the table of crash points: a command is struck at a point, applications write wherever they are let, one command heals. Then
 * every row is where it belongs, none is lost or comes twice, and nothing is left over.
 */
record CrashCell(CrashFlow flow, CrashPoint point, CrashVictim victim) {
    private static final Duration LEASE_RUNS_OUT = Duration.ofSeconds(20);

    /** Returns what happened, in a few words. */
    String run(PostgresServers servers, MoveWorld world) throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        Route before = world.map().routeOf(story.shard());
        MoveId id = world.moves().start(MoveWorld.MAP, story.shard(), "b", flow.options());
        flow.prepare(world, story, id);
        Route old = world.map().routeOf(story.shard());
        List<String> rows = world.contents(old.server().name(), story.shard());
        Strike strike = new Strike(servers);
        String end;
        try {
            flow.act(world.moves().withHooks(strike), id);
            end = "went on";
        } catch (Death death) {
            assertEquals(CrashVictim.MOVER, victim);
            end = "died";
        } catch (ShardMapException failure) {
            assertNotEquals(ErrorCode.INTERNAL, failure.code(), failure::getMessage);
            end = "stopped";
        } finally {
            CrashVictim.recover(servers, world);
        }
        assertTrue(strike.done.get(), "the command passes the point");
        MoveState found = world.moves().status(id).state();
        rows = write(world, story, old, rows);
        boolean tooLate = flow.undoes() && found.isSwitched() && found != MoveState.REVERSING;
        MoveState healed = tooLate ? resumeInstead(world.moves(), id) : heal(world.moves(), id);
        MoveState expected = tooLate ? flow.onward() : flow.goal();
        if (found == MoveState.ABORTING || found == MoveState.ABORTED) {
            expected = MoveState.ABORTED;
        }
        if (found == MoveState.REVERSIBLE && flow.isReversalGoneOnWith()) {
            // The reversal has failed where nothing had changed yet: the move waits as before.
            expected = MoveState.REVERSIBLE;
        }
        assertEquals(expected, healed, () -> "found in " + found);
        if (healed == MoveState.REVERSIBLE) {
            assertTrue(!world.moves().status(id).leaseLive());
            rows = story.write(3);
            assertEquals(MoveState.REVERSED, world.moves().reverse(id).state());
            story.assertAtRest("a", rows, id);
        } else {
            story.assertAtRest(healed == MoveState.DONE ? "b" : "a", rows, id);
        }
        assertNothingHeld(servers, world, story.shard());
        story.write(4);
        if (healed == MoveState.DONE) {
            assertEquals(Refusal.STALE, story.write(before, 4), "the old home refuses");
        }
        return end + " in " + found + (tooLate ? "; cancel refused; resumed" : "")
                + (found == healed ? "" : "; then " + healed);
    }

    /** Applications with the old route and with the new one: at most one of them is let in. Returns the rows that must be kept. */
    private static List<String> write(MoveWorld world, ReversibleStory story, Route old, List<String> rows)
            throws SQLException {
        Route now = world.map().routeOf(story.shard());
        List<String> kept = rows;
        boolean admitted = false;
        if (story.write(old, 1) == Refusal.NONE) {
            admitted = true;
            kept = world.contents(old.server().name(), story.shard());
        }
        if (now.epoch() != old.epoch() && story.write(now, 2) == Refusal.NONE) {
            assertTrue(!admitted, "only one server may own a virtual shard");
            kept = world.contents(now.server().name(), story.shard());
        }
        return kept;
    }

    /** The map switched although the victim had died: a move that has switched is not undone, and says what to do. */
    private static MoveState resumeInstead(Moves moves, MoveId id) {
        ShardMapException refusal = assertThrows(ShardMapException.class, () -> moves.cancel(id));
        assertEquals(ErrorCode.NOT_SUPPORTED, refusal.code());
        return moves.resume(id).state();
    }

    /** A command that waits for the lease of a dead mover is tried until that runs out. */
    private MoveState heal(Moves moves, MoveId id) {
        long end = System.nanoTime() + LEASE_RUNS_OUT.toNanos();
        while (true) {
            try {
                return flow.heal(moves, id).state();
            } catch (ConcurrentChangeException busy) {
                if (System.nanoTime() - end > 0) {
                    throw busy;
                }
                Waiting.pause(this, Duration.ofMillis(100));
            }
        }
    }

    private static void assertNothingHeld(PostgresServers servers, MoveWorld world, int shard) throws SQLException {
        Place place = world.place(shard);
        for (String name : List.of("a", "b")) {
            ReversibleStory.await("sessions and locks on " + name + " and none", () -> {
                try (Connection connection = servers.get(name).openConnection();
                        PreparedStatement query = connection.prepareStatement("""
                                select (select count(*) from pg_locks where locktype = 'advisory' and classid = 1397555200 + ?
                                           and objid in (?, 4294967295))
                                     + (select count(*) from pg_stat_activity where starts_with(application_name, ?))
                                     + (select count(*) from pg_prepared_xacts)
                                """)) {
                    query.setInt(1, place.map());
                    query.setInt(2, place.virtualShard());
                    query.setString(3, PostgresMover.sessionName(place));
                    try (ResultSet row = query.executeQuery()) {
                        row.next();
                        return row.getLong(1) == 0;
                    }
                } catch (SQLException failure) {
                    throw new IllegalStateException(failure);
                }
            });
        }
    }

    /** Strikes once. A fence is prolonged by a thread of its own, for which the mover waits then. */
    private final class Strike implements MoveHooks {
        private final PostgresServers servers;
        private final AtomicBoolean done = new AtomicBoolean();
        private final CountDownLatch renewing = new CountDownLatch(1);
        private final CountDownLatch struck = new CountDownLatch(1);

        Strike(PostgresServers servers) {
            this.servers = servers;
        }

        @Override
        public void reached(CrashPoint at) {
            if (point != CrashPoint.BEFORE_FENCE_RENEWAL) {
                if (at == point) {
                    strike();
                }
            } else if (at == point) {
                renewing.countDown();
                await(struck);
                if (victim == CrashVictim.MOVER) {
                    throw new IllegalStateException("a dead mover renews nothing");
                }
            } else if (at == CrashPoint.AFTER_COPY) {
                await(renewing);
                strike();
            }
        }

        private void strike() {
            if (done.compareAndSet(false, true)) {
                try {
                    victim.strike(servers, point);
                } finally {
                    struck.countDown();
                }
            }
        }

        private static void await(CountDownLatch latch) {
            try {
                assertTrue(latch.await(60, TimeUnit.SECONDS), "the fence must be prolonged in time");
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

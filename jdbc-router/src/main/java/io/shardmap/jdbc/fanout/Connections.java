package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.pool.ServerPools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Takes one connection per server, in the order of the servers' names. All fan-outs take them in this one order and none takes two from
 * one server, so they cannot wait for each other in a circle, however small the pools are.
 */
final class Connections {
    private final ServerPools pools;
    private final Executor background;

    Connections(ServerPools pools, Executor background) {
        this.pools = pools;
        this.background = background;
    }

    /**
     * Gives a share its connection. An exhausted pool is waited for as long as the deadline allows, a server that does not answer as long
     * as its pool's own timeout does.
     *
     * @throws SQLException when there is none; {@link SQLException#getSQLState} 57014 when the deadline passed
     * @throws InterruptedException when the thread was interrupted
     */
    void connect(Share share, FanOutSettings settings, Deadline deadline) throws SQLException, InterruptedException {
        Semaphore permit =
                settings.permits() == null ? null : settings.permits().of(share.name());
        if (permit != null && !permit.tryAcquire() && !permit.tryAcquire(deadline.nanosLeft(), TimeUnit.NANOSECONDS)) {
            throw timeout(share.server());
        }
        boolean connected = false;
        try {
            share.connect(open(share.server(), deadline), permit);
            connected = true;
        } finally {
            if (!connected && permit != null) {
                permit.release();
            }
        }
    }

    /** Gives a share another connection in place of one whose prepared statements have become useless. */
    void reconnect(Share share, Deadline deadline) throws SQLException, InterruptedException {
        share.reconnect(open(share.server(), deadline));
    }

    private Connection open(Server server, Deadline deadline) throws SQLException, InterruptedException {
        while (true) {
            try {
                return pools.hasIdle(server) ? pools.open(server) : openInBackground(server, deadline);
            } catch (SQLException none) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (deadline.isOver()) {
                    throw timeout(server);
                }
                if (!pools.isExhausted(server)) {
                    throw none;
                }
            }
        }
    }

    /** Waits no longer than the deadline, although the pool may: a connection that comes too late goes back. */
    private Connection openInBackground(Server server, Deadline deadline) throws SQLException, InterruptedException {
        CompletableFuture<Connection> opening = new CompletableFuture<>();
        background.execute(() -> {
            try {
                Connection opened = pools.open(server);
                if (!opening.complete(opened)) {
                    opened.close();
                }
            } catch (SQLException | RuntimeException failure) {
                opening.completeExceptionally(failure);
            }
        });
        try {
            return opening.get(Math.max(0, deadline.nanosLeft()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw abandon(opening, timeout(server));
        } catch (InterruptedException interrupt) {
            throw abandon(opening, interrupt);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof SQLException error) {
                throw error;
            }
            throw new SQLException("pool must give a connection: server=" + server.name(), "08001", failure.getCause());
        }
    }

    private static <E extends Exception> E abandon(CompletableFuture<Connection> opening, E reason)
            throws SQLException {
        if (!opening.completeExceptionally(reason)) {
            Connection late = opening.getNow(null);
            if (late != null) {
                late.close();
            }
        }
        return reason;
    }

    private static SQLException timeout(Server server) {
        return new SQLException("no connection within the deadline: server=" + server.name(), "57014");
    }
}

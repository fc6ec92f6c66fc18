package io.shardmap.migrate.move;

import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Two pieces of work at the same time, each on a server of its own, because writers wait for both.
 *
 * @param here what the first returned
 * @param there what the second returned
 */
record Together<A, B>(A here, B there) {

    /** Runs the second in a thread of its own, and returns when both have ended, even after a failure. */
    static <A, B> Together<A, B> run(Callable<A> here, Callable<B> there) throws SQLException {
        FutureTask<B> task = new FutureTask<>(there);
        Thread other = new Thread(task, "shardmap-mover-other-side");
        other.setDaemon(true);
        other.start();
        A mine;
        try {
            mine = here.call();
        } catch (Exception | Error failure) {
            try {
                result(task);
            } catch (SQLException | RuntimeException | Error second) {
                failure.addSuppressed(second);
            }
            throw rethrown(failure);
        }
        return new Together<>(mine, result(task));
    }

    private static <T> T result(FutureTask<T> task) throws SQLException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failure) {
            throw rethrown(failure.getCause() == null ? failure : failure.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException rethrown(Throwable failure) throws SQLException {
        if (failure instanceof SQLException cause) {
            throw cause;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }
}

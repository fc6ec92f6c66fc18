package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Starts the servers of a set side by side: all of them, or none. */
final class ParallelStart {
    private ParallelStart() {}

    static List<ServerHandle> all(ServerBackend backend, List<ServerPlan> plans) {
        if (plans.isEmpty()) {
            return List.of();
        }
        ExecutorService starters = Executors.newFixedThreadPool(plans.size());
        try {
            return collect(plans.stream()
                    .map(plan -> starters.submit(() -> backend.create(plan)))
                    .toList());
        } finally {
            starters.shutdown();
        }
    }

    private static List<ServerHandle> collect(List<Future<ServerHandle>> starting) {
        List<ServerHandle> started = new ArrayList<>();
        RuntimeException failure = null;
        for (Future<ServerHandle> server : starting) {
            try {
                started.add(server.get());
            } catch (ExecutionException e) {
                failure = joined(failure, asRuntimeException(e.getCause()));
            } catch (InterruptedException e) {
                starting.forEach(other -> other.cancel(true));
                Thread.currentThread().interrupt();
                failure = joined(failure, new TestkitException(Reason.INTERRUPTED, "interrupted at start", e));
                break;
            }
        }
        if (failure != null) {
            started.forEach(ServerHandle::close);
            throw failure;
        }
        return List.copyOf(started);
    }

    private static RuntimeException joined(@Nullable RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }

    private static RuntimeException asRuntimeException(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException failure) {
            return failure;
        }
        return new TestkitException(Reason.SERVER_FAILED, "a server could not be started", new RuntimeException(cause));
    }
}

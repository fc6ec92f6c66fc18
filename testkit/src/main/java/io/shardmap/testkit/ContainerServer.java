package io.shardmap.testkit;

import com.github.dockerjava.api.DockerClient;
import io.shardmap.testkit.TestkitException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** One container with a fixed port, stopped and started in place so that it keeps its data. */
final class ContainerServer implements ServerHandle {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final int STOP_SECONDS = 30;

    private final PostgreSQLContainer container;
    private final String name;
    private final ServerAccess access;

    ContainerServer(PostgreSQLContainer container, String name, int port) {
        this.container = container;
        this.name = name;
        this.access = new ServerAccess(
                new JdbcUrl(container.getHost(), port, container.getDatabaseName(), ""),
                container.getUsername(),
                container.getPassword());
        StopAtExit.register(this);
    }

    @Override
    public ServerAccess access() {
        return access;
    }

    @Override
    public synchronized void start() {
        if (!container.isRunning()) {
            docker().startContainerCmd(container.getContainerId()).exec();
            awaitReady();
        }
    }

    @Override
    public synchronized void stop() {
        if (container.isRunning()) {
            docker().stopContainerCmd(container.getContainerId())
                    .withTimeout(STOP_SECONDS)
                    .exec();
        }
    }

    @Override
    public synchronized void kill() {
        if (container.isRunning()) {
            docker().killContainerCmd(container.getContainerId()).exec();
            docker().waitContainerCmd(container.getContainerId()).start().awaitStatusCode();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return container.isRunning();
    }

    @Override
    public synchronized void close() {
        container.stop();
        StopAtExit.forget(this);
    }

    private DockerClient docker() {
        return container.getDockerClient();
    }

    private void awaitReady() {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        SQLException refusal = refusal();
        while (refusal != null) {
            if (System.nanoTime() - deadline > 0 || !container.isRunning()) {
                throw new TestkitException(
                        Reason.SERVER_FAILED,
                        "a container must accept connections in time: server=" + name + ", limit=" + START_LIMIT
                                + "; its log ends with:\n" + container.getLogs(),
                        refusal);
            }
            LockSupport.parkNanos(POLL.toNanos());
            refusal = refusal();
        }
    }

    /** Why the server does not accept a connection; null: it does. */
    private @Nullable SQLException refusal() {
        try (Connection connection = access.openConnection()) {
            return connection.isValid(STOP_SECONDS) ? null : new SQLException("the connection is not valid");
        } catch (SQLException e) {
            return e;
        }
    }
}

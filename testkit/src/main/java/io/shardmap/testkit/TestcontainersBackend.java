package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Servers as containers, by Testcontainers, which is an optional dependency. */
final class TestcontainersBackend implements ServerBackend {
    private static final int POSTGRES_PORT = 5432;

    private final String image;

    TestcontainersBackend(String image) {
        this.image = image;
    }

    @Override
    public ServerHandle create(ServerPlan plan) {
        requireTestcontainers();
        if (plan.dataDirectory() != null) {
            throw new UnsupportedOperationException("a container keeps its data in itself: server=" + plan.name()
                    + ", dataDirectory=" + plan.dataDirectory()
                    + "; leave it out, or set shardmap.testkit.backend to embedded");
        }
        int port = plan.port() == 0 ? FreePorts.next() : plan.port();
        if (!FreePorts.isFree(port)) {
            throw FreePorts.inUse(plan.name(), port);
        }
        PostgreSQLContainer container =
                new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"));
        container.withDatabaseName("postgres").withUsername("postgres").withPassword("postgres");
        // A port that Docker chooses would change with each start.
        container.setPortBindings(List.of(bindAddress() + port + ":" + POSTGRES_PORT));
        container.setCommand(command(plan));
        try {
            container.start();
        } catch (ContainerLaunchException e) {
            container.stop();
            throw new TestkitException(
                    Reason.SERVER_FAILED,
                    "a container must start: server=" + plan.name() + ", image=" + image + ", port=" + port
                            + "; see the cause, and choose an image by shardmap.testkit.image",
                    e);
        }
        return new ContainerServer(container, plan.name(), port);
    }

    @Override
    public String versionAdvice() {
        return "leave shardmap.testkit.image out, or name an image of that version";
    }

    /** Loopback where Docker runs on this machine; a Docker elsewhere is not reached that way and binds all addresses. */
    private static String bindAddress() {
        String host = DockerClientFactory.instance().dockerHostIpAddress();
        return host.equals("localhost") || host.startsWith("127.") ? "127.0.0.1:" : "";
    }

    private static String[] command(ServerPlan plan) {
        List<String> command = new ArrayList<>(List.of("postgres"));
        plan.settings().forEach((setting, value) -> {
            command.add("-c");
            command.add(setting + "=" + value);
        });
        return command.toArray(String[]::new);
    }

    private static void requireTestcontainers() {
        try {
            Class.forName("org.testcontainers.postgresql.PostgreSQLContainer");
        } catch (ClassNotFoundException e) {
            throw new TestkitException(
                    Reason.BACKEND_UNAVAILABLE,
                    "the testcontainers backend needs org.testcontainers:testcontainers-postgresql 2.x on the class"
                            + " path: add it, or set shardmap.testkit.backend to embedded",
                    e);
        }
        if (!DockerApi.answers()) {
            throw new TestkitException(
                    Reason.BACKEND_UNAVAILABLE,
                    "the testcontainers backend needs a Docker API that answers: DOCKER_HOST="
                            + System.getenv("DOCKER_HOST")
                            + "; start Docker, or set shardmap.testkit.backend to embedded");
        }
    }
}

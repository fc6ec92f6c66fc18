package io.shardmap.testkit;

/** Where servers come from. Implementations are thread-safe: the servers of a set are created in parallel. */
sealed interface ServerBackend permits EmbeddedBackend, TestcontainersBackend, ExternalBackend {
    /**
     * Creates a server and waits until it accepts connections.
     *
     * @throws TestkitException if it cannot be had, with the reason and what to do
     */
    ServerHandle create(ServerPlan plan);

    /** What to do to get another PostgreSQL version, as the end of an error message. */
    String versionAdvice();

    static ServerBackend of(TestkitSettings settings) {
        return switch (settings.backend()) {
            case EMBEDDED -> new EmbeddedBackend(settings.cacheDirectory());
            case TESTCONTAINERS -> new TestcontainersBackend(settings.containerImage());
            case EXTERNAL -> new ExternalBackend(settings);
        };
    }
}

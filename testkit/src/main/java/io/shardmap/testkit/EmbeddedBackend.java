package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Servers as child processes of this JVM, from the PostgreSQL binaries on the class path. */
final class EmbeddedBackend implements ServerBackend {
    private static final ConcurrentMap<Path, Installation> installations = new ConcurrentHashMap<>();

    private static final int PORT_ATTEMPTS = 5;

    private final Path cacheDirectory;

    EmbeddedBackend(Path cacheDirectory) {
        this.cacheDirectory = cacheDirectory;
    }

    private record Installation(PostgresBinaries binaries, DataTemplate template, DataRoom room) {
        static Installation in(Path cacheDirectory) {
            PostgresBinaries binaries = PostgresBinaries.unpacked(cacheDirectory);
            try {
                return new Installation(binaries, DataTemplate.of(binaries), DataRoom.in(cacheDirectory));
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "data could not be prepared: shardmap.testkit.cache=" + cacheDirectory, e);
            }
        }
    }

    @Override
    public ServerHandle create(ServerPlan plan) {
        Installation installation = installations.computeIfAbsent(cacheDirectory, Installation::in);
        try {
            Path kept = plan.dataDirectory();
            Path directory = kept == null ? installation.room().newDirectory(plan.name()) : kept.toAbsolutePath();
            Path data = directory.resolve("data");
            if (Files.exists(data.resolve("PG_VERSION"))) {
                requireSameMajor(plan, data, installation.template());
            } else {
                TemporaryTree.privateDirectories(directory);
                installation.template().copyTo(data);
            }
            return started(installation, plan, directory);
        } catch (IOException e) {
            throw new UncheckedIOException("the data of a server could not be written: server=" + plan.name(), e);
        }
    }

    /** A port that was free when it was chosen may be taken when the server binds it, by another build on this machine. */
    private static EmbeddedServer started(Installation installation, ServerPlan plan, Path directory) {
        for (int attempt = 1; ; attempt++) {
            EmbeddedServer server = new EmbeddedServer(installation.binaries(), plan, directory);
            try {
                server.start();
                return server;
            } catch (TestkitException e) {
                if (plan.port() != 0 || e.reason() != Reason.PORT_IN_USE || attempt == PORT_ATTEMPTS) {
                    server.close();
                    throw e;
                }
            } catch (RuntimeException e) {
                server.close();
                throw e;
            }
        }
    }

    @Override
    public String versionAdvice() {
        return "change the binaries on the class path, in Maven with -Dpostgres.binaries.version=15.15.0 or the like";
    }

    private static void requireSameMajor(ServerPlan plan, Path data, DataTemplate template) throws IOException {
        int kept = DataTemplate.majorVersion(data);
        int running = template.majorVersion();
        if (kept != running) {
            throw new TestkitException(
                    Reason.VERSION_MISMATCH,
                    "kept data must be of the major version that runs: server=" + plan.name() + ", data=" + kept
                            + ", binaries=" + running + "; name an empty directory or use binaries of version " + kept);
        }
    }
}

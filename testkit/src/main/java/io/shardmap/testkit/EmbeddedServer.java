package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A postmaster and its children, run as a child process of this JVM. Its directory holds {@code data} and
 * {@code server.log}.
 */
final class EmbeddedServer implements ServerHandle {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedServer.class);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(2);
    private static final Duration KILL_POLL = Duration.ofMillis(1);
    private static final Duration ORPHAN_POLL = Duration.ofMillis(100);
    private static final int ORPHAN_ATTEMPTS = 50;
    private static final Duration POLL = Duration.ofMillis(5);
    private static final int POSTMASTER_STATUS_LINE = 7;
    private static final int LOG_TAIL_LINES = 20;

    private final PostgresBinaries binaries;
    private final ServerPlan plan;
    private final Path directory;
    private final Path data;
    private final int port;
    private @Nullable Process postmaster;
    private @Nullable OrphanGuard guard;

    EmbeddedServer(PostgresBinaries binaries, ServerPlan plan, Path directory) {
        this.binaries = binaries;
        this.plan = plan;
        this.directory = directory;
        this.data = directory.resolve("data");
        this.port = plan.port() == 0 ? FreePorts.next() : plan.port();
    }

    @Override
    public ServerAccess access() {
        return new ServerAccess(JdbcUrl.loopback(port, "postgres"), DataTemplate.SUPERUSER, null);
    }

    @Override
    public synchronized void start() {
        if (isRunning()) {
            return;
        }
        if (!FreePorts.isFree(port)) {
            throw FreePorts.inUse(plan.name(), port);
        }
        for (int attempt = 1; !startedUnlessOrphansRemain(attempt); attempt++) {
            LockSupport.parkNanos(ORPHAN_POLL.toNanos());
        }
        log.debug("server {} runs on port {}", plan.name(), port);
    }

    /**
     * Launches the server. A child that the postmaster forked while it was being killed ends by itself a moment later;
     * until then PostgreSQL refuses to start on its data.
     */
    private boolean startedUnlessOrphansRemain(int attempt) {
        try {
            launch();
            return true;
        } catch (TestkitException e) {
            if (attempt < ORPHAN_ATTEMPTS && String.valueOf(e.getMessage()).contains("pre-existing shared memory")) {
                return false;
            }
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException("a server could not be started: server=" + plan.name(), e);
        }
    }

    private void launch() throws IOException {
        writeSettings();
        Process started = new ProcessBuilder(binaries.command("postgres", "-D", data.toString()))
                .redirectInput(ProcessBuilder.Redirect.from(new File(TemporaryTree.POSIX ? "/dev/null" : "NUL")))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(logFile().toFile()))
                .start();
        postmaster = started;
        guard = OrphanGuard.over(started, plan.dataDirectory() == null ? directory : null);
        StopAtExit.register(this);
        awaitReady(started);
    }

    @Override
    public synchronized void stop() {
        shutDown("fast");
    }

    @Override
    public synchronized void kill() {
        Process running = postmaster;
        if (running == null) {
            return;
        }
        // The postmaster first: it would answer the death of a child by restarting all of them.
        List<ProcessHandle> children = running.descendants().toList();
        running.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        long deadline = System.nanoTime() + KILL_LIMIT.toNanos();
        while ((running.isAlive() || children.stream().anyMatch(EmbeddedServer::executes))
                && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(KILL_POLL.toNanos());
        }
        ended();
    }

    @Override
    public synchronized boolean isRunning() {
        return postmaster != null && postmaster.isAlive();
    }

    @Override
    public synchronized void close() {
        if (plan.dataDirectory() != null) {
            stop();
            return;
        }
        shutDown("immediate");
        try {
            TemporaryTree.delete(directory);
        } catch (IOException e) {
            log.warn("temporary data could not be deleted: directory={}", directory, e);
        }
    }

    private void shutDown(String mode) {
        Process running = postmaster;
        if (running == null) {
            return;
        }
        if (running.isAlive()) {
            try {
                new ProcessBuilder(binaries.command("pg_ctl", "stop", "-W", "-s", "-m", mode, "-D", data.toString()))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (!running.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                    log.warn("server {} did not stop in {}; killing it", plan.name(), STOP_LIMIT);
                    kill();
                }
            } catch (IOException e) {
                log.warn("server {} could not be stopped in order; killing it", plan.name(), e);
                kill();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                kill();
            }
        }
        ended();
    }

    private void ended() {
        postmaster = null;
        if (guard != null) {
            guard.dismiss();
            guard = null;
        }
        StopAtExit.forget(this);
    }

    private void writeSettings() throws IOException {
        String lines = plan.settings().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(setting -> setting.getKey() + " = '" + setting.getValue().replace("'", "''") + "'\n")
                .collect(Collectors.joining());
        Files.writeString(
                data.resolve(DataTemplate.SETTINGS_FILE),
                lines + "port = " + port + "\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n");
    }

    private void awaitReady(Process started) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!isReady(started)) {
            if (!started.isAlive()) {
                ended();
                throw startFailure("a server must start: server=" + plan.name() + ", exit=" + started.exitValue());
            }
            if (System.nanoTime() - deadline > 0) {
                kill();
                throw startFailure("a server must be ready in time: server=" + plan.name() + ", limit=" + START_LIMIT);
            }
            LockSupport.parkNanos(POLL.toNanos());
            if (Thread.interrupted()) {
                kill();
                Thread.currentThread().interrupt();
                throw new TestkitException(
                        Reason.INTERRUPTED, "interrupted while a server started: server=" + plan.name());
            }
        }
    }

    /** Whether an orphan still runs a program: a dead one stays visible until the system's first process buries it. */
    private static boolean executes(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }

    /** Whether the postmaster says so in its status file, as {@code pg_ctl} asks it too. */
    private boolean isReady(Process started) throws IOException {
        List<String> status;
        try {
            status = Files.readAllLines(statusFile());
        } catch (NoSuchFileException notYet) {
            // Also one that a killed postmaster left, and that this one removes just now.
            return false;
        }
        return status.size() > POSTMASTER_STATUS_LINE
                && status.get(0).equals(Long.toString(started.pid()))
                && status.get(POSTMASTER_STATUS_LINE).startsWith("ready");
    }

    private TestkitException startFailure(String rule) throws IOException {
        List<String> lines = Files.readAllLines(logFile());
        String tail = String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        if (tail.contains("Address already in use")) {
            return FreePorts.inUse(plan.name(), port);
        }
        return new TestkitException(Reason.SERVER_FAILED, rule + "; its log ends with:\n" + tail);
    }

    private Path statusFile() {
        return data.resolve("postmaster.pid");
    }

    private Path logFile() {
        return directory.resolve("server.log");
    }
}

package io.shardmap.examples.books;

import static io.shardmap.examples.books.Screen.time;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.ShardMapException;
import io.shardmap.testkit.TestkitException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command behind {@code ./demo}. */
@Command(
        name = "./demo",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Shows Shardmap at work: a catalogue of 9,277 real books, sharded by the check digit of their ISBN over three"
                    + " servers; one virtual shard moves to another server while the application writes to it.",
            ""
        },
        footer = {
            "",
            "Without options it starts four real PostgreSQL servers on loopback and keeps their data for the next run.",
            "",
            "Exit code: 0 all is well, 1 a check failed, 2 the demo could not start."
        })
public final class Demo implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int COULD_NOT_START = 2;
    private static final List<String> SERVERS = List.of("bookdbshard0", "bookdbshard1", "bookdbshard2");

    @Option(names = "--headless", description = "No colours; the last line of the output is the verdict.")
    private boolean headless;

    @Option(names = "--h2", description = "Use H2 databases in memory: no servers, a few seconds.")
    private boolean h2;

    @Option(names = "--keep", description = "Keep the servers running at the end, until Ctrl-C, to look around.")
    private boolean keep;

    @Option(names = "--fresh", description = "Delete the data that an earlier run kept.")
    private boolean fresh;

    @Option(
            names = "--port-base",
            paramLabel = "N",
            description = "Port of the shard-map database; the servers take the next three. Default: ${DEFAULT-VALUE}.")
    private int portBase = Ports.DEFAULT_BASE;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where data and reports are kept. Default: the repository's own .shardmap/demo.")
    private Path directory = Path.of(System.getProperty("shardmap.demo.root", ""), ".shardmap", "demo");

    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    private final PrintStream out;
    private final PrintStream err;

    /** @param out where the story goes; progress and errors go to {@code err} */
    Demo(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(System.out, System.err, arguments));
    }

    /** Runs the command in this process. */
    static int run(PrintStream out, PrintStream err, String... arguments) {
        return new CommandLine(new Demo(out, err))
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .execute(arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Screen screen = new Screen(out, err, !headless && Terminal.isWanted());
        Thread onInterrupt = new Thread(() -> interrupted(screen), "demo-interrupted");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try {
            return h2 ? onH2(screen) : onPostgres(screen);
        } catch (DemoException | TestkitException refused) {
            return failed(screen, COULD_NOT_START, refused);
        } catch (SQLException | ShardMapException failure) {
            return failed(screen, FAILED, failure);
        } finally {
            unregister(onInterrupt);
        }
    }

    private void interrupted(Screen screen) {
        screen.interrupted(h2 ? "Stopped." : "Stopping the servers; their data is kept.");
        // What the application at work says of servers that stop under it is no news.
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    private int failed(Screen screen, int exitCode, Exception reason) {
        String message = String.valueOf(reason.getMessage());
        screen.error(message);
        if (headless) {
            screen.plain("demo: failed " + message.lines().findFirst().orElse(""));
        }
        return exitCode;
    }

    private static void unregister(Thread onInterrupt) {
        try {
            Runtime.getRuntime().removeShutdownHook(onInterrupt);
        } catch (IllegalStateException interrupted) {
            // The process is ending: the hook has run.
        }
    }

    private int onH2(Screen screen) throws SQLException, IOException, InterruptedException {
        screen.title("Shardmap demo: a book catalogue on three H2 databases in memory");
        screen.line("");
        Files.createDirectories(directory);
        InMemoryServers servers = new InMemoryServers("demo-" + UUID.randomUUID(), SERVERS);
        return tell(screen, servers, directory.toAbsolutePath());
    }

    private int onPostgres(Screen screen) throws SQLException, IOException, InterruptedException {
        screen.title("Shardmap demo: a book catalogue on three PostgreSQL servers");
        screen.line("");
        Ports.requireFree(portBase, SERVERS.size() + 1);
        try (DemoDirectory held = DemoDirectory.take(directory.toAbsolutePath(), fresh)) {
            screen.progress("starting servers");
            long start = System.nanoTime();
            try (EmbeddedServers servers = EmbeddedServers.start(held.servers(), portBase, SERVERS)) {
                screen.line("servers   " + servers.description() + " started in "
                        + time(Duration.ofNanos(System.nanoTime() - start)) + " on ports " + portBase + " to "
                        + (portBase + SERVERS.size()));
                screen.note("          "
                        + (held.isReused()
                                ? "with the data of an earlier run (./demo --fresh starts anew)"
                                : "with new data, kept for the next run")
                        + " in " + Screen.path(held.path()));
                return tell(screen, servers, held.path());
            }
        }
    }

    private int tell(Screen screen, DemoServers servers, Path workDirectory)
            throws SQLException, IOException, InterruptedException {
        long start = System.nanoTime();
        DemoResult result;
        try (HikariDataSource mapDatabase = servers.databases().openMapDatabase()) {
            result = new DemoStory(screen, servers.databases(), mapDatabase).run(workDirectory);
        }
        screen.line("");
        screen.title((result.isOk() ? "All " + result.checks() + " checks passed" : "A check FAILED") + ", after "
                + time(Duration.ofNanos(System.nanoTime() - start)) + ".");
        if (!headless) {
            hints(screen, servers.databases());
        }
        if (headless || !result.isOk()) {
            screen.plain(result.summary());
        }
        if (keep && !h2) {
            new CountDownLatch(1).await();
        }
        return result.isOk() ? 0 : FAILED;
    }

    private void hints(Screen screen, CatalogueDatabases databases) {
        screen.line("");
        if (h2) {
            screen.line("The same on real PostgreSQL servers: ./demo");
        } else if (keep) {
            screen.line("The servers keep running. Look around from another terminal:");
            screen.line("");
            screen.line("  export SHARDMAP_MAP_URL=" + databases.mapUrl() + " SHARDMAP_MAP_USER=" + databases.user());
            screen.line("  bin/shardmap map show " + BookCatalog.MAP);
            screen.line("  bin/shardmap key locate " + BookCatalog.MAP + " 978-8-1130-1024-6");
            screen.line("");
            screen.line("Ctrl-C stops them.");
        } else {
            screen.line("./demo         again: the data is still there, and the virtual shard moves back");
            screen.line("./demo --keep  leaves the servers running, to look around with bin/shardmap");
            screen.line("The code is in examples/book-catalog; BookCatalog.java is the place to start.");
        }
    }
}

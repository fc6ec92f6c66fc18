package io.shardmap.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;

/**
 * The time from {@code main} to the first row of a connection, in JVMs that have done nothing before: through a router beside a bare
 * pool, both over one H2 database that holds the books and the shard map. Ours is what the router adds.
 *
 * @param starts JVMs of each kind
 */
record ColdStart(int starts) implements Bench {
    private static final double TARGET_MILLIS = 300;
    private static final double NANOS_PER_MILLI = 1_000_000;

    @Override
    public void run(Consumer<BenchLine> lines) throws Exception {
        Progress.say("cold-start-ms");
        Path directory = Files.createTempDirectory("shardmap-bench");
        try {
            String url = "jdbc:h2:file:" + directory.resolve("books").toAbsolutePath();
            prepare(url);
            List<Double> raw = new ArrayList<>();
            List<Double> ours = new ArrayList<>();
            List<Double> again = new ArrayList<>();
            for (int start = 0; start < starts; start++) {
                raw.add(millis(FirstConnection.POOL, url));
                ours.add(millis(FirstConnection.ROUTER, url));
                again.add(millis(FirstConnection.POOL, url));
            }
            double floor = median(raw);
            lines.accept(BenchLine.ofValue("cold-start-ms", "ms", median(ours) - floor, floor, TARGET_MILLIS, null));
            lines.accept(BenchLine.ofNoise("cold-start-ms", "ms", median(again), floor));
        } finally {
            delete(directory);
        }
    }

    private static void prepare(String url) throws SQLException {
        Cluster cluster = new Cluster(List.of(url), null, null);
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        cluster.fill();
        cluster.store(database);
        try (Connection connection = cluster.connect(0);
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown");
        }
    }

    private static double median(List<Double> values) {
        return Median.of(values.stream().mapToDouble(value -> value).toArray());
    }

    /** Starts a JVM and returns the time that it says its first connection took. */
    private static double millis(String kind, String url) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FirstConnection.class.getName(),
                        kind,
                        url)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String nanos = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IllegalStateException("a fresh JVM must reach the database: kind=" + kind + ", exit=" + exit);
        }
        return Long.parseLong(nanos) / NANOS_PER_MILLI;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

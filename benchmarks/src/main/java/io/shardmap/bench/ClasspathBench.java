package io.shardmap.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an application takes on with the router: jars at run time, without database drivers. Raw are the jars of HikariCP. The peer's
 * are those that are not on the benchmarks' class path too, so it has a few more.
 */
record ClasspathBench() implements Bench {
    /** System property with the name of a file that holds the router's run-time class path, its own jar included. */
    static final String CLASS_PATH_FILE = "shardmap.bench.router";

    private static final double TARGET_JARS = 8;
    private static final double TARGET_MEBIBYTES = 5;
    private static final double MEBIBYTE = 1 << 20;
    private static final List<String> RAW = List.of("HikariCP-", "slf4j-api-");

    @Override
    public void run(Consumer<BenchLine> lines) throws IOException {
        List<Path> ours = ClassPath.parse(Files.readString(Path.of(System.getProperty(CLASS_PATH_FILE, ""))));
        List<Path> raw = ours.stream()
                .filter(jar -> RAW.stream().anyMatch(jar.getFileName().toString()::startsWith))
                .toList();
        List<Path> peer = Peer.jars();
        boolean served = !peer.isEmpty();
        ours.forEach(jar -> Progress.say("router needs " + jar.getFileName()));
        lines.accept(BenchLine.ofValue(
                "classpath-jars", "jars", ours.size(), raw.size(), TARGET_JARS, served ? (double) peer.size() : null));
        lines.accept(BenchLine.ofValue(
                "classpath-mib",
                "MiB",
                mebibytes(ours),
                mebibytes(raw),
                TARGET_MEBIBYTES,
                served ? (@Nullable Double) mebibytes(peer) : null));
    }

    private static double mebibytes(List<Path> jars) throws IOException {
        long bytes = 0;
        for (Path jar : jars) {
            bytes += Files.size(jar);
        }
        return bytes / MEBIBYTE;
    }
}

package io.shardmap.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Resolving a cached integer key, by JMH. Time and target are of {@code ours} itself; JMH's own loop costs both sides about a
 * nanosecond. Each pass forks a JVM for the floor, for ours, and for the floor again.
 *
 * @param passes forks of each kind
 * @param iteration length of one iteration in milliseconds
 */
record ResolveBench(int passes, int iteration) implements Bench {
    private static final int WARM_UP_ITERATIONS = 3;
    private static final int ITERATIONS = 5;
    private static final double TARGET_NANOS = 15;
    private static final double TARGET_BYTES = 0;
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    @Override
    public void run(Consumer<BenchLine> lines) throws Exception {
        Progress.say("resolve-int");
        Samples raw = new Samples();
        Samples ours = new Samples();
        Samples again = new Samples();
        for (int pass = 0; pass < passes; pass++) {
            raw.add(fork("raw"));
            ours.add(fork("ours"));
            again.add(fork("raw"));
        }
        lines.accept(BenchLine.ofValue("resolve-int", "ns", ours.nanos(), raw.nanos(), TARGET_NANOS, null));
        lines.accept(BenchLine.ofNoise("resolve-int", "ns", again.nanos(), raw.nanos()));
        lines.accept(BenchLine.ofValue("resolve-int-alloc", "B/op", ours.bytes(), raw.bytes(), TARGET_BYTES, null));
        lines.accept(BenchLine.ofNoise("resolve-int-alloc", "B/op", again.bytes(), raw.bytes()));
    }

    private RunResult fork(String method) throws RunnerException {
        TimeValue time = TimeValue.milliseconds(iteration);
        Options options = new OptionsBuilder()
                .include("^" + ResolveBenchmark.class.getName().replace(".", "\\.") + "\\." + method + "$")
                .forks(1)
                .warmupIterations(WARM_UP_ITERATIONS)
                .warmupTime(time)
                .measurementIterations(ITERATIONS)
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .build();
        // JMH would print to standard output, which belongs to the lines.
        PrintStream unread = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        return new Runner(options, OutputFormatFactory.createFormatInstance(unread, VerboseMode.SILENT)).runSingle();
    }

    /** The iterations of one contender over all its forks. */
    private static final class Samples {
        private final List<Double> nanos = new ArrayList<>();
        private final List<Double> bytes = new ArrayList<>();

        void add(RunResult run) {
            for (BenchmarkResult fork : run.getBenchmarkResults()) {
                for (IterationResult iteration : fork.getIterationResults()) {
                    nanos.add(iteration.getPrimaryResult().getScore());
                    bytes.add(allocated(iteration));
                }
            }
        }

        private static double allocated(IterationResult iteration) {
            return iteration.getSecondaryResults().values().stream()
                    .filter(result -> result.getLabel().endsWith(ALLOCATED))
                    .mapToDouble(result -> result.getScore())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("JMH must report " + ALLOCATED));
        }

        double nanos() {
            return Median.of(nanos.stream().mapToDouble(x -> x).toArray());
        }

        /** The sampling itself allocates a little per iteration: what is less than a byte in ten operations is none. */
        double bytes() {
            double median = Median.of(bytes.stream().mapToDouble(x -> x).toArray());
            return Math.rint(median * 10) / 10;
        }
    }
}

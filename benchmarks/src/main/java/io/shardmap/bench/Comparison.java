package io.shardmap.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures ours, raw, raw again for the noise, and where there is one the peer, and makes the two lines of it.
 *
 * @param rounds how they take turns
 * @param lines takes the lines
 */
record Comparison(Rounds rounds, Consumer<BenchLine> lines) {
    private static final double NANOS_PER_MICRO = 1_000;

    /**
     * Compares.
     *
     * @param target asked of the ratio
     */
    void run(String name, double target, Supplier<Work> ours, Supplier<Work> raw, @Nullable Supplier<Work> peer)
            throws Exception {
        Progress.say(name);
        List<Contender> contenders = new ArrayList<>(
                List.of(new Contender("raw", raw), new Contender("ours", ours), new Contender("raw again", raw)));
        if (peer != null) {
            contenders.add(new Contender("peer", peer));
        }
        Map<String, Double> nanos = rounds.measure(contenders);
        lines.accept(BenchLine.ofRatio(
                name,
                "us/op",
                micros(nanos, "ours"),
                micros(nanos, "raw"),
                target,
                peer == null ? null : micros(nanos, "peer")));
        lines.accept(BenchLine.ofNoise(name, "us/op", micros(nanos, "raw again"), micros(nanos, "raw")));
    }

    private static double micros(Map<String, Double> nanos, String contender) {
        Double value = nanos.get(contender);
        if (value == null) {
            throw new IllegalStateException("contender must have been measured: name=" + contender);
        }
        return value / NANOS_PER_MICRO;
    }
}

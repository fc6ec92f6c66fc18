package io.shardmap.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One result, printed as one line of JSON.
 *
 * @param name what was measured
 * @param unit unit of {@code ours}, {@code raw} and {@code peer}
 * @param better {@code lower} or {@code higher}
 * @param ours with Shardmap
 * @param raw with HikariCP and the driver alone, or the floor that the bench names
 * @param ratio {@code ours / raw}
 * @param target what is asked of {@code ratio}, or of {@code ours} where the bench says so
 * @param met whether the target is met
 * @param peer with another library that can do the same work, or null
 * @param peerRatio {@code peer / raw}, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"name", "unit", "better", "ours", "raw", "ratio", "target", "met", "peer", "peerRatio"})
record BenchLine(
        String name,
        String unit,
        String better,
        double ours,
        double raw,
        double ratio,
        double target,
        boolean met,
        @Nullable Double peer,
        @Nullable Double peerRatio) {
    /** How far a second measurement of the same thing may be from the first for the machine to be called quiet. */
    static final double QUIET = 0.05;

    private static final String LOWER = "lower";
    private static final String HIGHER = "higher";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** A result whose target is a ratio: less is better. */
    static BenchLine ofRatio(String name, String unit, double ours, double raw, double target, @Nullable Double peer) {
        double ratio = ratio(ours, raw);
        return of(name, unit, LOWER, ours, raw, target, ratio <= target, peer);
    }

    /** A result whose target is of {@code ours} itself: less is better. */
    static BenchLine ofValue(String name, String unit, double ours, double raw, double target, @Nullable Double peer) {
        return of(name, unit, LOWER, ours, raw, target, ours <= target, peer);
    }

    /** A result whose target is a ratio: more is better. */
    static BenchLine ofRate(String name, String unit, double ours, double raw, double target) {
        return of(name, unit, HIGHER, ours, raw, target, ratio(ours, raw) >= target, null);
    }

    /** The noise of a bench: raw against raw. Met when both are within {@link #QUIET} of each other. */
    static BenchLine ofNoise(String name, String unit, double again, double raw) {
        boolean quiet = Math.abs(ratio(again, raw) - 1) <= QUIET;
        return of(name + "-aa", unit, LOWER, again, raw, 1 + QUIET, quiet, null);
    }

    private static BenchLine of(
            String name,
            String unit,
            String better,
            double ours,
            double raw,
            double target,
            boolean met,
            @Nullable Double peer) {
        return new BenchLine(
                name,
                unit,
                better,
                rounded(ours),
                rounded(raw),
                rounded(ratio(ours, raw)),
                target,
                met,
                peer == null ? null : rounded(peer),
                peer == null ? null : rounded(ratio(peer, raw)));
    }

    /** Nothing against nothing is as good as equal; something against nothing has no ratio, and 0 says so. */
    private static double ratio(double ours, double raw) {
        if (raw == 0) {
            return ours == 0 ? 1 : 0;
        }
        return ours / raw;
    }

    private static double rounded(double value) {
        return new BigDecimal(value).round(new MathContext(4)).doubleValue();
    }

    /** Returns the line, without a line end. */
    String json() {
        return JSON.writeValueAsString(this);
    }
}

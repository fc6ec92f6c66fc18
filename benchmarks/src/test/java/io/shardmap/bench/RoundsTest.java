package io.shardmap.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Turns, medians and the check for equal work, on a clock that moves only by the work. */
class RoundsTest {
    private long now;

    private Rounds rounds(int warmUp, int rounds) {
        return new Rounds(warmUp, rounds, Duration.ofNanos(1_000), () -> now);
    }

    private Contender taking(String name, long nanos, StringBuilder order) {
        return new Contender(name, () -> () -> {
            now += nanos;
            if (order.isEmpty() || order.charAt(order.length() - 1) != name.charAt(0)) {
                order.append(name);
            }
            return 1;
        });
    }

    @Test
    void measuresNanosecondsPerOperation() throws Exception {
        StringBuilder order = new StringBuilder();
        Map<String, Double> nanos = rounds(1, 3)
                .measure(List.of(taking("a", 10, order), taking("b", 250, order), taking("c", 5_000, order)));
        assertEquals(Map.of("a", 10.0, "b", 250.0, "c", 5_000.0), nanos);
    }

    @Test
    void everyRoundBeginsWithAnotherContender() throws Exception {
        StringBuilder order = new StringBuilder();
        rounds(0, 4).measure(List.of(taking("a", 100, order), taking("b", 100, order), taking("c", 100, order)));
        assertTrue(order.toString().endsWith("abc" + "bca" + "cab" + "abc"), order.toString());
    }

    @Test
    void oneSlowRoundDoesNotCount() throws Exception {
        int[] operations = {0};
        Contender hiccup = new Contender("a", () -> () -> {
            now += operations[0]++ == 205 ? 1_000_000 : 10;
            return 1;
        });
        assertEquals(10.0, rounds(0, 5).measure(List.of(hiccup)).get("a"));
    }

    @Test
    void refusesContendersThatReadDifferentThings() {
        Contender one = new Contender("raw", () -> () -> 1);
        Contender two = new Contender("ours", () -> () -> 2);
        IllegalStateException error =
                assertThrows(IllegalStateException.class, () -> rounds(0, 1).measure(List.of(one, two)));
        assertEquals("contenders must do the same work: operation=0, raw=1, ours=2", error.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"-1, 1, 1", "0, 0, 1", "0, 1, 0"})
    void refusesRoundsThatMeasureNothing(int warmUp, int rounds, long nanos) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new Rounds(warmUp, rounds, Duration.ofNanos(nanos), System::nanoTime));
    }

    @Test
    void medianIsTheMiddle() {
        assertEquals(2, Median.of(9, 1, 2));
        assertEquals(3, Median.of(9, 1, 2, 4));
        assertThrows(IllegalArgumentException.class, Median::of);
    }
}

package io.shardmap.bench;

import java.util.Arrays;

/** The middle of some measurements. */
final class Median {
    private Median() {}

    /**
     * Returns the middle value, or the mean of the two middle ones.
     *
     * @throws IllegalArgumentException when there are none
     */
    static double of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("a median needs a value: values=[]");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}

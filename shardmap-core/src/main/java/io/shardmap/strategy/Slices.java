package io.shardmap.strategy;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.util.BitSet;
import java.util.stream.IntStream;

/** Rules that the virtual shards of every strategy obey. */
final class Slices {
    private Slices() {}

    static void requireCount(int virtualShards) {
        if (virtualShards < 1 || virtualShards > Strategy.MAX_VIRTUAL_SHARDS) {
            throw invalid("a map must have 1 to " + Strategy.MAX_VIRTUAL_SHARDS + " virtual shards: virtualShards="
                    + virtualShards);
        }
    }

    /** Requires each number from 0 to the count minus one exactly once, in any order. */
    static void requireNumbers(IntStream virtualShards) {
        int[] numbers = virtualShards.toArray();
        requireCount(numbers.length);
        BitSet seen = new BitSet(numbers.length);
        for (int number : numbers) {
            if (number < 0 || number >= numbers.length || seen.get(number)) {
                throw invalid(
                        "virtual shards must be numbered from 0 without a gap, each having one slice: virtualShard="
                                + number + ", slices=" + numbers.length);
            }
            seen.set(number);
        }
    }

    static ShardMapException invalid(String message) {
        return new ShardMapException(ErrorCode.INVALID_DEFINITION, message);
    }
}

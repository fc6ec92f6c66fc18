package io.shardmap.strategy;

import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the slice of a {@link Strategy.Range} by binary search. */
sealed interface RangeFinder extends VirtualShardFinder {

    /** Makes the finder of slices that are valid for the type. */
    static RangeFinder of(List<Strategy.Range.Slice> slices, KeyType type) {
        return switch (type) {
            case INTEGER, LONG -> Integers.of(slices);
            case STRING, UUID -> Keys.of(slices, type);
        };
    }

    /** Slices of integers; open ends are those of a long, because the key's own range is checked before. */
    record Integers(LongSlices slices) implements RangeFinder {
        static Integers of(List<Strategy.Range.Slice> slices) {
            int count = slices.size();
            long[] firsts = new long[count];
            long[] lasts = new long[count];
            int[] virtualShards = new int[count];
            for (int i = 0; i < count; i++) {
                Strategy.Range.Slice slice = slices.get(i);
                firsts[i] = slice.lower() instanceof ShardKey.Integral lower ? lower.value() : Long.MIN_VALUE;
                lasts[i] = slice.upper() instanceof ShardKey.Integral upper ? upper.value() - 1 : Long.MAX_VALUE;
                virtualShards[i] = slice.virtualShard();
            }
            return new Integers(new LongSlices(firsts, lasts, virtualShards));
        }

        @Override
        public int virtualShards() {
            return slices.size();
        }

        @Override
        public int virtualShardOf(long key) {
            return slices.find(key);
        }

        @Override
        public int virtualShardOf(ShardKey key) {
            return slices.find(((ShardKey.Integral) key).value());
        }
    }

    /** Slices of keys that do not fit a long. */
    final class Keys implements RangeFinder {
        private final ShardKey[] lowers;
        private final @Nullable ShardKey[] uppers;
        private final int[] virtualShards;

        private Keys(ShardKey[] lowers, @Nullable ShardKey[] uppers, int[] virtualShards) {
            this.lowers = lowers;
            this.uppers = uppers;
            this.virtualShards = virtualShards;
        }

        static Keys of(List<Strategy.Range.Slice> slices, KeyType type) {
            int count = slices.size();
            ShardKey[] lowers = new ShardKey[count];
            @Nullable ShardKey[] uppers = new ShardKey[count];
            int[] virtualShards = new int[count];
            for (int i = 0; i < count; i++) {
                Strategy.Range.Slice slice = slices.get(i);
                ShardKey lower = slice.lower();
                lowers[i] = lower == null ? type.smallest() : lower;
                uppers[i] = slice.upper();
                virtualShards[i] = slice.virtualShard();
            }
            return new Keys(lowers, uppers, virtualShards);
        }

        @Override
        public int virtualShards() {
            return virtualShards.length;
        }

        @Override
        public int virtualShardOf(ShardKey key) {
            int place = Arrays.binarySearch(lowers, key, Comparator.naturalOrder());
            int slice = place >= 0 ? place : -place - 2;
            if (slice < 0) {
                return UNMAPPED;
            }
            ShardKey upper = uppers[slice];
            return upper == null || key.compareTo(upper) < 0 ? virtualShards[slice] : UNMAPPED;
        }
    }
}

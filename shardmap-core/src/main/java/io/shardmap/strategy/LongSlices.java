package io.shardmap.strategy;

import java.util.Arrays;

/** Disjoint slices of the 64-bit integers in ascending order, both ends inclusive. Finding is a binary search that allocates nothing. */
final class LongSlices {
    private final long[] firsts;
    private final long[] lasts;
    private final int[] virtualShards;

    LongSlices(long[] firsts, long[] lasts, int[] virtualShards) {
        this.firsts = firsts;
        this.lasts = lasts;
        this.virtualShards = virtualShards;
    }

    int size() {
        return virtualShards.length;
    }

    /** Returns the virtual shard of the slice that holds a value, or {@link VirtualShardFinder#UNMAPPED}. */
    int find(long value) {
        int place = Arrays.binarySearch(firsts, value);
        int slice = place >= 0 ? place : -place - 2;
        return slice >= 0 && value <= lasts[slice] ? virtualShards[slice] : VirtualShardFinder.UNMAPPED;
    }
}

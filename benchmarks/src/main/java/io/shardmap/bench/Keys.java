package io.shardmap.bench;

import java.util.Random;

/** Book numbers in an order that is random and always the same. Used by one thread. */
final class Keys {
    private static final long SEED = 20_261_130;
    private static final int PERIOD = 1 << 14;

    private final int[] ids;
    private int position;

    Keys() {
        ids = new Random(SEED).ints(PERIOD, 0, Books.COUNT).toArray();
    }

    int next() {
        position = (position + 1) & (PERIOD - 1);
        return ids[position];
    }
}

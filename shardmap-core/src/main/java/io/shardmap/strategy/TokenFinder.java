package io.shardmap.strategy;

import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import java.util.List;

/**
 * Finds the slice of a {@link Strategy.Hash} that holds the token of a key.
 *
 * @param slices the ring
 * @param type type of the keys: the same number is another token as an INTEGER than as a LONG
 */
record TokenFinder(LongSlices slices, KeyType type) implements VirtualShardFinder {

    static TokenFinder of(List<Strategy.Hash.TokenSlice> slices, KeyType type) {
        int count = slices.size();
        long[] firsts = new long[count];
        long[] lasts = new long[count];
        int[] virtualShards = new int[count];
        for (int i = 0; i < count; i++) {
            Strategy.Hash.TokenSlice slice = slices.get(i);
            firsts[i] = slice.first();
            lasts[i] = slice.last();
            virtualShards[i] = slice.virtualShard();
        }
        return new TokenFinder(new LongSlices(firsts, lasts, virtualShards), type);
    }

    @Override
    public int virtualShards() {
        return slices.size();
    }

    @Override
    public int virtualShardOf(long key) {
        return slices.find(type == KeyType.INTEGER ? Murmur3Token.ofInt((int) key) : Murmur3Token.ofLong(key));
    }

    @Override
    public int virtualShardOf(ShardKey key) {
        if (key instanceof ShardKey.Integral integral) {
            return virtualShardOf(integral.value());
        }
        return slices.find(
                key instanceof ShardKey.Text text
                        ? Murmur3Token.ofText(text.value())
                        : Murmur3Token.ofUuid(((ShardKey.Uuid) key).value()));
    }
}

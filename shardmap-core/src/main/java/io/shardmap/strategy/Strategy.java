package io.shardmap.strategy;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.key.KeyType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a key becomes a virtual shard; the placement in the map then names the server. This release routes {@link Lookup}; a map of
 * another strategy can be described, and is refused by name when it is asked to route.
 */
public sealed interface Strategy {

    /** The largest number of virtual shards of one map. */
    int MAX_VIRTUAL_SHARDS = 65_536;

    /** Returns the stored name of the strategy. */
    String strategyName();

    /** Lookup by a key function: the function names the virtual shard. */
    record Lookup(KeyFunction function) implements Strategy {
        @Override
        public String strategyName() {
            return "lookup";
        }
    }

    /** Lookup in a directory: each key's virtual shard is a row of the shard-map database. */
    record Directory() implements Strategy {
        @Override
        public String strategyName() {
            return "directory";
        }
    }

    /** Ordered, disjoint slices of a totally ordered key type. */
    record Range(List<Slice> slices) implements Strategy {
        /**
         * One slice {@code [lower, upper)}.
         *
         * @param virtualShard number of the virtual shard
         * @param lower inclusive bound as text of the key type, null for open
         * @param upper exclusive bound as text of the key type, null for open
         */
        public record Slice(
                int virtualShard,
                @Nullable String lower,
                @Nullable String upper) {}

        /** Copies the slices. */
        public Range {
            slices = List.copyOf(slices);
        }

        @Override
        public String strategyName() {
            return "range";
        }
    }

    /** Slices of the 64-bit token ring of Apache Cassandra's Murmur3 partitioner. */
    record Hash(List<TokenSlice> slices) implements Strategy {
        /**
         * One slice of the ring, both ends inclusive.
         *
         * @param virtualShard number of the virtual shard
         * @param first first token
         * @param last last token, not smaller than {@code first}
         */
        public record TokenSlice(int virtualShard, long first, long last) {}

        /**
         * Copies the slices and checks that they cover the ring without a gap or overlap.
         *
         * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when they do not
         */
        public Hash {
            slices = List.copyOf(slices);
            long next = Long.MIN_VALUE;
            for (int i = 0; i < slices.size(); i++) {
                TokenSlice slice = slices.get(i);
                boolean end = i == slices.size() - 1;
                if (slice.first() != next || slice.last() < slice.first() || (slice.last() == Long.MAX_VALUE) != end) {
                    throw new ShardMapException(
                            ErrorCode.INVALID_DEFINITION,
                            "token slices must cover -2^63 .. 2^63-1 in order, without gap or overlap: slice=" + slice
                                    + ", expected first=" + next);
                }
                next = slice.last() + 1;
            }
            if (slices.isEmpty()) {
                throw new ShardMapException(ErrorCode.INVALID_DEFINITION, "a token ring must have at least one slice");
            }
        }

        @Override
        public String strategyName() {
            return "hash";
        }
    }

    /** The first part of a composite key is a region; inside it another strategy decides. */
    record Geographic(Map<String, Strategy> regions) implements Strategy {
        /** Copies the regions. */
        public Geographic {
            regions = Map.copyOf(regions);
        }

        @Override
        public String strategyName() {
            return "geographic";
        }
    }

    /**
     * Returns this strategy if it can split keys of a type.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when it cannot
     */
    default Strategy requireFor(KeyType type) {
        if (this instanceof Lookup lookup && !lookup.function().accepts(type)) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "key function must accept the map's key type: function="
                            + lookup.function().functionName() + ", keyType=" + type);
        }
        return this;
    }
}

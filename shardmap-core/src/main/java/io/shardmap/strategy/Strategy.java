package io.shardmap.strategy;

import io.shardmap.ErrorCode;
import io.shardmap.InvalidKeyException;
import io.shardmap.ShardMapException;
import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a key becomes a virtual shard; the placement in the map then names the server. This release routes {@link Lookup}, {@link Range}
 * and {@link Hash}; a map of another strategy can be described, and is refused by name when it is asked to route.
 *
 * <p>Whatever the strategy, the shard column of a {@link io.shardmap.ShardedTable} holds the <em>number</em> of the row's virtual shard
 * ({@link io.shardmap.ShardMap#virtualShardOf}), never the key, a bound or a token. So moves, guards and fan-out filters compare a
 * number and know nothing of strategies.
 */
public sealed interface Strategy {

    /** The largest number of virtual shards of one map. */
    int MAX_VIRTUAL_SHARDS = 65_536;

    /** Returns the stored name of the strategy. */
    String strategyName();

    /**
     * Returns this strategy if it can split keys of a type.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when it cannot
     */
    default Strategy requireFor(KeyType type) {
        return this;
    }

    /**
     * Makes the strategy ready for keys of a type.
     *
     * @return null when this release cannot route the strategy
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when it cannot split keys of the type
     */
    default @Nullable VirtualShardFinder finder(KeyType type) {
        return null;
    }

    /** Lookup by a key function: the function names the virtual shard. */
    record Lookup(KeyFunction function) implements Strategy {
        @Override
        public String strategyName() {
            return "lookup";
        }

        @Override
        public Strategy requireFor(KeyType type) {
            if (!function.accepts(type)) {
                throw Slices.invalid("key function must accept the map's key type: function=" + function.functionName()
                        + ", keyType=" + type);
            }
            return this;
        }

        @Override
        public VirtualShardFinder finder(KeyType type) {
            requireFor(type);
            return function;
        }
    }

    /** Lookup in a directory: each key's virtual shard is a row of the shard-map database. */
    record Directory() implements Strategy {
        @Override
        public String strategyName() {
            return "directory";
        }
    }

    /**
     * Disjoint slices of the keys in their natural order (see {@link ShardKey}), one per virtual shard. There may be gaps between slices:
     * a key in a gap is unmapped.
     *
     * @param slices 1 to {@link #MAX_VIRTUAL_SHARDS} slices, numbered from 0 without a gap; given in any order, kept in key order
     */
    record Range(List<Slice> slices) implements Strategy {
        /** The longest text that can bound a slice, in chars. */
        public static final int MAX_BOUND_LENGTH = 2_000;

        /**
         * One slice {@code [lower, upper)}.
         *
         * @param virtualShard number of the virtual shard
         * @param lower inclusive bound, null for open
         * @param upper exclusive bound, greater than {@code lower}, null for open. Only an open slice can hold the greatest key of a type
         */
        public record Slice(
                int virtualShard,
                @Nullable ShardKey lower,
                @Nullable ShardKey upper) {
            private static final Comparator<Slice> BY_LOWER = (one, other) -> {
                ShardKey a = one.lower;
                ShardKey b = other.lower;
                return a == null || b == null ? Boolean.compare(a != null, b != null) : a.compareTo(b);
            };

            /**
             * Checks the order of the bounds.
             *
             * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when {@code lower} is not below {@code upper}
             */
            public Slice {
                if (lower != null && upper != null && lower.compareTo(upper) >= 0) {
                    throw Slices.invalid("lower bound of a slice must be below its upper bound: virtualShard="
                            + virtualShard + ", lower=" + lower + ", upper=" + upper);
                }
            }

            /**
             * Makes a slice of values as applications give them.
             *
             * @throws InvalidKeyException when a bound is not a key of the type
             */
            public static Slice of(KeyType type, int virtualShard, @Nullable Object lower, @Nullable Object upper) {
                return new Slice(
                        virtualShard,
                        lower == null ? null : type.canonical(lower),
                        upper == null ? null : type.canonical(upper));
            }
        }

        /**
         * Puts the slices in order and checks them.
         *
         * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when there are none or too many, when two overlap, or when
         *     they are not numbered from 0 without a gap
         */
        public Range {
            slices = slices.stream().sorted(Slice.BY_LOWER).toList();
            Slices.requireNumbers(slices.stream().mapToInt(Slice::virtualShard));
            for (int i = 1; i < slices.size(); i++) {
                Slice before = slices.get(i - 1);
                Slice slice = slices.get(i);
                ShardKey end = before.upper();
                ShardKey start = slice.lower();
                if (end == null || start == null || end.compareTo(start) > 0) {
                    throw Slices.invalid("slices must not overlap: one=" + before + ", other=" + slice);
                }
            }
        }

        /**
         * Cuts all keys of a type at the given ones: the first slice ends before the first cut, the last starts at the last cut. The
         * slices are numbered in key order.
         *
         * @param cuts ascending keys of the type; none makes one slice
         * @throws InvalidKeyException when a cut is not a key of the type
         * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when the cuts do not ascend, or the first one is the
         *     type's smallest key
         */
        public static Range cutAt(KeyType type, List<?> cuts) {
            List<Slice> slices = new ArrayList<>();
            ShardKey lower = null;
            for (Object cut : cuts) {
                ShardKey upper = type.canonical(cut);
                slices.add(new Slice(slices.size(), lower, upper));
                lower = upper;
            }
            slices.add(new Slice(slices.size(), lower, null));
            Range range = new Range(slices);
            range.requireFor(type);
            return range;
        }

        @Override
        public String strategyName() {
            return "range";
        }

        @Override
        public Strategy requireFor(KeyType type) {
            for (Slice slice : slices) {
                requireBound(type, slice.lower());
                requireBound(type, slice.upper());
                if (type.smallest().equals(slice.upper())) {
                    throw Slices.invalid(
                            "slice must be able to hold a key, but none comes before its upper bound: slice=" + slice
                                    + ", keyType=" + type);
                }
            }
            return this;
        }

        private static void requireBound(KeyType type, @Nullable ShardKey bound) {
            if (bound == null) {
                return;
            }
            try {
                type.canonical(bound.toObject());
            } catch (InvalidKeyException refusal) {
                throw new ShardMapException(
                        ErrorCode.INVALID_DEFINITION,
                        "bound of a slice must be a key of the map: keyType=" + type + ", bound=" + bound,
                        refusal);
            }
            if (bound instanceof ShardKey.Text text && text.value().length() > MAX_BOUND_LENGTH) {
                throw Slices.invalid("bound of a slice must have at most " + MAX_BOUND_LENGTH + " chars: length="
                        + text.value().length());
            }
        }

        @Override
        public VirtualShardFinder finder(KeyType type) {
            requireFor(type);
            return RangeFinder.of(slices, type);
        }
    }

    /**
     * Slices of the 64-bit token ring of Apache Cassandra's Murmur3 partitioner, one per virtual shard: every key has the token that
     * Cassandra gives it as an int (INTEGER), bigint (LONG), text (STRING) or uuid (UUID) partition key.
     *
     * @param slices 1 to {@link #MAX_VIRTUAL_SHARDS} slices, numbered from 0 without a gap, that cover the ring; given in any order, kept
     *     in token order
     */
    record Hash(List<TokenSlice> slices) implements Strategy {
        /** Stored name of the token algorithm. */
        public static final String ALGORITHM = "cassandra-murmur3";

        /** Stored version of the token algorithm: its tokens never change, a change is a new version. */
        public static final int ALGORITHM_VERSION = 1;

        /**
         * One slice of the ring, both ends inclusive.
         *
         * @param virtualShard number of the virtual shard
         * @param first first token
         * @param last last token, not smaller than {@code first}
         */
        public record TokenSlice(int virtualShard, long first, long last) {}

        /**
         * Puts the slices in order and checks that they cover the ring without a gap or overlap.
         *
         * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when they do not, or are too many, or not numbered from 0
         *     without a gap
         */
        public Hash {
            slices = slices.stream()
                    .sorted(Comparator.comparingLong(TokenSlice::first))
                    .toList();
            Slices.requireNumbers(slices.stream().mapToInt(TokenSlice::virtualShard));
            long next = Long.MIN_VALUE;
            for (int i = 0; i < slices.size(); i++) {
                TokenSlice slice = slices.get(i);
                boolean end = i == slices.size() - 1;
                if (slice.first() != next || slice.last() < slice.first() || (slice.last() == Long.MAX_VALUE) != end) {
                    throw Slices.invalid("token slices must cover -2^63 .. 2^63-1 without gap or overlap: slice="
                            + slice + ", expected first=" + next);
                }
                next = slice.last() + 1;
            }
        }

        /**
         * Cuts the ring into slices whose sizes differ by at most one token, numbered in token order.
         *
         * @param count number of slices, 1 to {@link #MAX_VIRTUAL_SHARDS}
         * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when the count is out of range
         */
        public static Hash even(int count) {
            Slices.requireCount(count);
            List<TokenSlice> slices = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                slices.add(new TokenSlice(i, firstToken(i, count), firstToken(i + 1, count) - 1));
            }
            return new Hash(slices);
        }

        /** Returns -2^63 + floor(2^64 * slice / count), which wraps to -2^63 behind the last slice. */
        private static long firstToken(int slice, int count) {
            return Long.MIN_VALUE
                    + BigInteger.valueOf(slice)
                            .shiftLeft(Long.SIZE)
                            .divide(BigInteger.valueOf(count))
                            .longValue();
        }

        @Override
        public String strategyName() {
            return "hash";
        }

        @Override
        public VirtualShardFinder finder(KeyType type) {
            return TokenFinder.of(slices, type);
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
}

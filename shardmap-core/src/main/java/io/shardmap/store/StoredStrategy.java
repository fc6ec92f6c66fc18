package io.shardmap.store;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.UnsupportedShardMapException;
import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import io.shardmap.strategy.Strategy;
import io.shardmap.strategy.Strategy.Hash.TokenSlice;
import io.shardmap.strategy.Strategy.Range.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A strategy as the catalogue stores it, without its slices: those are bounds in the rows of the virtual shards.
 *
 * @param name stored name
 * @param function the key function of a lookup, the token algorithm of a hash; null for a range, whose order is that of its key type
 */
record StoredStrategy(String name, @Nullable StoredFunction function) {
    private static final StoredFunction TOKENS =
            new StoredFunction(Strategy.Hash.ALGORITHM, null, Strategy.Hash.ALGORITHM_VERSION);

    /**
     * The slice of a virtual shard: {@code [lower, upper)} as text of the key type for a range, first and last token for a hash, both
     * null for a lookup.
     */
    record Bounds(
            int virtualShard,
            @Nullable String lower,
            @Nullable String upper) {}

    /**
     * Returns how a strategy is stored.
     *
     * @throws UnsupportedShardMapException when this release cannot store it
     */
    static StoredStrategy of(String map, Strategy strategy) {
        if (strategy instanceof Strategy.Lookup lookup) {
            return new StoredStrategy(strategy.strategyName(), StoredFunction.of(lookup.function()));
        }
        if (strategy instanceof Strategy.Range) {
            return new StoredStrategy(strategy.strategyName(), null);
        }
        if (strategy instanceof Strategy.Hash) {
            return new StoredStrategy(strategy.strategyName(), TOKENS);
        }
        throw new UnsupportedShardMapException(map, "storing strategy " + strategy.strategyName());
    }

    /** Returns the bounds of all virtual shards of a strategy that can be stored, ordered by number. */
    static List<Bounds> bounds(Strategy strategy) {
        List<Bounds> bounds = new ArrayList<>();
        if (strategy instanceof Strategy.Lookup lookup) {
            for (int id = 0; id < lookup.function().virtualShards(); id++) {
                bounds.add(new Bounds(id, null, null));
            }
        } else if (strategy instanceof Strategy.Range range) {
            range.slices().forEach(slice -> bounds.add(bounds(slice)));
        } else if (strategy instanceof Strategy.Hash hash) {
            hash.slices().forEach(slice -> bounds.add(bounds(slice)));
        }
        bounds.sort((one, other) -> Integer.compare(one.virtualShard(), other.virtualShard()));
        return Collections.unmodifiableList(bounds);
    }

    private static Bounds bounds(Slice slice) {
        ShardKey lower = slice.lower();
        ShardKey upper = slice.upper();
        return new Bounds(
                slice.virtualShard(), lower == null ? null : lower.toString(), upper == null ? null : upper.toString());
    }

    private static Bounds bounds(TokenSlice slice) {
        return new Bounds(slice.virtualShard(), Long.toString(slice.first()), Long.toString(slice.last()));
    }

    /**
     * Returns this if the release knows the strategy and its function, so before the rows of virtual shards are looked at.
     *
     * @throws UnsupportedShardMapException when it does not
     */
    StoredStrategy requireKnown(String map) {
        boolean known = switch (name) {
            case "lookup" -> function != null && function.toFunction(map) != null;
            case "range" -> function == null;
            case "hash" -> TOKENS.equals(function);
            default -> false;
        };
        if (!known) {
            throw unknown(map);
        }
        return this;
    }

    /**
     * Returns exactly the strategy that was stored.
     *
     * @throws UnsupportedShardMapException when this release does not know it
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when the bounds contradict each other
     */
    Strategy toStrategy(String map, KeyType keyType, List<Bounds> bounds) {
        requireKnown(map);
        return switch (name) {
            case "range" ->
                new Strategy.Range(
                        bounds.stream().map(one -> slice(map, keyType, one)).toList());
            case "hash" ->
                new Strategy.Hash(bounds.stream().map(one -> tokens(map, one)).toList());
            default -> {
                if (function == null) {
                    throw unknown(map);
                }
                yield new Strategy.Lookup(function.toFunction(map));
            }
        };
    }

    private static Slice slice(String map, KeyType keyType, Bounds stored) {
        try {
            return new Slice(stored.virtualShard(), key(keyType, stored.lower()), key(keyType, stored.upper()));
        } catch (ShardMapException refusal) {
            throw unreadable(map, stored, refusal);
        }
    }

    private static @Nullable ShardKey key(KeyType keyType, @Nullable String text) {
        return text == null ? null : keyType.parse(text);
    }

    private static TokenSlice tokens(String map, Bounds stored) {
        try {
            return new TokenSlice(
                    stored.virtualShard(),
                    Long.parseLong(String.valueOf(stored.lower())),
                    Long.parseLong(String.valueOf(stored.upper())));
        } catch (NumberFormatException notAToken) {
            throw unreadable(map, stored, notAToken);
        }
    }

    private static ShardMapException unreadable(String map, Bounds stored, Exception cause) {
        return new ShardMapException(
                ErrorCode.INVALID_DEFINITION,
                "stored bounds must be keys of the map, or tokens, in order: map=" + map + ", virtualShard="
                        + stored.virtualShard() + ", lower=" + stored.lower() + ", upper=" + stored.upper(),
                cause);
    }

    private UnsupportedShardMapException unknown(String map) {
        return new UnsupportedShardMapException(
                map,
                "strategy " + name
                        + (function == null ? "" : " by " + function.name() + ", version " + function.version()));
    }
}

package io.shardmap.jdbc.fanout;

import io.shardmap.InvalidKeyException;
import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Shard keys as the value of one parameter of a query: {@code where isbn = any(?)}. The column must hold the keys by which the map splits
 * the table. Only the servers that hold the keys are asked, each for its own keys; a key given twice is asked for once. Immutable.
 *
 * <pre>{@code
 * router.fanOut("books").query("select isbn, title from book where isbn = any(?)", ShardKeys.of(isbns))
 * }</pre>
 */
public final class ShardKeys {
    private final List<Object> keys;

    private ShardKeys(List<Object> keys) {
        this.keys = keys;
    }

    /**
     * Makes it of values of the map's key type. They are checked when the query runs: one that is no key of the map, or in no virtual shard,
     * ends the query.
     *
     * @param keys any number; none gives what a query gives that no row meets
     * @throws NullPointerException when a key is null
     */
    public static ShardKeys of(Collection<?> keys) {
        return new ShardKeys(List.copyOf(keys));
    }

    /**
     * Returns each key once.
     *
     * @throws InvalidKeyException when one is not of the type
     */
    Set<ShardKey> canonical(KeyType type) {
        Set<ShardKey> canonical = new LinkedHashSet<>();
        for (Object key : keys) {
            canonical.add(type.canonical(key));
        }
        return canonical;
    }

    /** Returns keys as an array of the Java type that goes with the column's. */
    static Object[] array(KeyType type, Collection<ShardKey> keys) {
        return switch (type) {
            case INTEGER ->
                keys.stream().map(key -> ((Long) key.toObject()).intValue()).toArray(Integer[]::new);
            case LONG -> keys.stream().map(ShardKey::toObject).toArray(Long[]::new);
            case STRING -> keys.stream().map(ShardKey::toObject).toArray(String[]::new);
            case UUID -> keys.stream().map(ShardKey::toObject).toArray(UUID[]::new);
        };
    }

    @Override
    public String toString() {
        return "ShardKeys[" + keys.size() + "]";
    }
}

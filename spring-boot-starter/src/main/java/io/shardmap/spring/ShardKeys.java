package io.shardmap.spring;

import io.shardmap.jdbc.ShardDataSource;
import java.sql.JDBCType;
import java.sql.SQLException;
import java.sql.ShardingKey;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ShardingKeyProvider;

/**
 * The shard key of the running thread. What is called inside {@link #with} works on the server that holds the key; scopes may be nested,
 * the inner one counts.
 *
 * <pre>{@code
 * shardKeys.with(isbn, () -> books.save(book));
 * }</pre>
 *
 * <p>Open the scope around the transaction. Inside a transaction the key may only change to one whose virtual shard can join it, on the
 * same server; otherwise the next statement is refused. The key does not follow work to other threads: take {@link #current} there and
 * open a scope with it. Safe for use by many threads.
 */
public final class ShardKeys implements ShardingKeyProvider {
    private final ShardDataSource source;

    @SuppressWarnings("ThreadLocalUsage") // one per map; scopes clear what they set
    private final ThreadLocal<@Nullable ShardingKey> scope = new ThreadLocal<>();

    /** Creates the keys of a sharded data source. */
    public ShardKeys(ShardDataSource source) {
        this.source = source;
    }

    /**
     * Runs something with a key and returns what it returns.
     *
     * @param key a value of the map's key type
     * @throws InvalidShardKeyException when it is not, or the map is not known and the shard-map database does not answer
     */
    public <T extends @Nullable Object> T with(Object key, Supplier<T> work) {
        ShardingKey outer = scope.get();
        scope.set(shardingKey(key));
        try {
            return work.get();
        } finally {
            restore(outer);
        }
    }

    /** Like {@link #with(Object, Supplier)}, for what returns nothing. */
    public void with(Object key, Runnable work) {
        this.<@Nullable Object>with(key, () -> {
            work.run();
            return null;
        });
    }

    private void restore(@Nullable ShardingKey outer) {
        if (outer == null) {
            scope.remove();
        } else {
            scope.set(outer);
        }
    }

    private ShardingKey shardingKey(Object key) {
        if (key instanceof ShardingKey made) {
            return made;
        }
        try {
            return source.createShardingKeyBuilder().subkey(key, JDBCType.OTHER).build();
        } catch (SQLException refusal) {
            throw new InvalidShardKeyException(refusal);
        }
    }

    /** Returns the key of this thread, which {@link #with} takes too, or null outside of every scope. */
    public @Nullable ShardingKey current() {
        return scope.get();
    }

    @Override
    public @Nullable ShardingKey getShardingKey() {
        return scope.get();
    }
}

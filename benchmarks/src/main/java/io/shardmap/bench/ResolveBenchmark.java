package io.shardmap.bench;

import io.shardmap.Route;
import io.shardmap.resolve.ShardMapCache;
import io.shardmap.resolve.ShardMapCacheConfig;
import io.shardmap.resolve.ShardResolver;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Where an integer key lives: the cache beside an array of routes that is indexed by the remainder of the key, which is the least that
 * any routing does. Run by {@link ResolveBench}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ResolveBenchmark {
    private static final int KEYS = 1 << 12;
    private static final long SEED = 20_261_130;

    private final long[] keys = new long[KEYS];
    private Route[] routes = {};
    private int position;
    private ShardMapCache cache;
    private ShardResolver resolver;

    /** Makes the shard-map database and the cache; loads the map. */
    public ResolveBenchmark() {
        Cluster cluster = new Cluster(
                List.of("jdbc:h2:mem:nobody-0", "jdbc:h2:mem:nobody-1", "jdbc:h2:mem:nobody-2"), null, null);
        cache = new ShardMapCache(cluster.store(), ShardMapCacheConfig.defaults());
        resolver = cache.resolver(Cluster.MAP);
    }

    /** Draws the keys and copies the routes. */
    @Setup
    public void prepare() throws SQLException {
        Random random = new Random(SEED);
        Arrays.setAll(keys, i -> random.nextInt(Books.COUNT));
        routes = IntStream.range(0, Cluster.VIRTUAL_SHARDS)
                .mapToObj(resolver.map()::routeOf)
                .toArray(Route[]::new);
    }

    /** Stops the refresh. */
    @TearDown
    public void close() {
        cache.close();
    }

    private long next() {
        position = (position + 1) & (KEYS - 1);
        return keys[position];
    }

    /** Shardmap. */
    @Benchmark
    public Route ours() {
        return resolver.resolve(next());
    }

    /** The floor. */
    @Benchmark
    public Route raw() {
        return routes[(int) (next() % routes.length)];
    }
}

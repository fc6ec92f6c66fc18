package io.shardmap.jdbc.fanout;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.shardmap.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The types of what merges compare or add that servers have named, kept for a minute. Safe for use by many threads. */
final class SortTypes {
    private record Key(String sql, String map, long generation, Server server) {}

    private final Cache<Key, List<SortType>> known = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(Duration.ofMinutes(1))
            .executor(Runnable::run)
            .build();

    List<SortType> of(FanOutPlan.Ready plan, SqlProduct product, Connection connection, Server server)
            throws SQLException {
        FanOutPlan.Scope scope = plan.scope();
        Key key = new Key(scope.sql(), scope.map(), scope.generation(), server);
        List<SortType> types = known.getIfPresent(key);
        if (types == null) {
            types = SortProbe.types(
                    connection, product, plan.ordered(), plan.query().from());
            known.put(key, types);
        }
        return types;
    }
}

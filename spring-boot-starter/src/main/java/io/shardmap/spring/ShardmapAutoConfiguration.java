package io.shardmap.spring;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.jdbc.RouterListener;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.pool.DataSourceDecorator;
import io.shardmap.jdbc.pool.PoolFactory;
import io.shardmap.jdbc.routed.RoutingConfig;
import io.shardmap.resolve.ShardMapCacheConfig;
import io.shardmap.store.JdbcShardMapStore;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/**
 * Makes one {@link DataSource} of a sharded map, when {@code shardmap.map.name} is set: connections for the key in {@link ShardKeys}, taken
 * when the first statement of a transaction runs. The router, queries over servers and the keys are beans too; the pools of the servers and
 * the shard-map database are not, so that nothing but the decorators wraps them.
 */
@AutoConfiguration(before = DataSourceAutoConfiguration.class)
@ConditionalOnProperty("shardmap.map.name")
@EnableConfigurationProperties(ShardmapProperties.class)
public final class ShardmapAutoConfiguration {
    /** Where the shard-map database is, from the properties. */
    @Bean
    @ConditionalOnMissingBean
    ShardMapConnectionDetails shardMapConnectionDetails(ShardmapProperties properties) {
        return new PropertiesConnectionDetails(properties.map());
    }

    /** The shard-map database, with a small pool of its own. */
    @Bean(destroyMethod = "close")
    ShardMapDatabase shardMapDatabase(ShardMapConnectionDetails details) {
        return new ShardMapDatabase(details);
    }

    /** The router. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    ShardRouter shardRouter(
            ShardMapDatabase database,
            ShardmapProperties properties,
            ObjectProvider<PoolFactory> factory,
            ObjectProvider<DataSourceDecorator> decorators,
            ObjectProvider<RouterListener> listeners,
            ObjectProvider<ShardRouterCustomizer> customizers) {
        ServerPoolSettings settings = new ServerPoolSettings(properties);
        ShardRouter.Builder builder = ShardRouter.builder(database.store())
                .mode(properties.mode())
                .routing(RoutingConfig.DEFAULT.withFenceWait(properties.fenceWait()))
                .cache(ShardMapCacheConfig.defaults()
                        .withRefreshInterval(properties.cache().refreshInterval()))
                .credentials(settings)
                .pool(settings);
        if (properties.urlTemplate() != null) {
            builder.urlTemplate(properties.urlTemplate());
        }
        factory.ifAvailable(builder::poolFactory);
        decorators.orderedStream().forEach(builder::decorate);
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    /** The key of the running thread. */
    @Bean
    @ConditionalOnMissingBean
    ShardKeys shardKeys(ShardRouter router, ShardmapProperties properties) {
        return new ShardKeys(router.dataSource(mapName(properties)));
    }

    /** Queries over all servers. */
    @Bean
    @ConditionalOnMissingBean
    FanOut shardFanOut(ShardRouter router, ShardmapProperties properties) {
        return router.fanOut(mapName(properties));
    }

    /** The sharded data source. */
    @Bean
    @ConditionalOnMissingBean(DataSource.class)
    DataSource dataSource(ShardRouter router, ShardKeys keys, ShardmapProperties properties) {
        LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy();
        // Set before the target: else a connection without a key would be asked for them.
        lazy.setDefaultAutoCommit(true);
        lazy.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        lazy.setTargetDataSource(new KeyedDataSource(router.dataSource(mapName(properties)), keys));
        lazy.afterPropertiesSet();
        return lazy;
    }

    private static String mapName(ShardmapProperties properties) {
        return Objects.requireNonNull(properties.map().name(), "shardmap.map.name");
    }

    /** Not a DataSource bean: an application has one, and it is the sharded one. */
    static final class ShardMapDatabase implements AutoCloseable {
        private final HikariDataSource pool = new HikariDataSource();

        ShardMapDatabase(ShardMapConnectionDetails details) {
            pool.setPoolName("shardmap-map-database");
            pool.setJdbcUrl(details.jdbcUrl());
            pool.setUsername(details.username());
            pool.setPassword(details.password());
            pool.setMaximumPoolSize(2);
            pool.setMinimumIdle(0);
            pool.setConnectionTimeout(3_000);
            pool.setInitializationFailTimeout(-1);
        }

        JdbcShardMapStore store() {
            return new JdbcShardMapStore(pool);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    private record PropertiesConnectionDetails(ShardmapProperties.ShardMapDatabase map)
            implements ShardMapConnectionDetails {
        @Override
        public String jdbcUrl() {
            String url = map.url();
            if (url == null || url.isBlank()) {
                throw new IllegalStateException("shardmap.map.url must be set: shardmap.map.name=" + map.name()
                        + "; give the JDBC URL of the shard-map database");
            }
            return url;
        }

        @Override
        public @org.jspecify.annotations.Nullable String username() {
            return map.username();
        }

        @Override
        public @org.jspecify.annotations.Nullable String password() {
            return map.password();
        }
    }
}

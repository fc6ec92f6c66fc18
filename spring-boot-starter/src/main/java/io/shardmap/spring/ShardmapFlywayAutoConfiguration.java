package io.shardmap.spring;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.context.annotation.Bean;

/** Keeps Spring Boot's Flyway off the sharded data source: scripts belong on all servers, one after the other, not on that of a key. */
@AutoConfiguration(
        after = ShardmapAutoConfiguration.class,
        beforeName = "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration")
@ConditionalOnClass({Flyway.class, FlywayConfigurationCustomizer.class})
@ConditionalOnBean(ShardmapAutoConfiguration.class)
public final class ShardmapFlywayAutoConfiguration {
    /** Refuses to start. */
    @Bean
    FlywayConfigurationCustomizer shardedDataSourceGuard() {
        return configuration -> {
            DataSource source = configuration.getDataSource();
            if (isSharded(source)) {
                throw new IllegalStateException(
                        "Flyway must not run on the sharded data source: it would change one server only;"
                                + " roll scripts out over all servers with `shardmap schema migrate` or SchemaRollout and set"
                                + " spring.flyway.enabled=false, or give Flyway a database of its own with spring.flyway.url");
            }
        };
    }

    private static boolean isSharded(DataSource source) {
        try {
            return source != null && source.isWrapperFor(KeyedDataSource.class);
        } catch (java.sql.SQLException unknown) {
            return false;
        }
    }
}

package io.shardmap.spring;

import io.shardmap.jdbc.ShardRouter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.context.annotation.Bean;

/** The health of the shard-map database and of each server, in place of Spring Boot's own "db", which has no key. */
@AutoConfiguration(
        after = ShardmapAutoConfiguration.class,
        beforeName = "org.springframework.boot.jdbc.autoconfigure.health.DataSourceHealthContributorAutoConfiguration")
@ConditionalOnClass(CompositeHealthContributor.class)
@ConditionalOnEnabledHealthIndicator("db")
@ConditionalOnBean({ShardRouter.class, ShardmapAutoConfiguration.class})
public final class ShardmapHealthAutoConfiguration {
    /** The name makes Spring Boot's own contributor back off. */
    @Bean
    @ConditionalOnMissingBean(name = "dbHealthContributor")
    CompositeHealthContributor dbHealthContributor(
            ShardRouter router, ShardmapAutoConfiguration.ShardMapDatabase database, ShardmapProperties properties) {
        return new ShardmapHealth(
                router, database.store(), String.valueOf(properties.map().name()));
    }
}

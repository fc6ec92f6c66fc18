package io.shardmap.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.metrics.RouterMetrics;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The meters of the router and of its pools, when {@code shardmap-metrics} is on the class path and there is a registry. */
@AutoConfiguration(
        after = ShardmapAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, RouterMetrics.class})
@ConditionalOnBean({MeterRegistry.class, ShardmapAutoConfiguration.class})
@ConditionalOnProperty(name = "shardmap.metrics.enabled", matchIfMissing = true)
public final class ShardmapMetricsAutoConfiguration {
    /** Has the router count. */
    @Bean
    ShardRouterCustomizer shardRouterMetrics(RouterMetricsHolder holder) {
        return builder -> holder.metrics().addTo(builder);
    }

    @Bean
    RouterMetricsHolder routerMetricsHolder(MeterRegistry registry) {
        return new RouterMetricsHolder(new RouterMetrics(registry));
    }

    /** Shows the maps once the router is there. */
    @Bean
    SmartInitializingSingleton shardMapMeters(RouterMetricsHolder holder, ShardRouter router) {
        return () -> holder.metrics().watch(router);
    }

    /** Hides the listener from the router, which adds listeners that are beans: it must be told once only. */
    record RouterMetricsHolder(RouterMetrics metrics) {}
}

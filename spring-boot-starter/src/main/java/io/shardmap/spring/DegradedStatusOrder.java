package io.shardmap.spring;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** Tells Spring Boot's health, unless the application says otherwise, that DEGRADED is worse than UP and better than DOWN. */
final class DegradedStatusOrder implements EnvironmentPostProcessor {
    private static final Map<String, Object> DEFAULTS =
            Map.of("management.endpoint.health.status.order", "down,out-of-service,degraded,up,unknown");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        environment.getPropertySources().addLast(new MapPropertySource("shardmapDefaults", DEFAULTS));
    }
}

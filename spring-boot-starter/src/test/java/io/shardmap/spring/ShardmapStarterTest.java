package io.shardmap.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.shardmap.frameworks.ShardedBooks;
import io.shardmap.jdbc.RouterListener;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.jdbc.pool.DataSourceDecorator;
import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.health.DataSourceHealthContributorAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The starter in application contexts, on real servers. */
class ShardmapStarterTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("map", "left", "right");

    private static final String INSERT = "insert into book (id, check_digit, title) values (?, ?, 'x')";

    private ShardedBooks books;

    @BeforeEach
    void open() throws SQLException {
        books = new ShardedBooks(servers);
    }

    @AfterEach
    void close() {
        books.close();
    }

    private String[] properties() {
        return new String[] {
            "shardmap.map.name=books",
            "shardmap.map.url=" + books.mapUrl(),
            "shardmap.map.username=" + books.user(),
            "shardmap.map.password=" + books.password(),
            "shardmap.username=" + books.user(),
            "shardmap.password=" + books.password(),
            "shardmap.pool.maximum-pool-size=4",
            "shardmap.servers.right.username=" + books.user(),
            "shardmap.servers.right.password=" + books.password(),
            "shardmap.servers.right.pool.maximum-pool-size=2",
            "shardmap.cache.refresh-interval=100ms"
        };
    }

    private ApplicationContextRunner context() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        ShardmapAutoConfiguration.class,
                        ShardmapHealthAutoConfiguration.class,
                        ShardmapFlywayAutoConfiguration.class,
                        ShardmapMetricsAutoConfiguration.class,
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        DataSourceHealthContributorAutoConfiguration.class))
                .withPropertyValues(properties());
    }

    @Test
    void thereIsOneDataSourceAndItRoutesByTheKeyInScope() {
        context().run(context -> {
            assertThat(context).hasSingleBean(DataSource.class);
            JdbcTemplate template = context.getBean(JdbcTemplate.class);
            ShardKeys keys = context.getBean(ShardKeys.class);
            keys.with(6, () -> template.update(INSERT, 1, 6));
            int updated = keys.with(7, () -> template.update(INSERT, 2, 7));
            assertThat(updated).isOne();
            keys.with(6, () -> keys.with(keys.current(), () -> template.update(INSERT, 3, 6)));
            assertThat(keys.current()).isNull();
            assertThat(books.count("left")).isEqualTo(2);
            assertThat(books.count("right")).isEqualTo(1);
            try (FanOutResult all = context.getBean(FanOut.class).query("select count(*) from book")) {
                assertThat(all.resultSet().next()).isTrue();
                assertThat(all.resultSet().getLong(1)).isEqualTo(3);
            }
            ShardRouter router = context.getBean(ShardRouter.class);
            assertThat(router.pools().pool(router.map("books").server("left")).getMaximumPoolSize())
                    .isEqualTo(4);
            assertThat(router.pools().pool(router.map("books").server("right")).getMaximumPoolSize())
                    .isEqualTo(2);
        });
    }

    @Test
    void withoutTheMapsNameNothingIsMade() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ShardmapAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(DataSource.class));
    }

    @Test
    void anApplicationsOwnDataSourceIsLeftAlone() {
        DataSource own = new org.postgresql.ds.PGSimpleDataSource();
        context().withBean("own", DataSource.class, () -> own).run(context -> {
            assertThat(context.getBean(DataSource.class)).isSameAs(own);
            assertThat(context).hasSingleBean(ShardRouter.class);
        });
    }

    @Test
    void aMissingUrlAndAMissingKeySayWhatToDo() {
        for (String url : List.of("", "  ")) {
            context()
                    .withPropertyValues("shardmap.map.url=" + url)
                    .run(context -> assertThat(context.getStartupFailure())
                            .rootCause()
                            .hasMessageContaining("shardmap.map.url must be set"));
        }
        context().run(context -> {
            JdbcTemplate template = context.getBean(JdbcTemplate.class);
            assertThatThrownBy(() -> template.queryForList("select 1"))
                    .rootCause()
                    .hasMessageContaining("must have a sharding key");
            assertThatThrownBy(() -> context.getBean(ShardKeys.class).with("six", () -> {}))
                    .isInstanceOf(InvalidShardKeyException.class);
        });
    }

    @Test
    void aKeyThatChangesInsideATransactionJoinsItOrIsAnError() {
        context().run(context -> {
            JdbcTemplate template = context.getBean(JdbcTemplate.class);
            ShardKeys keys = context.getBean(ShardKeys.class);
            PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
            TransactionTemplate transaction = new TransactionTemplate(manager);
            TransactionTemplate own = new TransactionTemplate(manager);
            own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

            assertThatThrownBy(() -> keys.with(
                            6,
                            () -> transaction.executeWithoutResult(status -> {
                                template.update(INSERT, 1, 6);
                                keys.with(7, () -> template.update(INSERT, 2, 7));
                            })))
                    .hasRootCauseInstanceOf(io.shardmap.ShardMapException.class)
                    .rootCause()
                    .hasMessageContaining("must not change inside a transaction");
            assertThat(books.count("left") + books.count("right")).isZero();

            keys.with(
                    6,
                    () -> transaction.executeWithoutResult(status -> {
                        template.update(INSERT, 1, 6);
                        keys.with(8, () -> template.update(INSERT, 2, 8));
                        template.update(INSERT, 3, 6);
                        keys.with(7, () -> own.executeWithoutResult(inner -> template.update(INSERT, 4, 7)));
                    }));
            assertThat(books.count("left")).isEqualTo(3);
            assertThat(books.count("right")).isEqualTo(1);

            transaction.executeWithoutResult(status -> keys.with(9, () -> template.update(INSERT, 5, 9)));
            assertThat(books.count("right")).isEqualTo(2);
        });
    }

    @Test
    void aConnectionThatIsKeptOutsideOfATransactionFollowsTheKey() {
        context().run(context -> {
            ShardKeys keys = context.getBean(ShardKeys.class);
            KeyedDataSource keyed = context.getBean(DataSource.class).unwrap(KeyedDataSource.class);
            keys.with(6, () -> {
                try (var connection = keyed.getConnection();
                        var left = connection.prepareStatement("insert into book values (1, 6, 'x')")) {
                    left.executeUpdate();
                    keys.with(7, () -> {
                        try (var right = connection.prepareStatement("insert into book values (2, 7, 'x')")) {
                            right.executeUpdate();
                        } catch (SQLException e) {
                            throw new AssertionError(e);
                        }
                    });
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(books.count("left")).isOne();
            assertThat(books.count("right")).isOne();
        });
    }

    private static Health health(CompositeHealthContributor contributor, String name) {
        return ((HealthIndicator) contributor.getContributor(name)).health();
    }

    @Test
    void healthHasAnEntryPerServerAndOneThatIsAwayIsDegraded() {
        context().run(context -> {
            CompositeHealthContributor db = context.getBean("dbHealthContributor", CompositeHealthContributor.class);
            assertThat(db.stream().map(entry -> entry.name())).containsExactly("map-database", "left", "right");
            assertThat(health(db, "left").getStatus()).isEqualTo(Status.UP);
            assertThat(health(db, "left").getDetails()).containsEntry("virtualShards", 5);
            assertThat(health(db, "map-database").getStatus()).isEqualTo(Status.UP);
        });
        context()
                .withPropertyValues(
                        "shardmap.servers.right.username=nobody",
                        "shardmap.servers.right.password=wrong",
                        "shardmap.servers.right.pool.connection-timeout=250ms")
                .withBean(
                        ShardRouterCustomizer.class,
                        () -> builder -> builder.pool(pool -> {
                            if (pool.getPoolName().equals("shardmap-right")) {
                                pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/away");
                            }
                        }))
                .run(context -> {
                    CompositeHealthContributor db =
                            context.getBean("dbHealthContributor", CompositeHealthContributor.class);
                    assertThat(health(db, "right").getStatus()).isEqualTo(ShardmapHealth.DEGRADED);
                    assertThat(health(db, "right").getDetails()).containsKey("error");
                    assertThat(health(db, "right").toString()).doesNotContain("wrong");
                    assertThat(health(db, "left").getStatus()).isEqualTo(Status.UP);
                });
    }

    @Test
    void aMapDatabaseThatIsAwayIsDownUntilTheMapIsKnown() {
        context()
                .withPropertyValues("shardmap.map.url=jdbc:postgresql://127.0.0.1:1/away")
                .run(context -> {
                    CompositeHealthContributor db =
                            context.getBean("dbHealthContributor", CompositeHealthContributor.class);
                    assertThat(db.stream().map(entry -> entry.name())).containsExactly("map-database");
                    assertThat(health(db, "map-database").getStatus()).isEqualTo(Status.DOWN);
                });
    }

    @EnableAutoConfiguration
    static class Application {}

    @Test
    void aWholeApplicationStartsAndCountsDegradedBetweenUpAndDown() {
        SpringApplication application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(properties())
                .properties("spring.flyway.enabled=false", "spring.main.banner-mode=off")
                .build();
        try (ConfigurableApplicationContext context = application.run()) {
            assertThat(context.getBeansOfType(DataSource.class)).hasSize(1);
            assertThat(context.getEnvironment().getProperty("management.endpoint.health.status.order"))
                    .isEqualTo("down,out-of-service,degraded,up,unknown");
            assertThat(context.getBeansOfType(CompositeHealthContributor.class))
                    .containsOnlyKeys("dbHealthContributor");
            ShardKeys keys = context.getBean(ShardKeys.class);
            keys.with(6, () -> context.getBean(JdbcTemplate.class).update(INSERT, 1, 6));
        }
    }

    @Test
    void flywayIsKeptOffTheShardedDataSource() {
        context()
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("Flyway must not run on the sharded data source"));
        context()
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withPropertyValues("spring.flyway.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void metersOfRouterAndPoolsAreThereWhenThereIsARegistry() {
        context().withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            ShardKeys keys = context.getBean(ShardKeys.class);
            keys.with(6, () -> context.getBean(JdbcTemplate.class).update(INSERT, 1, 6));
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("shardmap.resolve")
                            .tag("outcome", "hit")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("shardmap.shards")
                            .tag("server", "left")
                            .gauge()
                            .value())
                    .isEqualTo(5);
            assertThat(registry.get("hikaricp.connections.max")
                            .tag("pool", "shardmap-left")
                            .gauge()
                            .value())
                    .isEqualTo(4);
        });
    }

    @Test
    void beansOfTheApplicationReachTheRouter() {
        List<String> seen = new CopyOnWriteArrayList<>();
        RouterListener listener = new RouterListener() {
            @Override
            public void resolved(String map, Resolution resolution, long nanos) {
                seen.add("resolved " + resolution);
            }
        };
        context()
                .withBean(RouterListener.class, () -> listener)
                .withBean(DataSourceDecorator.class, () -> (server, pool) -> {
                    seen.add("decorated " + server.name());
                    return pool;
                })
                .run(context -> {
                    context.getBean(ShardKeys.class)
                            .with(6, () -> context.getBean(JdbcTemplate.class).update(INSERT, 1, 6));
                    assertThat(seen).contains("resolved HIT", "decorated left");
                });
    }

    @Test
    void settersOfPropertiesHaveMetadataAndSecretsAreNotPrinted() throws Exception {
        try (var metadata = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(metadata).isNotNull();
            assertThat(new String(metadata.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .contains("shardmap.map.url", "shardmap.pool.maximum-pool-size", "shardmap.metrics.enabled");
        }
        context()
                .withPropertyValues("shardmap.servers.left.username=u", "shardmap.servers.left.password=hidden!")
                .run(context -> assertThat(
                                context.getBean(ShardmapProperties.class).toString())
                        .doesNotContain("hidden!"));
        assertThat(new InvalidShardKeyException(new SQLFeatureNotSupportedException("why")))
                .hasMessage("why");
    }
}

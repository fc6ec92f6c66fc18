package io.shardmap.examples.books;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import java.util.UUID;

/** An empty catalogue on three H2 databases of its own. */
final class CatalogueOnH2 implements AutoCloseable {
    final InMemoryServers servers =
            new InMemoryServers(UUID.randomUUID().toString(), List.of("bookdbshard0", "bookdbshard1", "bookdbshard2"));
    final HikariDataSource mapDatabase = servers.databases().openMapDatabase();
    final ShardRouter router;
    final BookCatalog catalogue;

    CatalogueOnH2() {
        CatalogueDatabases databases = servers.databases();
        JdbcShardMapStore store = new JdbcShardMapStore(mapDatabase);
        try (ServerPools pools = databases.operatorPools()) {
            new CatalogueSetup(mapDatabase, databases, store, pools).run();
        }
        router = ShardRouter.builder(store).credentials(databases.user(), null).build();
        catalogue = new BookCatalog(router, databases.sql());
    }

    @Override
    public void close() {
        router.close();
        mapDatabase.close();
        servers.close();
    }
}

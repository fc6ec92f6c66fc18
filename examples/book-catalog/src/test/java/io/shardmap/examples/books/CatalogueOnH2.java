package io.shardmap.examples.books;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.store.JdbcShardMapStore;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** An empty catalogue on three H2 databases of its own. */
final class CatalogueOnH2 implements AutoCloseable {
    final InMemoryServers servers =
            new InMemoryServers(UUID.randomUUID().toString(), List.of("bookdbshard0", "bookdbshard1", "bookdbshard2"));
    final HikariDataSource mapDatabase = servers.databases().openMapDatabase();
    final ShardRouter router;
    final BookCatalog catalogue;

    CatalogueOnH2() throws SQLException {
        CatalogueDatabases databases = servers.databases();
        new CatalogueSetup(mapDatabase, databases).run();
        router = ShardRouter.builder(new JdbcShardMapStore(mapDatabase))
                .credentials(databases.user(), null)
                .build();
        catalogue = new BookCatalog(router, databases.sql());
    }

    @Override
    public void close() {
        router.close();
        mapDatabase.close();
        servers.close();
    }
}

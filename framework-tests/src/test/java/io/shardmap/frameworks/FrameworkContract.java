package io.shardmap.frameworks;

import io.shardmap.jdbc.ShardDataSource;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.testkit.PostgresServers;
import java.sql.JDBCType;
import java.sql.SQLException;
import java.sql.ShardingKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;
import org.springframework.jdbc.datasource.ShardingKeyProvider;

/** A sharded data source behind Spring's own adapter, whose key is a field: what frameworks that take a data source work on. */
abstract class FrameworkContract implements ShardingKeyProvider {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("map", "left", "right");

    ShardedBooks books;
    ShardRouter router;
    ShardDataSource sharded;
    ShardingKeyDataSourceAdapter keyed;
    private ShardingKey key;

    @BeforeEach
    void open() throws SQLException {
        books = new ShardedBooks(servers);
        router = books.router().pool(pool -> pool.setMaximumPoolSize(3)).build();
        sharded = router.dataSource(ShardedBooks.MAP);
        keyed = new ShardingKeyDataSourceAdapter(sharded, this);
    }

    @AfterEach
    void close() {
        router.close();
        books.close();
    }

    /** Makes a digit the key of what follows. */
    void use(int digit) throws SQLException {
        key = sharded.createShardingKeyBuilder().subkey(digit, JDBCType.INTEGER).build();
    }

    void useNone() {
        key = null;
    }

    @Override
    public ShardingKey getShardingKey() {
        return key;
    }
}

package io.shardmap.migrate;

import io.shardmap.testkit.PostgresServers;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresShardMapSchemaTest extends ShardMapSchemaContract {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("shardmap");

    @Override
    TestDatabases databases() {
        return new TestDatabases.Postgres(servers.get(0));
    }
}

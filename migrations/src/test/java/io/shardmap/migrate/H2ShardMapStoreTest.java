package io.shardmap.migrate;

class H2ShardMapStoreTest extends ShardMapStoreContract {

    @Override
    TestDatabases databases() {
        return new TestDatabases.H2();
    }
}

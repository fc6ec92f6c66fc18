package io.shardmap.migrate;

class H2ShardMapSchemaTest extends ShardMapSchemaContract {

    @Override
    TestDatabases databases() {
        return new TestDatabases.H2();
    }
}

package io.shardmap.migrate;

class H2StrategyStoreTest extends StrategyStoreContract {

    @Override
    TestDatabases databases() {
        return new TestDatabases.H2();
    }
}

package io.shardmap.examples.books;

/** Databases that live as long as a demo. */
sealed interface DemoServers extends AutoCloseable permits EmbeddedServers, InMemoryServers {

    /** Returns where they are. */
    CatalogueDatabases databases();

    @Override
    void close();
}

package io.shardmap.examples.books;

import io.shardmap.Server;
import java.util.List;

/** H2 databases in the memory of this process. */
final class InMemoryServers implements DemoServers {
    private final String prefix;
    private final List<String> names;

    /** @param prefix tells the databases of several demos in one process apart */
    InMemoryServers(String prefix, List<String> names) {
        this.prefix = prefix;
        this.names = List.copyOf(names);
    }

    @Override
    public CatalogueDatabases databases() {
        return new CatalogueDatabases(
                url("shardmap"),
                names.stream().map(name -> new Server(name, url(name))).toList(),
                "sa",
                CatalogueSql.H2);
    }

    private String url(String name) {
        return "jdbc:h2:mem:" + prefix + "-" + name + ";DB_CLOSE_DELAY=-1";
    }

    @Override
    public void close() {}
}

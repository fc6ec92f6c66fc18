/** The shard-map model, its strategies, the resolver and the store. */
module io.shardmap.core {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires com.github.benmanes.caffeine;
    requires org.slf4j;

    exports io.shardmap;
    exports io.shardmap.key;
    exports io.shardmap.strategy;
    exports io.shardmap.resolve;
    exports io.shardmap.store;
}

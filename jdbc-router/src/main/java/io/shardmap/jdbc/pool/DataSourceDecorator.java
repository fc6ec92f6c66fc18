package io.shardmap.jdbc.pool;

import io.shardmap.Server;
import javax.sql.DataSource;

/**
 * Puts something in front of the pool of a server, such as tracing or a log of statements. This is the place for it: what wraps the
 * sharded data source itself usually drops the JDBC 4.3 methods that carry the key. Connections must unwrap to the driver's own.
 */
@FunctionalInterface
public interface DataSourceDecorator {
    /** Leaves pools as they are, the default. */
    DataSourceDecorator NONE = (server, pool) -> pool;

    /** Returns what connections to the server are taken from; called once per pool. The pool stays the router's to close. */
    DataSource decorate(Server server, DataSource pool);

    /** Returns a decorator that puts another one in front of this one. */
    default DataSourceDecorator then(DataSourceDecorator outer) {
        return (server, pool) -> outer.decorate(server, decorate(server, pool));
    }
}

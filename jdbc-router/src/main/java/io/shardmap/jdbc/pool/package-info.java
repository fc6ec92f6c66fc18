/** One connection pool per server, made on first use. */
@NullMarked
package io.shardmap.jdbc.pool;

import org.jspecify.annotations.NullMarked;

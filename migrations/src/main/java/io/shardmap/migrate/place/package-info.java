/** What brings a server, a table or a virtual shard into a shard map. */
@NullMarked
package io.shardmap.migrate.place;

import org.jspecify.annotations.NullMarked;

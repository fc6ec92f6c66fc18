/** What a server knows of its virtual shards: the objects installed there, and how a transaction is admitted, per database product. */
@NullMarked
package io.shardmap.jdbc.server;

import org.jspecify.annotations.NullMarked;

/** Which rows of PostgreSQL tables changed, as its write-ahead log tells, and what they are now. */
@NullMarked
package io.shardmap.migrate.changes;

import org.jspecify.annotations.NullMarked;

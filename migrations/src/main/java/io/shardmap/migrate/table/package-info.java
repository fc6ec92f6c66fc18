/** What a server says of a table: its columns, what it references, what would fire. Shared by registration and by moves. */
@NullMarked
package io.shardmap.migrate.table;

import org.jspecify.annotations.NullMarked;

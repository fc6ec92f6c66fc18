/** The application's own schema scripts, brought to all servers. */
@NullMarked
package io.shardmap.migrate.schema;

import org.jspecify.annotations.NullMarked;

/** SQL texts as planners see them: tokens, and the list of expressions that mean the same on every server. For planners, not for applications. */
@NullMarked
package io.shardmap.jdbc.sql;

import org.jspecify.annotations.NullMarked;

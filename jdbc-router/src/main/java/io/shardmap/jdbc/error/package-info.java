/** The refusals of the model as standard JDBC exceptions, so that Spring and others translate them. */
@NullMarked
package io.shardmap.jdbc.error;

import org.jspecify.annotations.NullMarked;

/** One class per verb: parse, call the library, print. Common options are mixins. */
@NullMarked
package io.shardmap.cli.command;

import org.jspecify.annotations.NullMarked;

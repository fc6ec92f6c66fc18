/** The {@code shardmap} command: the root of its verbs, and where the process starts. */
@NullMarked
package io.shardmap.cli;

import org.jspecify.annotations.NullMarked;

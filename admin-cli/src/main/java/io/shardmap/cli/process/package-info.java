/** What a command finds around it, and how it ends: exit codes, and errors without secrets. */
@NullMarked
package io.shardmap.cli.process;

import org.jspecify.annotations.NullMarked;

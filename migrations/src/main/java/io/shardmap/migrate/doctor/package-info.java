/**
 * Finds what does not fit together in map, servers and replication, and names the command that mends it. {@link
 * io.shardmap.migrate.doctor.FactsReader} asks everybody once; checks then only think.
 */
@NullMarked
package io.shardmap.migrate.doctor;

import org.jspecify.annotations.NullMarked;

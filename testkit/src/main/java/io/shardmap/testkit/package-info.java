/**
 * Real PostgreSQL servers for tests, N of them in one line, and a proxy that makes their network slow or breaks it.
 *
 * <p>Start with {@link io.shardmap.testkit.PostgresServers}; {@link io.shardmap.testkit.DelayingProxy} goes in front of
 * a server. What runs the servers (embedded binaries, Testcontainers, or servers you already have) is a setting and
 * stays hidden behind these types.
 */
@NullMarked
package io.shardmap.testkit;

import org.jspecify.annotations.NullMarked;

package io.shardmap.jdbc.server;

/**
 * What a server says of one virtual shard.
 *
 * @param virtualShard number of the virtual shard
 * @param epoch the highest epoch the server ever saw for it
 * @param owned whether the server owns it, fenced or not
 * @param holdsCopies whether rows of it may be here although the server does not own it
 */
public record OwnershipRow(int virtualShard, long epoch, boolean owned, boolean holdsCopies) {}

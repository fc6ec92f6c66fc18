package io.shardmap;

/**
 * Where a key lives, as one generation of a shard map says: what a router needs to open a connection and what the server needs to
 * check it.
 *
 * @param map name of the map
 * @param mapNumber number of the map, part of its lock keys
 * @param virtualShard number of the virtual shard
 * @param epoch epoch at which the server is asked for the virtual shard
 * @param server the server that holds it
 * @param generation generation of the map that said so
 */
public record Route(String map, int mapNumber, int virtualShard, long epoch, Server server, long generation) {}

package io.shardmap.migrate.move;

/** The virtual shard that a mover changes, as servers number it. */
record Place(String mapName, int map, int virtualShard) {
    @Override
    public String toString() {
        return mapName + "/" + virtualShard;
    }
}

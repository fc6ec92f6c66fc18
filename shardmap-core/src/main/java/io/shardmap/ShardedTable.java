package io.shardmap;

import org.jspecify.annotations.Nullable;

/**
 * A table whose rows are split by virtual shard. Names are stored exactly as the database folds them.
 *
 * <p>The shard column holds what {@link ShardMap#virtualShardOf} returns for the row's key, whatever the map's strategy.
 *
 * @param schema schema of the table, or null for the first one on the search path
 * @param name table name, unquoted
 * @param shardColumn integer column that holds the number of the row's virtual shard, unquoted
 */
public record ShardedTable(@Nullable String schema, String name, String shardColumn) {

    /**
     * Validates the parts.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when a name is blank
     */
    public ShardedTable {
        if (name.isBlank() || shardColumn.isBlank() || (schema != null && schema.isBlank())) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "sharded table needs a name and a shard column: schema=" + schema + ", name=" + name
                            + ", shardColumn=" + shardColumn);
        }
    }

    /** Reads {@code table} or {@code schema.table}. */
    public static ShardedTable parse(String qualifiedName, String shardColumn) {
        int dot = qualifiedName.indexOf('.');
        return dot < 0
                ? new ShardedTable(null, qualifiedName, shardColumn)
                : new ShardedTable(qualifiedName.substring(0, dot), qualifiedName.substring(dot + 1), shardColumn);
    }

    /** Returns {@code table} or {@code schema.table}, unquoted, for people. */
    public String qualifiedName() {
        return schema == null ? name : schema + "." + name;
    }

    /** Returns the quoted name for SQL. */
    public String sql() {
        return schema == null ? quote(name) : quote(schema) + "." + quote(name);
    }

    /** Returns the quoted shard column for SQL. */
    public String columnSql() {
        return quote(shardColumn);
    }

    /** Quotes an identifier for SQL, so that any name is safe. */
    public static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}

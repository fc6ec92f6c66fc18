package io.shardmap;

import org.jspecify.annotations.Nullable;

/**
 * A table of which every server has a full copy. Names are stored exactly as the database folds them.
 *
 * @param schema schema of the table, or null for the first one on the search path
 * @param name table name, unquoted
 */
public record ReferenceTable(@Nullable String schema, String name) {

    /**
     * Validates the parts.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when a name is blank
     */
    public ReferenceTable {
        if (name.isBlank() || (schema != null && schema.isBlank())) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION, "reference table needs a name: schema=" + schema + ", name=" + name);
        }
    }

    /** Reads {@code table} or {@code schema.table}. */
    public static ReferenceTable parse(String qualifiedName) {
        int dot = qualifiedName.indexOf('.');
        return dot < 0
                ? new ReferenceTable(null, qualifiedName)
                : new ReferenceTable(qualifiedName.substring(0, dot), qualifiedName.substring(dot + 1));
    }

    /** Returns {@code table} or {@code schema.table}, unquoted, for people. */
    public String qualifiedName() {
        return schema == null ? name : schema + "." + name;
    }
}

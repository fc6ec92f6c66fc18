package io.shardmap;

/**
 * Stable codes of everything Shardmap refuses. The name of a constant is the code: it is never renamed or reused.
 */
public enum ErrorCode {
    /** The key belongs to no virtual shard of the map. */
    UNMAPPED_KEY(Category.CALLER),
    /** The key's Java type or value does not fit the map's key type or key function. */
    INVALID_KEY(Category.CALLER),
    /** No map of this name is in the shard-map database. */
    UNKNOWN_MAP(Category.CALLER),
    /** No server of this name is in the shard-map database. */
    UNKNOWN_SERVER(Category.CALLER),
    /** The map needs a format, strategy or key function that this version does not know. */
    UNSUPPORTED_MAP(Category.CALLER),
    /** A definition or argument breaks a rule of the model. */
    INVALID_DEFINITION(Category.CALLER),
    /** The statement or call cannot be executed correctly, so it is not executed. */
    NOT_SUPPORTED(Category.CALLER),
    /** A move cannot start or go on; every reason is in the message. */
    PREFLIGHT(Category.CALLER),
    /** Source and target of a move differ. Nothing is lost: the source serves as before. */
    VERIFICATION(Category.CALLER),
    /** A server refused a statement that Shardmap itself sent. */
    STEP_FAILED(Category.CALLER),
    /** Somebody else changed the same thing first; nothing was changed. */
    CONCURRENT_CHANGE(Category.TRANSIENT),
    /** The shard-map database cannot be read or written. */
    STORE_UNAVAILABLE(Category.TRANSIENT),
    /** The virtual shard is changing server and did not open again in time. */
    SHARD_MOVING(Category.TRANSIENT),
    /** A server cannot be reached or refuses connections. */
    SERVER_UNAVAILABLE(Category.TRANSIENT),
    /** A query over several servers did not finish in time. */
    DEADLINE_EXCEEDED(Category.TRANSIENT),
    /** An invariant of Shardmap itself is broken; please report it. */
    INTERNAL(Category.INTERNAL);

    /** Who can do something about it. */
    public enum Category {
        /** The caller: repeating the call unchanged fails again. */
        CALLER,
        /** Time: the same call may succeed later. */
        TRANSIENT,
        /** The developers of Shardmap. */
        INTERNAL
    }

    private final Category category;

    ErrorCode(Category category) {
        this.category = category;
    }

    /** Returns who can do something about it. */
    public Category category() {
        return category;
    }
}

package io.shardmap.migrate.move;

/** The boundaries between the steps of a move, in their usual order: where a test lets a mover die or pause. */
public enum CrashPoint {
    /** Planned; no lease yet. */
    BEFORE_LEASE,
    /** Holds the lease, not yet a token. */
    AFTER_LEASE,
    /** Its token is on the source. */
    AFTER_SOURCE_TOKEN,
    /** Its token is on both servers. */
    AFTER_TARGET_TOKEN,
    /** The conditions were checked again. */
    AFTER_PREFLIGHT,
    /** COPYING is recorded, nothing was changed on the target. */
    BEFORE_PREPARE,
    /** The target says that it holds copies. */
    AFTER_PREPARE,
    /** The source is fenced. */
    AFTER_FENCE,
    /** A batch of copies was committed on the target. */
    AFTER_BATCH,
    /** All rows were copied. */
    AFTER_COPY,
    /** Source and target were compared, VERIFIED is not recorded. */
    AFTER_COMPARE,
    /** VERIFIED is recorded. */
    AFTER_VERIFIED,
    /** Holds the exclusive locks of the source. */
    BEFORE_SWITCH,
    /** The map names the target; the source is not closed. */
    AFTER_SWITCH,
    /** The source is closed in a transaction that is not committed. */
    BEFORE_CLOSE_COMMIT,
    /** The source is closed. */
    AFTER_CLOSE,
    /** The target is open, CLEANING is not recorded. */
    AFTER_OPEN,
    /** CLEANING is recorded. */
    BEFORE_GRACE,
    /** The grace is over, nothing was removed. */
    BEFORE_CLEAN,
    /** A batch of the source's rows was removed. */
    AFTER_CLEAN_BATCH,
    /** The source says that it holds no copies. */
    AFTER_CLEAN,
    /** DONE is recorded. */
    AFTER_DONE,
    /** ABORTING is recorded. */
    BEFORE_REOPEN,
    /** The source is open again. */
    AFTER_REOPEN,
    /** The copies were removed from the target. */
    AFTER_CLEAR,
    /** ABORTED is recorded. */
    AFTER_ABORTED
}

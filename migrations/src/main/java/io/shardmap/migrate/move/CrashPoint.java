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
    /** The fence is about to be prolonged; reached by a thread of its own. */
    BEFORE_FENCE_RENEWAL,
    /** The name of publication, slot and subscription is in the journal (online method, as the other points that name them). */
    AFTER_STREAM_RECORDED,
    /** The source has the publication. */
    AFTER_PUBLICATION,
    /** The source has the slot, and keeps its write-ahead log. */
    AFTER_SLOT,
    /** A batch of copies was committed on the target. */
    AFTER_BATCH,
    /** All rows were copied. */
    AFTER_COPY,
    /** The target has the subscription. */
    AFTER_SUBSCRIPTION,
    /** The stream has caught up. */
    AFTER_CATCH_UP,
    /** Source and target were compared, VERIFIED is not recorded. */
    AFTER_COMPARE,
    /** The name of the stream back is in the journal (reversible moves, as the other points that name the way back). */
    AFTER_BACK_RECORDED,
    /** The target has the publication of the way back. */
    AFTER_BACK_PUBLICATION,
    /** The target has the slot of the way back, and keeps its write-ahead log. */
    AFTER_BACK_SLOT,
    /** VERIFIED is recorded. */
    AFTER_VERIFIED,
    /** Holds the exclusive locks of the source; the stream may not have delivered everything. */
    BEFORE_DRAIN,
    /** Holds the exclusive locks of the source, and the target has everything. */
    BEFORE_SWITCH,
    /** The map names the target; the source is not closed. */
    AFTER_SWITCH,
    /** The source is closed in a transaction that is not committed. */
    BEFORE_CLOSE_COMMIT,
    /** The source is closed. */
    AFTER_CLOSE,
    /** The position is recorded from which changes go back; the target is not open. */
    AFTER_BACK_POSITION,
    /** The target is open, CLEANING is not recorded. */
    AFTER_OPEN,
    /** A stream is being removed: nobody subscribes any more. */
    AFTER_SUBSCRIPTION_DROPPED,
    /** It has no slot. */
    AFTER_SLOT_DROPPED,
    /** It has no publication. */
    AFTER_PUBLICATION_DROPPED,
    /** The slot of the way back begins at its position, durably. */
    AFTER_BACK_BEGUN,
    /** The source has the subscription of the way back. */
    AFTER_BACK_SUBSCRIPTION,
    /** REVERSIBLE is recorded: no mover is needed. */
    AFTER_REVERSIBLE,
    /** REVERSING is recorded. The way back passes the points of the cut-over and of cleaning again, with the servers' parts exchanged. */
    AFTER_REVERSING,
    /** The way back was given up, IRREVERSIBLE is recorded. */
    AFTER_IRREVERSIBLE,
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

package io.shardmap.jdbc.server;

/** The transaction state of a physical connection, as far as its driver tells. */
public enum TransactionStatus {
    /** No transaction is open. */
    IDLE,
    /** A transaction is open. */
    OPEN,
    /** A transaction is open and can only be rolled back. */
    FAILED,
    /** The driver does not tell. */
    UNKNOWN
}

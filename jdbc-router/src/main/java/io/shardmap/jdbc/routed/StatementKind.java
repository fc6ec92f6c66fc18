package io.shardmap.jdbc.routed;

import java.util.Set;

/** What a SQL text is to a routed connection. */
enum StatementKind {
    /** One query that is proven to write nothing by its tokens. */
    READ,
    /** One statement of any other kind; it runs in a transaction that entered its virtual shard. */
    OTHER,
    /** Several statements in one text; none of them controls the transaction. */
    SEVERAL,
    /** BEGIN, COMMIT, ROLLBACK and their relatives: sent as they are. */
    TRANSACTION_CONTROL,
    /** A savepoint: the virtual shard is entered first, or rolling back would drop its lock. */
    SAVEPOINT,
    /** SET TRANSACTION or SET LOCAL: sent as it is, and again when the transaction starts over on another server. */
    PREAMBLE,
    /** Changes the session: sent as it is; the connection stays on its server from then on. */
    SESSION,
    /** Leaves objects behind that only this session sees, in a transaction that entered its virtual shard. */
    SESSION_OBJECT,
    /** Cannot run inside a transaction, so ownership cannot be proven for it. */
    OUTSIDE_TRANSACTION,
    /** Several statements that also control the transaction. */
    SEVERAL_WITH_CONTROL;

    private static final Set<String> CONTROL =
            Set.of("BEGIN", "START", "COMMIT", "END", "ABORT", "ROLLBACK", "SAVEPOINT", "RELEASE");
    private static final Set<String> SESSION_WORDS =
            Set.of("SET", "RESET", "LISTEN", "UNLISTEN", "DISCARD", "DEALLOCATE", "LOAD");
    private static final Set<String> OUTSIDE = Set.of(
            "VACUUM", "CREATE DATABASE", "DROP DATABASE", "ALTER SYSTEM", "CREATE TABLESPACE", "DROP TABLESPACE");

    static StatementKind of(SqlScan scan) {
        String first = word(scan, 0);
        String second = word(scan, 1);
        if (scan.statements() > 1) {
            boolean control =
                    CONTROL.contains(first) || scan.laterFirstWords().stream().anyMatch(CONTROL::contains);
            return control ? SEVERAL_WITH_CONTROL : SEVERAL;
        }
        if (first.equals("SAVEPOINT")) {
            return SAVEPOINT;
        }
        if (CONTROL.contains(first)
                || (second.equals("PREPARED") && first.equals("COMMIT"))
                || isPrepareTransaction(first, second)) {
            return TRANSACTION_CONTROL;
        }
        if (first.equals("SET")
                && (second.equals("TRANSACTION") || second.equals("LOCAL") || second.equals("CONSTRAINTS"))) {
            return PREAMBLE;
        }
        if (SESSION_WORDS.contains(first)) {
            return SESSION;
        }
        if (first.equals("PREPARE") || first.equals("DECLARE") || isTemporary(scan)) {
            return SESSION_OBJECT;
        }
        if (OUTSIDE.contains(first) || OUTSIDE.contains(first + " " + second) || scan.concurrently()) {
            return OUTSIDE_TRANSACTION;
        }
        return scan.onlyReads() ? READ : OTHER;
    }

    private static boolean isPrepareTransaction(String first, String second) {
        return first.equals("PREPARE") && second.equals("TRANSACTION");
    }

    private static boolean isTemporary(SqlScan scan) {
        return word(scan, 0).equals("CREATE")
                && scan.words().stream().anyMatch(word -> word.equals("TEMP") || word.equals("TEMPORARY"));
    }

    private static String word(SqlScan scan, int index) {
        return index < scan.words().size() ? scan.words().get(index) : "";
    }
}

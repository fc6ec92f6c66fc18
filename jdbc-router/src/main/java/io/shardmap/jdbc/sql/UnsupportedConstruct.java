package io.shardmap.jdbc.sql;

/** Ends the planning of a query that a fan-out must not run; becomes a refusal, so nobody outside sees it. */
public final class UnsupportedConstruct extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String construct;
    private final String advice;

    /** Names what is refused and what to do instead. */
    public UnsupportedConstruct(String construct, String advice) {
        super(construct, null, false, false);
        this.construct = construct;
        this.advice = advice;
    }

    /** Returns what is refused. */
    public String construct() {
        return construct;
    }

    /** Returns what to do instead. */
    public String advice() {
        return advice;
    }
}

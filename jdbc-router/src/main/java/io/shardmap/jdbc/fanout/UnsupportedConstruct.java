package io.shardmap.jdbc.fanout;

/** Ends the planning of a query that a fan-out must not run; becomes a {@link FanOutPlan.Refusal}, so nobody outside sees it. */
final class UnsupportedConstruct extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String construct;
    private final String advice;

    UnsupportedConstruct(String construct, String advice) {
        super(construct, null, false, false);
        this.construct = construct;
        this.advice = advice;
    }

    String construct() {
        return construct;
    }

    String advice() {
        return advice;
    }
}

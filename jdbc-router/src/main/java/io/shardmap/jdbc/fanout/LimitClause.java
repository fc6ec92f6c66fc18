package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.fanout.RowLimit.Absent;
import io.shardmap.jdbc.fanout.RowLimit.Literal;
import io.shardmap.jdbc.fanout.RowLimit.Operand;
import io.shardmap.jdbc.fanout.RowLimit.Parameter;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads LIMIT, OFFSET and FETCH FIRST at the end of a query, in any order; each once, with a number, a parameter, NULL or ALL. */
final class LimitClause {
    private final List<SqlToken> tokens;
    private int at;
    private int parameters;
    private @Nullable Operand limit;
    private @Nullable Operand offset;

    private LimitClause(List<SqlToken> tokens, int parametersBefore) {
        this.tokens = tokens;
        this.parameters = parametersBefore;
    }

    static RowLimit parse(List<SqlToken> tokens, int parametersBefore) {
        LimitClause clause = new LimitClause(tokens, parametersBefore);
        while (clause.at < tokens.size()) {
            clause.next();
        }
        return new RowLimit(
                clause.limit == null ? new Absent() : clause.limit,
                clause.offset == null ? new Absent() : clause.offset);
    }

    private void next() {
        if (skip("LIMIT")) {
            setLimit(skip("ALL") ? new Absent() : operand());
        } else if (skip("OFFSET")) {
            if (offset != null) {
                throw unsupported();
            }
            offset = operand();
            skipRows();
        } else if (skip("FETCH")) {
            if (!skip("FIRST") && !skip("NEXT")) {
                throw unsupported();
            }
            setLimit(skipRows() ? new Literal(1) : operandAndRows());
            if (!skip("ONLY")) {
                throw unsupported();
            }
        } else {
            throw unsupported();
        }
    }

    private void setLimit(Operand operand) {
        if (limit != null) {
            throw unsupported();
        }
        limit = operand;
    }

    private Operand operandAndRows() {
        Operand operand = operand();
        if (!skipRows()) {
            throw unsupported();
        }
        return operand;
    }

    private Operand operand() {
        if (at >= tokens.size()) {
            throw unsupported();
        }
        if (skip("NULL")) {
            return new Absent();
        }
        SqlToken token = tokens.get(at++);
        if (token.kind() == Kind.PARAMETER) {
            return new Parameter(++parameters);
        }
        try {
            return new Literal(Long.parseLong(token.text()));
        } catch (NumberFormatException notANumber) {
            throw unsupported();
        }
    }

    private boolean skipRows() {
        return skip("ROWS") || skip("ROW");
    }

    private boolean skip(String word) {
        boolean found = at < tokens.size() && tokens.get(at).is(word);
        if (found) {
            at++;
        }
        return found;
    }

    private static UnsupportedConstruct unsupported() {
        return new UnsupportedConstruct(
                "LIMIT, OFFSET or FETCH in an unusual form",
                "write LIMIT and OFFSET once each, with a number >= 0 or a ? parameter, after ORDER BY");
    }
}

package io.shardmap.query;

import io.shardmap.jdbc.sql.SqlLexer;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.TokenMgrException;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.select.Select;

/**
 * A statement that only reads: its tokens say what is there, its tree what that means.
 *
 * @param text the text without comments
 * @param tokens its tokens
 * @param select its tree
 */
record ParsedQuery(String text, List<SqlToken> tokens, Select select) {
    private static final String ONLY_READS =
            "a query only reads: write through router.openConnection(map, key), one shard at a time, or with FanOut.update,"
                    + " which is not atomic over servers";
    private static final Set<String> WRITES =
            Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "COPY", "CALL", "DO");
    private static final Set<String> LOCK_STRENGTHS = Set.of("UPDATE", "SHARE", "NO", "KEY");
    private static final Map<String, String> REFUSED_WORDS = Map.of(
            "INTO",
            "a fan-out only reads: remove it",
            "TABLESAMPLE",
            "a sample of each server is not a sample of all rows: filter instead",
            "ONLY",
            "a sharded table is one table: remove it");

    static ParsedQuery of(String sql) {
        SqlLexer.Lexed lexed = SqlLexer.lex(sql);
        requireReading(lexed.tokens());
        return new ParsedQuery(lexed.text(), lexed.tokens(), parse(lexed.text()));
    }

    private static void requireReading(List<SqlToken> tokens) {
        if (tokens.isEmpty()) {
            throw new UnsupportedConstruct("empty statement", "write a SELECT");
        }
        SqlToken first = tokens.get(0);
        if (!first.is("SELECT") && !first.is("WITH") && !first.isSymbol('(')) {
            throw new UnsupportedConstruct(
                    first.upperCase(), WRITES.contains(first.upperCase()) ? ONLY_READS : "write a SELECT");
        }
        for (int i = 1; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            SqlToken before = tokens.get(i - 1);
            if (token.kind() != Kind.WORD || before.isSymbol('.')) {
                continue;
            }
            String word = token.upperCase();
            if (WRITES.contains(word) && before.isSymbol('(')) {
                throw new UnsupportedConstruct(word + " inside a query", ONLY_READS);
            }
            boolean lock = word.equals("FOR")
                    && i + 1 < tokens.size()
                    && LOCK_STRENGTHS.contains(tokens.get(i + 1).upperCase());
            if (lock) {
                throw new UnsupportedConstruct(
                        "FOR UPDATE or another locking clause", "a fan-out takes no row locks: remove it");
            }
            String advice =
                    word.equals("ONLY") && !before.is("FROM") && !before.is("JOIN") ? null : REFUSED_WORDS.get(word);
            if (advice != null) {
                throw new UnsupportedConstruct(word, advice);
            }
        }
    }

    private static Select parse(String text) {
        Statement statement;
        try {
            statement = CCJSqlParserUtil.newParser(text).Statement();
        } catch (ParseException | TokenMgrException unreadable) {
            throw new UnsupportedConstruct(
                    "SQL that the parser cannot read (" + firstLine(unreadable) + ")",
                    "correct it; if a server understands it, simplify it or route it by key to one shard, which passes any"
                            + " SQL through");
        }
        if (statement instanceof Select select) {
            return select;
        }
        throw new UnsupportedConstruct(statement.getClass().getSimpleName(), ONLY_READS);
    }

    private static String firstLine(Throwable unreadable) {
        String message = String.valueOf(unreadable.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end).strip();
    }

    /** Returns the text from one token to another, as written. */
    String text(List<SqlToken> part) {
        return part.isEmpty()
                ? ""
                : text.substring(part.get(0).start(), part.get(part.size() - 1).end());
    }

    static int parameters(List<SqlToken> part) {
        return (int)
                part.stream().filter(token -> token.kind() == Kind.PARAMETER).count();
    }
}

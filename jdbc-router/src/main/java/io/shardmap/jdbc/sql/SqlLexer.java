package io.shardmap.jdbc.sql;

import io.shardmap.jdbc.sql.SqlToken.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a SQL text into tokens and drops its comments. What PostgreSQL, H2 and the parser might read differently is refused here, so that
 * pieces of the text can be put together again without changing what they mean.
 */
public final class SqlLexer {
    private static final String ADVICE = "write the query without it, or run it on one shard";

    private final String sql;
    private final StringBuilder text = new StringBuilder();
    private final List<SqlToken> tokens = new ArrayList<>();
    private int at;
    private int depth;

    private SqlLexer(String sql) {
        this.sql = sql;
    }

    /** Returns the tokens; their positions are those in the text that {@link Lexed#text()} gives. */
    public static Lexed lex(String sql) {
        SqlLexer lexer = new SqlLexer(sql);
        lexer.run();
        return new Lexed(lexer.text.toString(), List.copyOf(lexer.tokens));
    }

    /**
     * A text without comments and without the semicolon at its end, and its tokens.
     *
     * @param text the text
     * @param tokens all tokens in order
     */
    public record Lexed(String text, List<SqlToken> tokens) {}

    private void run() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (Character.isWhitespace(c)) {
                text.append(c);
                at++;
            } else if (sql.startsWith("--", at)) {
                skipLine();
            } else if (sql.startsWith("/*", at)) {
                skipBlock();
            } else if (c == ';') {
                requireEnd();
            } else {
                token(c);
            }
        }
    }

    private void token(char c) {
        if (c == '\'') {
            add(Kind.STRING, endOfQuoted(at, '\'', false));
        } else if (c == '"') {
            add(Kind.QUOTED, endOfQuoted(at, '"', false));
        } else if (c == '?') {
            parameter();
        } else if (Character.isDigit(c)
                || (c == '.' && at + 1 < sql.length() && Character.isDigit(sql.charAt(at + 1)))) {
            add(Kind.NUMBER, endOfNumber());
        } else if (Character.isLetter(c) || c == '_') {
            word();
        } else {
            symbol(c);
        }
    }

    private void word() {
        int end = at;
        while (end < sql.length() && isWordPart(sql.charAt(end))) {
            end++;
        }
        boolean quoteFollows = end < sql.length() && sql.charAt(end) == '\'';
        if (quoteFollows && end == at + 1) {
            boolean escapes = Character.toLowerCase(sql.charAt(at)) == 'e';
            add(Kind.STRING, endOfQuoted(end, '\'', escapes));
        } else if (end == at + 1 && Character.toLowerCase(sql.charAt(at)) == 'u' && sql.startsWith("&", end)) {
            throw new UnsupportedConstruct("U& literal", ADVICE);
        } else {
            add(Kind.WORD, end);
        }
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }

    private int endOfNumber() {
        int end = at;
        while (end < sql.length()) {
            char c = sql.charAt(end);
            boolean exponentSign = (c == '+' || c == '-') && Character.toLowerCase(sql.charAt(end - 1)) == 'e';
            if (!isWordPart(c) && c != '.' && !(exponentSign && end > at)) {
                break;
            }
            end++;
        }
        return end;
    }

    private int endOfQuoted(int open, char quote, boolean escapes) {
        int i = open + 1;
        while (i < sql.length()) {
            char c = sql.charAt(i);
            if (escapes && c == '\\') {
                i++;
            } else if (c == quote) {
                if (i + 1 >= sql.length() || sql.charAt(i + 1) != quote) {
                    return i + 1;
                }
                i++;
            }
            i++;
        }
        throw new UnsupportedConstruct("quote without an end", "close it");
    }

    private void parameter() {
        char next = at + 1 < sql.length() ? sql.charAt(at + 1) : ' ';
        if (next == '?' || Character.isDigit(next)) {
            throw new UnsupportedConstruct("?" + next, "use plain ? parameters");
        }
        add(Kind.PARAMETER, at + 1);
    }

    private void symbol(char c) {
        switch (c) {
            case '$' -> throw new UnsupportedConstruct("dollar sign", "use ? parameters and '...' strings");
            case '`', '{', '}', '\\' -> throw new UnsupportedConstruct("character " + c, ADVICE);
            case ':' -> {
                if (!sql.startsWith("::", at)) {
                    throw new UnsupportedConstruct("named parameter or slice", "use ? parameters");
                }
                add(Kind.SYMBOL, at + 2);
            }
            case '(', '[' -> {
                add(Kind.SYMBOL, at + 1);
                depth++;
            }
            case ')', ']' -> {
                depth--;
                if (depth < 0) {
                    throw new UnsupportedConstruct("closing parenthesis without an opening one", "remove it");
                }
                add(Kind.SYMBOL, at + 1);
            }
            default -> add(Kind.SYMBOL, at + 1);
        }
    }

    private void add(Kind kind, int end) {
        String written = sql.substring(at, end);
        int start = text.length();
        text.append(written);
        tokens.add(new SqlToken(kind, written, start, text.length(), depth));
        at = end;
    }

    private void skipLine() {
        int end = sql.indexOf('\n', at);
        at = end < 0 ? sql.length() : end;
        text.append(' ');
    }

    private void skipBlock() {
        int open = 0;
        do {
            if (sql.startsWith("/*", at)) {
                open++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                open--;
                at += 2;
            } else if (at++ >= sql.length()) {
                throw new UnsupportedConstruct("comment without an end", "close it");
            }
        } while (open > 0);
        text.append(' ');
    }

    private void requireEnd() {
        if (!sql.substring(at + 1).isBlank()) {
            throw new UnsupportedConstruct("several statements in one text", "send them one by one");
        }
        at = sql.length();
    }
}

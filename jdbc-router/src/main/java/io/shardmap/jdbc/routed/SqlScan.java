package io.shardmap.jdbc.routed;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What the tokens of a SQL text show without parsing it: its first words, how many statements it holds, which names it mentions, and
 * whether it is a query that calls nothing unknown.
 *
 * <p>Why tokens and not a syntax tree: the proof that a text only reads must hold for every construct, also for those a parser models in
 * a node nobody visits. In SQL a function is called only as {@code name (}, so a text whose every such name is on the list of {@link
 * ReadOnlyFunctions}, and which has none of the words that lock, write or create, cannot write. Cost: one pass over the text, cached
 * by text.
 *
 * @param words the first words of the first statement, upper case, at most four
 * @param statements number of statements that are not empty
 * @param laterFirstWords first words of the statements after the first
 * @param onlyReads whether the text is one query that neither writes, locks nor calls an unknown function
 * @param names all unquoted (lower case) and quoted names in the text
 * @param concurrently whether the word CONCURRENTLY occurs
 */
record SqlScan(
        List<String> words,
        int statements,
        Set<String> laterFirstWords,
        boolean onlyReads,
        Set<String> names,
        boolean concurrently) {

    private static final Set<String> QUERY_STARTS = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    /** Words that make a query more than a read. */
    private static final Set<String> NOT_A_READ = Set.of(
            "INSERT",
            "UPDATE",
            "DELETE",
            "MERGE",
            "INTO",
            "SHARE",
            "LOCK",
            "CALL",
            "NEXTVAL",
            "OPERATOR",
            "TABLESAMPLE");

    static SqlScan of(String sql) {
        return new Scanner(sql).scan();
    }

    /** One pass over one text. */
    private static final class Scanner {
        private final String sql;
        private int at;
        private final List<String> words = new ArrayList<>();
        private final Set<String> laterFirstWords = new HashSet<>();
        private final Set<String> names = new HashSet<>();
        private int statements;
        private boolean inStatement;
        private boolean onlyReads = true;
        private boolean concurrently;
        private String lastWord = "";
        private boolean qualified;
        private boolean wordJustEnded;

        Scanner(String sql) {
            this.sql = sql;
        }

        SqlScan scan() {
            while (at < sql.length()) {
                char c = sql.charAt(at);
                if (Character.isWhitespace(c)) {
                    at++;
                } else if (c == '-' && next(1) == '-') {
                    skipLineComment();
                } else if (c == '/' && next(1) == '*') {
                    skipBlockComment();
                } else {
                    token(c);
                }
            }
            boolean query = !words.isEmpty() && QUERY_STARTS.contains(words.get(0));
            return new SqlScan(
                    List.copyOf(words),
                    statements,
                    Set.copyOf(laterFirstWords),
                    query && statements == 1 && onlyReads,
                    Set.copyOf(names),
                    concurrently);
        }

        private void token(char c) {
            if (c == ';') {
                inStatement = false;
                wordJustEnded = false;
                at++;
                return;
            }
            boolean first = !inStatement;
            if (first) {
                inStatement = true;
                statements++;
            }
            if (Character.isJavaIdentifierStart(c) && c != '$') {
                word(first);
            } else if (c == '\'') {
                skipQuoted('\'', false);
                wordJustEnded = false;
            } else if (c == '"') {
                int start = at;
                skipQuoted('"', false);
                names.add(sql.substring(start + 1, Math.max(start + 1, at - 1)).replace("\"\"", "\""));
                lastWord = "\"";
                wordJustEnded = true;
            } else if (c == '$' && dollarQuoted()) {
                wordJustEnded = false;
            } else {
                symbol(c);
            }
        }

        private void symbol(char c) {
            if (c == '(') {
                boolean call = wordJustEnded && (qualified || !ReadOnlyFunctions.allows(lastWord));
                onlyReads &= !call;
            }
            // a parenthesis in front of the first word belongs to a parenthesised query
            qualified = c == '.';
            wordJustEnded = false;
            at++;
        }

        private void word(boolean first) {
            int start = at;
            while (at < sql.length() && Character.isJavaIdentifierPart(sql.charAt(at))) {
                at++;
            }
            String text = sql.substring(start, at);
            if (at < sql.length() && sql.charAt(at) == '\'' && text.length() == 1) {
                // E'..', B'..', X'..', N'..': a string with a prefix
                skipQuoted('\'', text.equalsIgnoreCase("E"));
                wordJustEnded = false;
                return;
            }
            String upper = text.toUpperCase(Locale.ROOT);
            if (statements == 1 && words.size() < 4) {
                words.add(upper);
            } else if (statements > 1 && first) {
                laterFirstWords.add(upper);
            }
            onlyReads &= !NOT_A_READ.contains(upper);
            // FOR UPDATE is caught by UPDATE, FOR SHARE by SHARE; FOR NO KEY UPDATE and FOR KEY SHARE by the same words
            concurrently |= upper.equals("CONCURRENTLY");
            names.add(text.toLowerCase(Locale.ROOT));
            boolean afterDot = qualified;
            lastWord = upper;
            qualified = afterDot;
            wordJustEnded = true;
        }

        private char next(int offset) {
            return at + offset < sql.length() ? sql.charAt(at + offset) : 0;
        }

        private void skipLineComment() {
            while (at < sql.length() && sql.charAt(at) != '\n') {
                at++;
            }
        }

        private void skipBlockComment() {
            int depth = 0;
            do {
                if (next(0) == '/' && next(1) == '*') {
                    depth++;
                    at += 2;
                } else if (next(0) == '*' && next(1) == '/') {
                    depth--;
                    at += 2;
                } else {
                    at++;
                }
            } while (depth > 0 && at < sql.length());
        }

        private void skipQuoted(char quote, boolean backslashEscapes) {
            at++;
            while (at < sql.length()) {
                char c = sql.charAt(at++);
                if (c == '\\' && quote == '\'') {
                    // with standard_conforming_strings off a backslash would escape: not proven either way
                    onlyReads &= backslashEscapes;
                    if (backslashEscapes) {
                        at++;
                    }
                } else if (c == quote) {
                    if (next(0) != quote) {
                        return;
                    }
                    at++;
                }
            }
        }

        private boolean dollarQuoted() {
            int end = sql.indexOf('$', at + 1);
            if (end < 0) {
                return false;
            }
            for (int i = at + 1; i < end; i++) {
                boolean ok = i == at + 1
                        ? Character.isJavaIdentifierStart(sql.charAt(i))
                        : Character.isJavaIdentifierPart(sql.charAt(i));
                if (!ok) {
                    return false;
                }
            }
            String tag = sql.substring(at, end + 1);
            int close = sql.indexOf(tag, end + 1);
            at = close < 0 ? sql.length() : close + tag.length();
            return true;
        }
    }
}

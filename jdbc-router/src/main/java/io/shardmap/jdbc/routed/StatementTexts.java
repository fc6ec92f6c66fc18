package io.shardmap.jdbc.routed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What is known of each SQL text, computed once and cached by text. Safe for use by many threads. */
final class StatementTexts {
    private static final int MAXIMUM_TEXTS = 4_096;

    private final Cache<String, Text> texts = Caffeine.newBuilder()
            .maximumSize(MAXIMUM_TEXTS)
            .executor(Runnable::run)
            .build();

    Text of(String sql) {
        return texts.get(sql, Text::new);
    }

    /** One text. */
    static final class Text {
        private static final int UNKNOWN = 0;
        private static final int PLAIN_TABLES = 1;
        private static final int VIEWS = 2;

        private final String sql;
        private final SqlScan scan;
        private final StatementKind kind;
        private final AtomicInteger relations = new AtomicInteger(UNKNOWN);
        /** One text per form, kept so that the driver's own cache finds it by an equal string that has its hash already. */
        private final Map<Form, String> prepared = new ConcurrentHashMap<>(4);

        private Text(String sql) {
            this.sql = sql;
            this.scan = SqlScan.of(sql);
            this.kind = StatementKind.of(scan);
        }

        String sql() {
            return sql;
        }

        /** Returns the text to prepare in a form. */
        String prepared(Form form) {
            String text = prepared.get(form);
            if (text == null) {
                text = form.prepared(sql);
                prepared.put(form, text);
            }
            return text;
        }

        StatementKind kind() {
            return kind;
        }

        /** Returns whether the text opens a transaction by hand. */
        boolean beginsTransaction() {
            return kind == StatementKind.TRANSACTION_CONTROL
                    && (scan.words().get(0).equals("BEGIN")
                            || scan.words().get(0).equals("START"));
        }

        /**
         * Returns whether the text may be read without a lock: its tokens show a read, and none of its names is a view, which could
         * hide anything. The server is asked once per text.
         */
        boolean readsPlainTables(Connection physical) throws SQLException {
            if (kind != StatementKind.READ) {
                return false;
            }
            if (relations.get() == UNKNOWN) {
                relations.set(mentionsViews(physical) ? VIEWS : PLAIN_TABLES);
            }
            return relations.get() == PLAIN_TABLES;
        }

        private boolean mentionsViews(Connection physical) throws SQLException {
            try (PreparedStatement statement = physical.prepareStatement("""
                    select exists (select 1 from pg_catalog.pg_class
                        where relname = any (?) and relnamespace <> 'pg_catalog'::regnamespace
                            and (relkind in ('v', 'f') or relhasrules))
                    """)) {
                statement.setArray(
                        1, physical.createArrayOf("text", scan.names().toArray()));
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getBoolean(1);
                }
            }
        }
    }
}

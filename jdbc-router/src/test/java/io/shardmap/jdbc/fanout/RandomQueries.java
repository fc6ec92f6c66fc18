package io.shardmap.jdbc.fanout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes queries of the allowed grammar over the table of {@link DifferentialTest}. The same seed makes the same query. */
final class RandomQueries {
    /**
     * A query.
     *
     * @param sql its text
     * @param parameters its parameters
     * @param total whether its order is total, so that the whole answer is determined
     * @param limited whether it has LIMIT or OFFSET
     * @param visibleKeys numbers of the result's columns that are the first sort keys
     */
    record Query(String sql, List<Object> parameters, boolean total, boolean limited, List<Integer> visibleKeys) {}

    private final Random random;
    private final List<String> columns;
    private final List<String> conditions;
    private final List<Object> parameters = new ArrayList<>();

    RandomQueries(long seed, List<String> columns, List<String> conditions) {
        this.random = new Random(seed);
        this.columns = columns;
        this.conditions = conditions;
    }

    Query next() {
        if (random.nextInt(8) == 0) {
            String counted = random.nextBoolean() ? "*" : pick(columns);
            return new Query("select count(" + counted + ") from book" + where(), parameters, true, false, List.of());
        }
        List<String> items = new ArrayList<>();
        boolean star = random.nextInt(6) == 0;
        if (star) {
            items.add("*");
        }
        for (int i = random.nextInt(4); i >= 0 && !star; i--) {
            String column = pick(columns);
            if (!items.contains(column)) {
                items.add(column);
            }
        }
        String sql = "select " + String.join(", ", items) + " from book" + where();
        List<String> keys = new ArrayList<>();
        List<Integer> visible = new ArrayList<>();
        boolean allVisible = !star;
        for (int i = random.nextInt(4); i > 0; i--) {
            String column = pick(columns);
            int item = items.indexOf(column);
            boolean byNumber = item >= 0 && random.nextInt(3) == 0;
            keys.add((byNumber ? String.valueOf(item + 1) : column)
                    + pick(List.of("", " asc", " desc"))
                    + pick(List.of("", "", " nulls first", " nulls last")));
            allVisible = allVisible && item >= 0;
            if (allVisible) {
                visible.add(item + 1);
            }
        }
        boolean total = !keys.isEmpty() && random.nextInt(3) > 0;
        if (total) {
            keys.add("id" + (random.nextBoolean() ? "" : " desc"));
        }
        if (!keys.isEmpty()) {
            sql += " order by " + String.join(", ", keys);
        }
        String limit = limit();
        return new Query(sql + limit, parameters, total, !limit.isEmpty(), List.copyOf(visible));
    }

    private String where() {
        if (random.nextInt(3) == 0) {
            return "";
        }
        String condition = condition();
        while (random.nextInt(3) == 0) {
            condition += (random.nextBoolean() ? " or " : " and ") + condition();
        }
        return " where " + condition;
    }

    private String condition() {
        String condition = pick(conditions);
        if (condition.contains("?")) {
            parameters.add(random.nextInt(240));
        }
        return condition;
    }

    private String limit() {
        return switch (random.nextInt(6)) {
            case 0 -> " limit " + random.nextInt(60);
            case 1 -> " offset " + random.nextInt(60);
            case 2 -> {
                parameters.add(random.nextInt(60));
                parameters.add(random.nextInt(60));
                yield " limit ? offset ?";
            }
            case 3 -> " offset 2 rows fetch first " + random.nextInt(90) + " rows only";
            default -> "";
        };
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}

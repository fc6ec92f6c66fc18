package io.shardmap.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes queries over the tables of {@link ShardedAndSingle}. The same seed makes the same query. */
final class RandomQueries {
    /**
     * A query.
     *
     * @param sql its text
     * @param parameters its parameters
     * @param ordered whether its order determines the whole answer
     * @param limited whether it has LIMIT or OFFSET without determining which rows those are
     */
    record Query(String sql, List<Object> parameters, boolean ordered, boolean limited) {}

    private static final List<String> COLUMNS = List.of(
            "small", "pages", "big", "price", "ratio", "author", "title", "printed", "seen", "sold", "ref", "pad",
            "vs");
    private static final List<String> NUMBERS =
            List.of("small", "pages", "big", "price", "weight", "small + 1", "b.pages");
    private static final List<String> CONDITIONS = List.of(
            "b.id < ?",
            "b.id >= ?",
            "b.small = 3",
            "b.small is null",
            "b.author in ('a', 'ä')",
            "not b.sold",
            "b.price > 1",
            "b.vs <> 2",
            "b.id < 0",
            "(b.big is null or b.ratio > 0)",
            "b.price between -1 and 4",
            "b.id % 5 = 2",
            "b.seen is not distinct from null",
            "b.vs in (0, 3, 6, 9)",
            "coalesce(b.small, 9) > 5");

    private final Random random;
    private final List<Object> parameters = new ArrayList<>();

    RandomQueries(long seed) {
        this.random = new Random(seed * 7919 + 13);
    }

    Query next() {
        return switch (random.nextInt(10)) {
            case 0 -> aggregate();
            case 1, 2, 3 -> grouped();
            case 4 -> distinct();
            case 5 -> join();
            case 6 -> nested();
            case 7 -> window();
            case 8 -> having();
            default -> sets();
        };
    }

    private Query aggregate() {
        return query("select " + list(1 + random.nextInt(4), this::aggregateCall) + " from book b" + where(), true);
    }

    private Query grouped() {
        List<String> keys = distinctOf(COLUMNS, 1 + random.nextInt(3));
        boolean hide = random.nextInt(4) == 0 && keys.size() > 1;
        List<String> shown = hide ? keys.subList(1, keys.size()) : keys;
        String items = String.join(", ", shown)
                + (random.nextInt(5) == 0 ? "" : ", " + list(1 + random.nextInt(3), this::aggregateCall));
        String groupBy = hide || random.nextBoolean() ? String.join(", ", keys) : positions(keys.size());
        String sql = "select " + items + " from book b" + where() + " group by " + groupBy;
        boolean ordered = random.nextBoolean();
        if (ordered) {
            List<String> by = new ArrayList<>();
            for (String key : keys) {
                by.add(key + pick(List.of("", " desc", " asc nulls first", " desc nulls last")));
            }
            sql += " order by " + String.join(", ", by);
        }
        return limited(sql, ordered);
    }

    private Query distinct() {
        List<String> items = distinctOf(COLUMNS, 1 + random.nextInt(3));
        String sql = "select distinct " + String.join(", ", items) + " from book b" + where();
        boolean ordered = random.nextBoolean();
        return limited(sql + (ordered ? " order by " + positions(items.size()) : ""), ordered);
    }

    private Query having() {
        String key = pick(COLUMNS);
        return query(
                "select " + key + ", "
                        + pick(List.of(
                                "avg(price)",
                                "count(distinct small)",
                                "stddev(pages)",
                                "sum(price) + 1",
                                "coalesce(sum(small), 0)",
                                "string_agg(pad, ',' order by id)",
                                "count(*) filter (where sold)"))
                        + " from book b" + where() + " group by " + key
                        + pick(List.of("", " having count(*) > 2", " having max(id) > 50")),
                false);
    }

    private Query join() {
        String kind = pick(List.of("join", "left join", "right join", "full join"));
        String columns = pick(List.of(
                "b.id, s.n",
                "b.author, s.amount, s.buyer",
                "s.*, b.title",
                "b.*",
                "count(*), sum(s.amount)",
                "count(b)"));
        String from = pick(List.of(" shop.sale s on s.book = b.id", " shop.sale s on s.vs = b.vs and s.n = b.id"));
        return query("select " + columns + " from book b " + kind + from + where(), columns.startsWith("count"));
    }

    private Query nested() {
        return query(
                pick(List.of(
                        "select id, title from book b where id = (select max(id) from book)",
                        "select count(*) from (select distinct author from book) x",
                        "with w as (select author a, sum(pages) p from book b group by author) select a, p from w where p > (select avg(p) from w)",
                        "select b.id from book b where exists (select 1 from shop.sale where sale.book = b.id and amount > 10)",
                        "select b.id, (select sum(amount) from shop.sale s where s.book = b.id) from public.book b where b.vs < 7",
                        "select x.author, x.c from (select author, count(*) c from book group by author) x order by c desc, author collate \"C\"",
                        "select b.title from book b, shop.sale s where b.id = s.book and b.id < 90 and s.amount > 3",
                        "select shop.sale.buyer, max(shop.sale.amount) from shop.sale group by shop.sale.buyer",
                        "select a.id, c.id from book a join book c using (ref) where a.id < c.id and a.vs = 1")),
                false);
    }

    private Query window() {
        return query(
                "select id, "
                        + pick(List.of(
                                "row_number() over (order by id)",
                                "rank() over (partition by author order by pages, id)",
                                "sum(price) over (partition by sold)",
                                "lag(small) over w"))
                        + " from book b" + where() + " window w as (order by id)",
                false);
    }

    private Query sets() {
        String operation = pick(List.of("union", "union all", "intersect", "except"));
        return query(
                "select author, small from book b" + where() + " " + operation + " select pad, vs from book b"
                        + where(),
                false);
    }

    private String aggregateCall() {
        return switch (random.nextInt(6)) {
            case 0 -> "count(*)";
            case 1 -> "count(" + pick(COLUMNS) + ")";
            case 2, 3 -> "sum(" + pick(NUMBERS) + ")" + pick(List.of("", " as total", " x"));
            default ->
                pick(List.of("min", "max")) + "("
                        + pick(List.of(
                                "small", "pages", "big", "price", "weight", "ratio", "author", "title", "printed",
                                "seen", "pad"))
                        + ")";
        };
    }

    private String where() {
        if (random.nextInt(3) == 0) {
            return "";
        }
        String condition = condition();
        while (random.nextInt(3) == 0) {
            condition += pick(List.of(" or ", " and ", " and ")) + condition();
        }
        return " where " + condition;
    }

    private String condition() {
        String condition = pick(CONDITIONS);
        if (condition.contains("?")) {
            parameters.add(random.nextInt(150));
        }
        return condition;
    }

    private Query limited(String sql, boolean ordered) {
        String limit = switch (random.nextInt(6)) {
            case 0 -> " limit " + random.nextInt(20);
            case 1 -> " offset " + random.nextInt(20);
            case 2 -> {
                parameters.add(random.nextInt(20));
                parameters.add(random.nextInt(10));
                yield " limit ? offset ?";
            }
            case 3 -> " offset 2 rows fetch first " + random.nextInt(9) + " rows only";
            default -> "";
        };
        return new Query(sql + limit, parameters, ordered, !limit.isEmpty() && !ordered);
    }

    private Query query(String sql, boolean ordered) {
        return new Query(sql, parameters, ordered, false);
    }

    private List<String> distinctOf(List<String> from, int count) {
        List<String> picked = new ArrayList<>();
        while (picked.size() < count) {
            String one = pick(from);
            if (!picked.contains(one)) {
                picked.add(one);
            }
        }
        return picked;
    }

    private static String positions(int count) {
        List<String> positions = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            positions.add(String.valueOf(i));
        }
        return String.join(", ", positions);
    }

    private static String list(int count, java.util.function.Supplier<String> one) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(one.get());
        }
        return String.join(", ", all);
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}

package io.shardmap.query;

import io.shardmap.jdbc.fanout.SortKey;
import io.shardmap.jdbc.fanout.SqlProduct;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.ArrayList;
import java.util.List;

/**
 * The order in which servers send groups: that of ORDER BY, which must be over group keys, then the group keys that are left. Columns are
 * named by position, which nothing else can mean.
 */
final class GroupOrder {
    private static final String ADVICE = "only an order of group keys is known before all groups are";

    private final SqlProduct product;
    private final GroupItems items;
    private final List<GroupKey> left;

    GroupOrder(SqlProduct product, GroupItems items, List<GroupKey> keys) {
        this.product = product;
        this.items = items;
        this.left = new ArrayList<>(keys);
    }

    List<SortKey> keys(List<List<SqlToken>> orderBy) {
        List<SortKey> sorted = new ArrayList<>();
        List<GroupKey> all = List.copyOf(left);
        for (List<SqlToken> tokens : orderBy) {
            int end = tokens.size();
            boolean nulls = end > 2 && tokens.get(end - 2).is("NULLS");
            boolean first = nulls && tokens.get(end - 1).is("FIRST");
            if (nulls && !first && !tokens.get(end - 1).is("LAST")) {
                throw new UnsupportedConstruct("NULLS in an unusual form", ADVICE);
            }
            end -= nulls ? 2 : 0;
            boolean descending = tokens.get(end - 1).is("DESC");
            if (end > 1 && (descending || tokens.get(end - 1).is("ASC"))) {
                end--;
            }
            GroupKey key = key(tokens.subList(0, end), all);
            if (left.remove(key)) {
                sorted.add(sortKey(key, descending, nulls ? first : product.nullsFirst(descending)));
            }
        }
        left.forEach(key -> sorted.add(sortKey(key, false, product.nullsFirst(false))));
        return List.copyOf(sorted);
    }

    private GroupKey key(List<SqlToken> tokens, List<GroupKey> all) {
        SqlToken only = tokens.size() == 1 ? tokens.get(0) : null;
        int item = -1;
        if (only != null && only.kind() == Kind.NUMBER) {
            item = items.ordinal(only);
        } else if (only != null && only.isName()) {
            List<Integer> named = items.named(only);
            if (named.size() > 1 || named.contains(-1)) {
                throw new UnsupportedConstruct(
                        "ORDER BY " + only.text(), "only the database knows which item that is; give each an alias");
            }
            item = named.isEmpty() ? -1 : named.get(0);
        }
        String normal = items.normal(item < 0 ? tokens : items.tokens(item));
        return all.stream()
                .filter(key -> key.normal().equals(normal))
                .findFirst()
                .orElseThrow(() -> new UnsupportedConstruct("ORDER BY what is no group key", ADVICE));
    }

    private SortKey sortKey(GroupKey key, boolean descending, boolean nullsFirst) {
        int ordinal = key.item() < 0 ? 0 : key.item() + 1;
        String position = String.valueOf(ordinal > 0 ? ordinal : items.size() + key.hidden());
        return new SortKey(key.sql(), position, ordinal, key.hidden(), descending, nullsFirst);
    }
}

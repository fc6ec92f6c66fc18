package io.shardmap.cli.output;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values as text. */
final class Cells {
    private Cells() {}

    /** Returns a value as text; null, and a list of nothing, as null. */
    static @Nullable String text(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] bytes) {
            return "\\x" + HexFormat.of().formatHex(bytes);
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.toPlainString();
        }
        if (value instanceof Duration duration) {
            return seconds(duration);
        }
        if (value instanceof List<?> list) {
            if (list.isEmpty()) {
                return null;
            }
            return list.stream().allMatch(Integer.class::isInstance)
                    ? ranges(list.stream().map(Integer.class::cast).toList())
                    : list.stream().map(Cells::text).collect(Collectors.joining(", "));
        }
        return value.toString();
    }

    /** Returns ascending numbers with runs shortened: {@code 0-2,9}. */
    static String ranges(List<Integer> numbers) {
        StringBuilder text = new StringBuilder();
        int next = 0;
        while (next < numbers.size()) {
            int last = next;
            while (last + 1 < numbers.size() && numbers.get(last + 1) == numbers.get(last) + 1) {
                last++;
            }
            text.append(text.isEmpty() ? "" : ",").append(numbers.get(next));
            if (last > next) {
                text.append(last == next + 1 ? "," : "-").append(numbers.get(last));
            }
            next = last + 1;
        }
        return text.toString();
    }

    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
    }
}

package io.shardmap.cli.command;

import io.shardmap.strategy.Strategy;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Numbers of virtual shards.
 *
 * @param numbers ascending, each once
 */
record ShardNumbers(List<Integer> numbers) {
    ShardNumbers {
        numbers = List.copyOf(numbers);
    }

    /** Reads {@code 0,1,2,9} and {@code 0-10}, and both together. */
    static final class Converter implements ITypeConverter<ShardNumbers> {
        private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

        @Override
        public ShardNumbers convert(String text) {
            TreeSet<Integer> numbers = new TreeSet<>();
            for (String part : text.split(",", -1)) {
                Matcher range = RANGE.matcher(part.strip());
                if (!range.matches()) {
                    throw wrong(text);
                }
                int first = Integer.parseInt(range.group(1));
                int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
                if (last < first || last >= Strategy.MAX_VIRTUAL_SHARDS) {
                    throw wrong(text);
                }
                for (int number = first; number <= last; number++) {
                    numbers.add(number);
                }
            }
            return new ShardNumbers(List.copyOf(numbers));
        }

        private static TypeConversionException wrong(String text) {
            return new TypeConversionException("virtual shards must be numbers from 0 to "
                    + (Strategy.MAX_VIRTUAL_SHARDS - 1) + ", such as 0,1,2,9 or 0-10: virtualShards=" + text);
        }
    }
}

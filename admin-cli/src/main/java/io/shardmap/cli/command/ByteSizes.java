package io.shardmap.cli.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes as people write them: {@code 500KiB}, {@code 20MiB}, {@code 1GiB}, {@code 20MB}. */
final class ByteSizes implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(KiB|MiB|GiB|kB|MB|GB)");

    @Override
    public Long convert(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new TypeConversionException(
                    "size must be a number with KiB, MiB, GiB, kB, MB or GB, such as 20MiB: size=" + text);
        }
        long unit = switch (parts.group(2)) {
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            case "GiB" -> 1L << 30;
            case "kB" -> 1_000L;
            case "MB" -> 1_000_000L;
            default -> 1_000_000_000L;
        };
        return Long.parseLong(parts.group(1)) * unit;
    }
}

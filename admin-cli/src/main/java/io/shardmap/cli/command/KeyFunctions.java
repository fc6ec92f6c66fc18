package io.shardmap.cli.command;

import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Key functions as they are written on the command line. */
final class KeyFunctions implements ITypeConverter<KeyFunction> {
    private static final Pattern COUNTED = Pattern.compile("(mod|identity):(\\d{1,9})");

    @Override
    public KeyFunction convert(String text) {
        if (text.equals("isbn-check-digit")) {
            return new KeyFunction.IsbnCheckDigit();
        }
        Matcher counted = COUNTED.matcher(text);
        if (!counted.matches()) {
            throw new TypeConversionException(
                    "key function must be isbn-check-digit, mod:N or identity:N: function=" + text);
        }
        int virtualShards = Integer.parseInt(counted.group(2));
        return counted.group(1).equals("mod")
                ? new KeyFunction.Modulo(virtualShards)
                : new KeyFunction.Identity(virtualShards);
    }

    /** Returns the function of a map as {@link #convert} reads it, or null when it has none. */
    static @Nullable String text(Strategy strategy) {
        if (!(strategy instanceof Strategy.Lookup lookup)) {
            return null;
        }
        KeyFunction function = lookup.function();
        return function instanceof KeyFunction.IsbnCheckDigit
                ? function.functionName()
                : function.functionName() + ":" + function.virtualShards();
    }
}

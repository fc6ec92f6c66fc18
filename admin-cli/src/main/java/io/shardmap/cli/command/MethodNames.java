package io.shardmap.cli.command;

import io.shardmap.migrate.move.MoveMethod;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the method of a move: {@code portable} or {@code online}. */
final class MethodNames implements ITypeConverter<MoveMethod>, Iterable<String> {
    @Override
    public MoveMethod convert(String text) {
        return Arrays.stream(MoveMethod.values())
                .filter(method -> name(method).equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("method must be portable or online: " + text));
    }

    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(MoveMethod.values()).map(MethodNames::name).iterator();
    }

    private static String name(MoveMethod method) {
        return method.name().toLowerCase(Locale.ROOT);
    }
}

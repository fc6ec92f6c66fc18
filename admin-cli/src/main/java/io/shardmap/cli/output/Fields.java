package io.shardmap.cli.output;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads records by their components. */
final class Fields {
    private Fields() {}

    /** Returns the names of the components that fit into one cell. */
    static List<String> names(Class<? extends Record> type) {
        return flat(type).map(RecordComponent::getName).toList();
    }

    /** Returns the values of the components that fit into one cell. */
    static List<@Nullable Object> values(Record thing) {
        return values(thing, flat(thing.getClass()));
    }

    /** Returns the names of the components that listings for people show. */
    static List<String> columns(Class<? extends Record> type) {
        return listed(type).map(RecordComponent::getName).toList();
    }

    /** Returns the values of the components that listings for people show. */
    static List<@Nullable Object> columnValues(Record thing) {
        return values(thing, listed(thing.getClass()));
    }

    /** Returns the components that are lists of records, by name. */
    static Map<String, List<? extends Record>> nested(Record thing) {
        Map<String, List<? extends Record>> nested = new LinkedHashMap<>();
        for (RecordComponent component : thing.getClass().getRecordComponents()) {
            if (isNested(component) && value(component, thing) instanceof List<?> list) {
                nested.put(
                        component.getName(),
                        list.stream().map(Record.class::cast).toList());
            }
        }
        return nested;
    }

    /** Returns a component's name in words: {@code virtualShards} is {@code virtual shards}. */
    static String words(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    private static Stream<RecordComponent> flat(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents()).filter(component -> !isNested(component));
    }

    private static Stream<RecordComponent> listed(Class<? extends Record> type) {
        return flat(type).filter(component -> !component.isAnnotationPresent(Detail.class));
    }

    private static List<@Nullable Object> values(Record thing, Stream<RecordComponent> components) {
        return Collections.unmodifiableList(Arrays.asList(
                components.map(component -> value(component, thing)).toArray()));
    }

    private static boolean isNested(RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType type
                && type.getRawType() == List.class
                && type.getActualTypeArguments()[0] instanceof Class<?> element
                && Record.class.isAssignableFrom(element);
    }

    private static @Nullable Object value(RecordComponent component, Record thing) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(thing);
        } catch (IllegalAccessException | InvocationTargetException unreadable) {
            throw new IllegalStateException("record must be readable: type=" + thing.getClass(), unreadable);
        }
    }
}

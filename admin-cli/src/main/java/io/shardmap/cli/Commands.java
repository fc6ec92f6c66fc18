package io.shardmap.cli;

import io.shardmap.cli.process.Surroundings;
import java.lang.reflect.Constructor;
import picocli.CommandLine;

/** Makes commands and mixins: with the surroundings if their constructor takes them. */
record Commands(Surroundings surroundings) implements CommandLine.IFactory {

    @Override
    public <K> K create(Class<K> type) throws Exception {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Surroundings.class) {
                constructor.setAccessible(true);
                return type.cast(constructor.newInstance(surroundings));
            }
        }
        return CommandLine.defaultFactory().create(type);
    }
}

package io.shardmap.cli.command;

import io.shardmap.store.ShardMapStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that names a map; not needed while there is one. */
public final class MapChoice {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = {"-m", "--map"},
            paramLabel = "MAP",
            order = -1,
            description = "The shard map. May be left out while there is only one.")
    private @Nullable String map;

    /**
     * Returns the name given, or the name of the only map.
     *
     * @param argument the name if it was given as an argument, or null
     * @throws ParameterException when none was given and there is not exactly one map, or two were given
     */
    public String name(ShardMapStore store, @Nullable String argument) {
        if (map != null && argument != null && !map.equals(argument)) {
            throw new ParameterException(
                    command.commandLine(), "map must be named once: --map=" + map + ", argument=" + argument);
        }
        String given = map == null ? argument : map;
        if (given != null) {
            return given;
        }
        List<String> maps = store.mapNames();
        if (maps.size() == 1) {
            return maps.get(0);
        }
        throw new ParameterException(
                command.commandLine(),
                maps.isEmpty()
                        ? "there is no map yet: create one with `shardmap map create`"
                        : "map must be named while there are several: give --map, one of " + String.join(", ", maps));
    }

    /** Returns the name given by option, or the name of the only map. */
    public String name(ShardMapStore store) {
        return name(store, null);
    }
}

package io.shardmap.store;

import io.shardmap.UnsupportedShardMapException;
import io.shardmap.strategy.KeyFunction;
import org.jspecify.annotations.Nullable;

/**
 * A key function as the catalogue stores it.
 *
 * @param name stored name
 * @param parameter what the function was made with, null when it takes nothing
 * @param version version of its results
 */
record StoredFunction(String name, @Nullable String parameter, int version) {

    static StoredFunction of(KeyFunction function) {
        String parameter =
                function instanceof KeyFunction.IsbnCheckDigit ? null : String.valueOf(function.virtualShards());
        return new StoredFunction(function.functionName(), parameter, function.version());
    }

    /**
     * Returns the function, so exactly the one that was stored.
     *
     * @throws UnsupportedShardMapException when this release has no such function, or another version of it
     */
    KeyFunction toFunction(String map) {
        KeyFunction function = switch (name) {
            case "identity" -> new KeyFunction.Identity(count(map));
            case "mod" -> new KeyFunction.Modulo(count(map));
            case "isbn-check-digit" -> new KeyFunction.IsbnCheckDigit();
            default -> throw unknown(map);
        };
        if (!of(function).equals(this)) {
            throw unknown(map);
        }
        return function;
    }

    private int count(String map) {
        try {
            return Integer.parseInt(String.valueOf(parameter));
        } catch (NumberFormatException notACount) {
            throw unknown(map);
        }
    }

    private UnsupportedShardMapException unknown(String map) {
        return new UnsupportedShardMapException(
                map, "key function " + name + ", parameter " + parameter + ", version " + version);
    }
}

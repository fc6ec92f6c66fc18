package io.shardmap.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Class paths as text. */
final class ClassPath {
    private ClassPath() {}

    /** Returns the parts of a class path, in order. */
    static List<Path> parse(String classPath) {
        return Arrays.stream(classPath.trim().split(Pattern.quote(File.pathSeparator)))
                .filter(part -> !part.isBlank())
                .map(Path::of)
                .toList();
    }
}

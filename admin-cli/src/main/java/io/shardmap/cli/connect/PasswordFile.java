package io.shardmap.cli.connect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A file that holds a password and nothing else; a line break at its end does not count. */
final class PasswordFile {
    private PasswordFile() {}

    static String read(CommandLine command, String option, Path file) {
        try {
            return Files.readString(file).replaceFirst("\\R\\z", "");
        } catch (IOException unreadable) {
            throw new ParameterException(command, option + " must name a readable file: file=" + file, unreadable);
        }
    }
}

package io.shardmap.cli.process;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.util.Map;

/**
 * What a command finds around it, so that tests can put something else there.
 *
 * @param environment environment variables
 * @param in standard input
 * @param out standard output: data, nothing else
 * @param err standard error: progress, hints, questions and errors
 * @param terminal whether a person sits at both ends, so that questions can be asked
 */
public record Surroundings(
        Map<String, String> environment, BufferedReader in, PrintWriter out, PrintWriter err, boolean terminal) {
    /** Copies the environment. */
    public Surroundings {
        environment = Map.copyOf(environment);
    }
}

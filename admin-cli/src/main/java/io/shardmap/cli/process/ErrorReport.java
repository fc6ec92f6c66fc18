package io.shardmap.cli.process;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.testkit.TestkitException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Errors as one line for people, without a stack trace unless it is asked for. */
public final class ErrorReport
        implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {
    private static final int MOST_CAUSES = 20;
    private static final Pattern RULER = Pattern.compile("-{3,}");

    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        error(err, String.valueOf(wrong.getMessage()), "USAGE");
        UnmatchedArgumentException.printSuggestions(wrong, err);
        if (command.getSubcommands().isEmpty()) {
            err.println("see: " + command.getCommandSpec().qualifiedName() + " --help");
        } else {
            err.println();
            command.usage(err);
        }
        err.flush();
        return ExitCodes.USAGE;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof ParameterException wrong) {
            return handleParseException(wrong, new String[0]);
        }
        boolean trace = command.getParseResult().hasMatchedOption("--stacktrace");
        return print(command.getErr(), failure, trace);
    }

    /** Prints a failure and returns the exit code that fits it best. */
    public static int print(PrintWriter err, Exception failure, boolean stackTrace) {
        int exit = ExitCodes.FAILED;
        boolean again = false;
        if (failure instanceof InterruptedException) {
            error(err, "interrupted", "INTERRUPTED");
            exit = ExitCodes.INTERRUPTED;
        } else if (failure instanceof ShardMapException refusal) {
            error(err, message(refusal), refusal.code().name());
            again = refusal.code().category() == ErrorCode.Category.TRANSIENT;
            exit = refusal.code() == ErrorCode.VERIFICATION ? ExitCodes.DRIFT : ExitCodes.FAILED;
        } else if (failure instanceof SQLException sql) {
            Throwable cause = sql.getCause();
            String code = cause instanceof ShardMapException refusal
                    ? refusal.code().name()
                    : "SQLSTATE " + sql.getSQLState();
            error(err, message(sql), code);
            again = sql instanceof SQLTransientException;
        } else if (failure instanceof TestkitException refusal) {
            error(err, message(refusal), refusal.reason().name());
        } else if (failure instanceof IOException || failure instanceof UncheckedIOException) {
            error(err, message(failure), "IO");
        } else {
            error(err, failure.getClass().getSimpleName() + ": " + message(failure), "INTERNAL");
        }
        String reason = reason(failure);
        if (reason != null) {
            err.println("reason: " + Redaction.of(reason.strip()));
        }
        if (again) {
            err.println("the same command may succeed later");
        }
        if (stackTrace) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            err.print(Redaction.of(trace.toString()));
        }
        err.flush();
        return exit;
    }

    private static String message(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getName() : message;
    }

    /** Returns what a driver said first, unless it is in the message already: pools only say that they waited. */
    private static @Nullable String reason(Exception failure) {
        Throwable cause = failure.getCause();
        String reason = null;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (cause instanceof SQLException) {
                reason = cause.getMessage();
            }
            cause = cause.getCause();
        }
        return reason == null || message(failure).contains(reason) ? null : reason;
    }

    /** Prints one failure of several. */
    public static void print(PrintWriter err, String message, String code) {
        error(err, message, code);
        err.flush();
    }

    /** The code ends the first line, where programs look for it; a list of problems follows below. */
    private static void error(PrintWriter err, String message, String code) {
        List<String> lines = Redaction.of(message.strip())
                .lines()
                .filter(line -> !RULER.matcher(line).matches())
                .toList();
        err.println("error: " + (lines.isEmpty() ? "unknown" : lines.get(0)) + " [" + code + "]");
        lines.stream().skip(1).forEach(line -> err.println("  " + line.strip()));
    }
}

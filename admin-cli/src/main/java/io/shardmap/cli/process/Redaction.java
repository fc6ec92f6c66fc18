package io.shardmap.cli.process;

import java.util.regex.Pattern;

/** Takes passwords out of text that quotes what a user or a driver wrote. */
final class Redaction {
    private static final Pattern PARAMETER = Pattern.compile("(?i)\\b(\\w*(?:password|passwd|pwd))=[^&;\\s'\",]*");
    private static final Pattern USER_INFO = Pattern.compile("(//[^/@\\s:]*):[^/@\\s]*@");

    private Redaction() {}

    static String of(String text) {
        return USER_INFO.matcher(PARAMETER.matcher(text).replaceAll("$1=***")).replaceAll("$1:***@");
    }
}

package io.shardmap.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version this was built as. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
            if (file != null) {
                properties.load(file);
            }
        }
        return new String[] {"shardmap " + properties.getProperty("version", "unknown"), "Java " + Runtime.version()};
    }
}

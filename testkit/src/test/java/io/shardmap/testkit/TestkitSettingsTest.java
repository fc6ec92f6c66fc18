package io.shardmap.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardmap.testkit.TestkitException.Reason;
import io.shardmap.testkit.TestkitSettings.Backend;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestkitSettingsTest {
    @Test
    void haveDefaults() {
        TestkitSettings settings = read(Map.of(), Map.of());
        assertEquals(Backend.EMBEDDED, settings.backend());
        assertEquals(List.of(), settings.urls());
        assertEquals("postgres", settings.user());
        assertNull(settings.password());
        assertEquals(0, settings.majorVersion());
        assertEquals("postgres:18", settings.containerImage());
        assertEquals(Path.of(System.getProperty("user.home"), ".cache", "shardmap-testkit"), settings.cacheDirectory());
    }

    @Test
    void preferPropertiesToTheEnvironment() {
        TestkitSettings settings = read(
                Map.of("shardmap.testkit.backend", "Testcontainers", "shardmap.testkit.postgres", "16"),
                Map.of("SHARDMAP_TESTKIT_BACKEND", "external", "SHARDMAP_TESTKIT_PASSWORD", "secret"));
        assertEquals(Backend.TESTCONTAINERS, settings.backend());
        assertEquals("postgres:16", settings.containerImage());
        assertEquals("secret", settings.password());
    }

    @ParameterizedTest
    @CsvSource({"backend, podman", "postgres, 14", "postgres, 19", "postgres, new", "urls, jdbc:h2:mem:x"})
    void refuseWhatTheyDoNotKnow(String name, String value) {
        Map<String, String> properties = Map.of("shardmap.testkit." + name, value);
        TestkitException e = assertThrows(TestkitException.class, () -> read(properties, Map.of()));
        assertEquals(Reason.BAD_SETTING, e.reason());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jdbc:postgresql://db.example:5433/books?ssl=true", "jdbc:postgresql://127.0.0.1:20001/postgres"
            })
    void readUrls(String url) {
        assertEquals(url, JdbcUrl.parse(url).toString());
    }

    @Test
    void readUrlsWithTheDefaultPort() {
        JdbcUrl url = JdbcUrl.parse("jdbc:postgresql://db.example/books");
        assertEquals(5432, url.port());
        assertEquals(
                "jdbc:postgresql://db.example:5432/other",
                url.withDatabase("other").toString());
    }

    @Test
    void showNoPasswordInErrors() {
        TestkitException e =
                assertThrows(TestkitException.class, () -> JdbcUrl.parse("jdbc:postgresql://h:1/?password=secret"));
        assertFalse(String.valueOf(e.getMessage()).contains("secret"));
    }

    private static TestkitSettings read(Map<String, String> properties, Map<String, String> environment) {
        return TestkitSettings.read(properties::get, environment::get);
    }
}

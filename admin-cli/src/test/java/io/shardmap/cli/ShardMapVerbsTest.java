package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The verbs that need nothing but the shard-map database. */
class ShardMapVerbsTest {
    private static final String CREATE = "map create books --key-type string --function isbn-check-digit";

    private final CommandLineUser user = CommandLineUser.ofNewDatabase();

    @Test
    void initCreatesTheTablesAndRepeatsQuietly() {
        JsonNode first = user.done("init -o json").json().get("shardMapDatabase");
        assertEquals(0, first.get("versionBefore").asInt());
        assertTrue(first.get("version").asInt() > 0);

        CommandLineUser.Result second = user.done("init");

        assertTrue(second.out().startsWith("shard-map database is up to date"), second.out());
        assertTrue(second.err().contains("next: shardmap server add"), second.err());
    }

    @Test
    void aDryRunOfInitCreatesNothing() {
        assertTrue(user.done("init --dry-run").out().startsWith("dry run: would create"));

        CommandLineUser.Result list = user.run("map", "list").ended(1);
        assertTrue(list.err().contains("shardmap init"), list.err());
        assertTrue(list.err().contains("[STORE_UNAVAILABLE]"), list.err());
    }

    @Test
    void aMapIsCreatedOnceAndShown() {
        user.done("init");
        assertTrue(user.done(CREATE + " -o json").json().at("/map/created").asBoolean());
        assertFalse(user.done(CREATE + " -o json").json().at("/map/created").asBoolean());

        JsonNode shown = user.done("map show -o json").json().get("map");

        assertEquals("isbn-check-digit", shown.get("function").asString());
        assertEquals(11, shown.get("unassigned").size());
        assertTrue(user.done("map show books").out().contains("unassigned      0-10\n"));
        assertTrue(user.done("map list -o csv").out().endsWith("\nbooks,STRING,lookup,isbn-check-digit,11,0,0,0,1\n"));
    }

    @Test
    void aDryRunCreatesNoMap() {
        user.done("init");
        assertTrue(user.done(CREATE + " --dry-run").out().startsWith("dry run: would create map books"));
        assertEquals(0, user.done("map list -o json").json().get("maps").size());
    }

    @Test
    void anotherDefinitionOfAMapIsRefused() {
        user.done("init");
        user.done(CREATE);
        CommandLineUser.Result again = user.run("map", "create", "books", "--key-type", "long", "--function", "mod:4")
                .ended(1);
        assertTrue(again.err().contains("[INVALID_DEFINITION]"), again.err());
    }

    @Test
    void keyTypeAndFunctionMustFit() {
        user.done("init");
        CommandLineUser.Result refused = user.run(
                        "map", "create", "books", "--key-type", "uuid", "--function", "identity:4")
                .ended(1);
        assertTrue(refused.err().contains("key function must accept"), refused.err());
        CommandLineUser.Result unknown = user.run("map", "create", "b", "--key-type", "long", "--function", "modulo")
                .ended(2);
        assertTrue(unknown.err().contains("mod:N"), unknown.err());
    }

    @Test
    void aMapNeedsNoNameWhileItIsTheOnlyOne() {
        user.done("init");
        assertTrue(user.run("shard", "list").ended(2).err().contains("there is no map yet"));
        user.done(CREATE);
        assertEquals(
                11, user.done("shard list -o json").json().get("virtualShards").size());
        user.done("map create tenants --key-type long --function mod:4");
        assertTrue(user.run("shard", "list").ended(2).err().contains("one of books, tenants"));
        assertEquals(
                4,
                user.done("shard list --map tenants -o json")
                        .json()
                        .get("virtualShards")
                        .size());
    }

    @Test
    void aKeyOfAnUnassignedShardSaysHowToAssignIt() {
        user.done("init");
        user.done(CREATE);
        CommandLineUser.Result located =
                user.run("key", "locate", "books", "978-8-1130-1024-6").ended(1);
        assertTrue(located.err().contains("shardmap shard assign --map books 6"), located.err());
        assertTrue(located.err().contains("[UNMAPPED_KEY]"), located.err());
        assertTrue(user.run("key", "locate", "books", "978-8-1130-1024-7")
                .ended(1)
                .err()
                .contains("[INVALID_KEY]"));
    }

    @Test
    void unknownNamesAreErrorsWithACode() {
        user.done("init");
        user.done(CREATE);
        assertTrue(user.run("map", "show", "nope").ended(1).err().contains("[UNKNOWN_MAP]"));
        assertTrue(user.run("server", "show", "nope").ended(1).err().contains("[UNKNOWN_SERVER]"));
    }

    @Test
    void quietSilencesHintsAndJsonHasNone() {
        assertEquals("", user.done("init --quiet").err());
        assertEquals("", user.done("init -o json").err());
    }
}

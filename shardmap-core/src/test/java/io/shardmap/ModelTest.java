package io.shardmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardmap.VirtualShard.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h/db?user=a&password=b",
                "jdbc:postgresql://h/db?PASSWORD=b",
                "jdbc:postgresql://h/db?sslpassword=b",
                "jdbc:postgresql://a:b@h/db",
                "jdbc:h2:tcp://h/db;PASSWORD=b",
                "postgresql://h/db",
                ""
            })
    void aServerUrlWithASecretOrOfAnotherKindIsRefused(String url) {
        ShardMapException refusal = assertThrows(ShardMapException.class, () -> new Server("s1", url));

        assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code());
        assertFalse(refusal.getMessage().contains("=b"), refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h:5432/db?user=a",
                "jdbc:h2:mem:x",
                "jdbc:postgresql://[::1]:5432/db?sslmode=require"
            })
    void otherServerUrlsAreKeptAsTheyAre(String url) {
        assertEquals(url, new Server("s1", url).url());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "S1", "1s", "s 1", "s'1"})
    void serverNamesFollowTheirRule(String name) {
        assertThrows(ShardMapException.class, () -> new Server(name, null));
    }

    @Test
    void aVirtualShardNamesAServerExactlyWhenItIsAssigned() {
        assertThrows(ShardMapException.class, () -> new VirtualShard(0, null, 1, State.ASSIGNED));
        assertThrows(ShardMapException.class, () -> new VirtualShard(0, null, 1, State.ASSIGNING));
        assertThrows(ShardMapException.class, () -> new VirtualShard(0, "s1", 1, State.UNASSIGNED));
        assertThrows(ShardMapException.class, () -> new VirtualShard(-1, "s1", 1, State.ASSIGNED));
        assertThrows(ShardMapException.class, () -> new VirtualShard(0, "s1", -1, State.ASSIGNED));
    }

    @Test
    void tableNamesAreQuotedSoThatAnyNameIsSafe() {
        assertEquals(
                "\"shop\".\"book\"", ShardedTable.parse("shop.book", "shard").sql());
        assertEquals("\"book\"", ShardedTable.parse("book", "shard").sql());
        assertEquals("\"a\"\"; drop\"", new ShardedTable(null, "a\"; drop", "shard").sql());
        assertThrows(ShardMapException.class, () -> new ShardedTable(null, " ", "shard"));
        assertThrows(ShardMapException.class, () -> new ShardedTable("", "book", "shard"));
    }

    @Test
    void everyErrorCodeSaysWhoCanDoSomething() {
        assertEquals(ErrorCode.Category.TRANSIENT, ErrorCode.STORE_UNAVAILABLE.category());
        assertEquals(ErrorCode.Category.TRANSIENT, ErrorCode.CONCURRENT_CHANGE.category());
        assertEquals(ErrorCode.Category.CALLER, ErrorCode.UNKNOWN_MAP.category());
        assertEquals(ErrorCode.Category.INTERNAL, ErrorCode.INTERNAL.category());
    }
}

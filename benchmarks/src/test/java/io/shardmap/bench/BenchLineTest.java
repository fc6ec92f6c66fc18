package io.shardmap.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The format that other programs read. */
class BenchLineTest {
    @Test
    void isOneLineOfJson() {
        assertEquals(
                "{\"name\":\"point\",\"unit\":\"us/op\",\"better\":\"lower\",\"ours\":12.0,\"raw\":10.0,\"ratio\":1.2,"
                        + "\"target\":1.4,\"met\":true,\"peer\":23.46,\"peerRatio\":2.346}",
                BenchLine.ofRatio("point", "us/op", 12, 10, 1.4, 23.4567).json());
    }

    @Test
    void leavesOutThePeerThatThereIsNot() {
        assertEquals(
                "{\"name\":\"point\",\"unit\":\"us/op\",\"better\":\"lower\",\"ours\":15.0,\"raw\":10.0,\"ratio\":1.5,"
                        + "\"target\":1.4,\"met\":false}",
                BenchLine.ofRatio("point", "us/op", 15, 10, 1.4, null).json());
    }

    @Test
    void aTargetMayBeOfTheValueItself() {
        assertTrue(BenchLine.ofValue("cold", "ms", 300, 100, 300, null).met());
        assertFalse(BenchLine.ofValue("cold", "ms", 301, 100, 300, null).met());
    }

    @Test
    void nothingBesideNothingIsEqual() {
        assertEquals(1, BenchLine.ofValue("alloc", "B/op", 0, 0, 0, null).ratio());
        assertEquals(0, BenchLine.ofValue("alloc", "B/op", 16, 0, 0, null).ratio());
    }

    @Test
    void noiseIsMetWhenTheMachineIsQuietInBothDirections() {
        assertEquals("point-aa", BenchLine.ofNoise("point", "us/op", 10.4, 10).name());
        assertTrue(BenchLine.ofNoise("point", "us/op", 10.4, 10).met());
        assertFalse(BenchLine.ofNoise("point", "us/op", 10.6, 10).met());
        assertFalse(BenchLine.ofNoise("point", "us/op", 9.4, 10).met());
    }
}

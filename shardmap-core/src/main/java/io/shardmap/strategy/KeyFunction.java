package io.shardmap.strategy;

import io.shardmap.key.Isbn;
import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Maps a key to the number of its virtual shard, 0 to {@link #virtualShards()} - 1. Name, parameter and version are stored with the
 * map, so a function's results never change: a change is a new version.
 */
public sealed interface KeyFunction extends VirtualShardFinder {

    /** Returns the stored name, such as {@code isbn-check-digit}. */
    String functionName();

    /** Returns the stored version of the function; 1 for all functions of this release. */
    default int version() {
        return 1;
    }

    /** Returns whether keys of this type can be given to the function. */
    boolean accepts(KeyType type);

    /** The key is the number of the virtual shard. */
    record Identity(int virtualShards) implements KeyFunction {
        /** Validates the count. */
        public Identity {
            Slices.requireCount(virtualShards);
        }

        @Override
        public String functionName() {
            return "identity";
        }

        @Override
        public boolean accepts(KeyType type) {
            return type == KeyType.INTEGER || type == KeyType.LONG;
        }

        @Override
        public int virtualShardOf(long key) {
            return key >= 0 && key < virtualShards ? (int) key : UNMAPPED;
        }

        @Override
        public int virtualShardOf(ShardKey key) {
            return virtualShardOf(((ShardKey.Integral) key).value());
        }
    }

    /**
     * The remainder of the key, never negative: of the number itself, of a UUID as an unsigned 128-bit number, and of the CRC-32
     * (ISO 3309) of a string's UTF-8 bytes.
     */
    record Modulo(int virtualShards) implements KeyFunction {
        /** Validates the count. */
        public Modulo {
            Slices.requireCount(virtualShards);
        }

        @Override
        public String functionName() {
            return "mod";
        }

        @Override
        public boolean accepts(KeyType type) {
            return true;
        }

        @Override
        public int virtualShardOf(long key) {
            return Math.floorMod(key, virtualShards);
        }

        @Override
        public int virtualShardOf(ShardKey key) {
            if (key instanceof ShardKey.Integral integral) {
                return virtualShardOf(integral.value());
            }
            if (key instanceof ShardKey.Text text) {
                CRC32 crc = new CRC32();
                crc.update(text.value().getBytes(StandardCharsets.UTF_8));
                return virtualShardOf(crc.getValue());
            }
            ShardKey.Uuid uuid = (ShardKey.Uuid) key;
            BigInteger unsigned = new BigInteger(
                            Long.toUnsignedString(uuid.value().getMostSignificantBits()))
                    .shiftLeft(Long.SIZE)
                    .or(new BigInteger(Long.toUnsignedString(uuid.value().getLeastSignificantBits())));
            return unsigned.mod(BigInteger.valueOf(virtualShards)).intValue();
        }
    }

    /** The check digit of an ISBN, 0 to 10 (see {@link Isbn#checkDigit}). */
    record IsbnCheckDigit() implements KeyFunction {
        @Override
        public String functionName() {
            return "isbn-check-digit";
        }

        @Override
        public int virtualShards() {
            return 11;
        }

        @Override
        public boolean accepts(KeyType type) {
            return type == KeyType.STRING;
        }

        @Override
        public int virtualShardOf(ShardKey key) {
            return Isbn.checkDigit(((ShardKey.Text) key).value());
        }
    }
}

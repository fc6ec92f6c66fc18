package io.shardmap.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.InvalidKeyException;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IsbnTest {

    @ParameterizedTest
    @CsvSource({
        "978-8-1130-1024-6, 6",
        "8113010246, 6",
        "0-306-40615-2, 2",
        "978-0-306-40615-7, 2",
        "080442957X, 10",
        "080442957x, 10",
        "978-0-8044-2957-3, 10",
        "979-10-90636-07-1, 1",
        "' 0 306 40615 2 ', 2",
        "0000000000, 0"
    })
    void theShardKeyIsTheCheckDigitOfTheIsbn10IfThereIsOne(String isbn, int digit) {
        assertEquals(digit, Isbn.checkDigit(isbn));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0306406153",
                "9780306406158",
                "9788113010247",
                "9791090636072",
                "030640615X",
                "978030640615X",
                "977030640615X",
                "9770306406150",
                "X306406152",
                "08044X957X",
                "",
                "030640615",
                "03064061522",
                "978030640615",
                "97803064061577",
                "not an isbn",
                "０306406152"
            })
    void whatIsNoIsbnIsRefused(String isbn) {
        assertThrows(InvalidKeyException.class, () -> Isbn.checkDigit(isbn));
    }

    @Test
    void bothSpellingsOfABookHaveTheSameShardKey() {
        long seed = 20_261_130;
        Random random = new Random(seed);
        boolean[] seen = new boolean[11];
        for (int i = 0; i < 10_000; i++) {
            String nine = String.format(Locale.ROOT, "%09d", random.nextInt(1_000_000_000));
            int ten = weightedMod11(nine);
            String isbn10 = nine + (ten == 10 ? "X" : String.valueOf(ten));
            String isbn13 = "978" + nine + weightedMod10("978" + nine);

            assertEquals(ten, Isbn.checkDigit(isbn10), () -> "seed=" + seed + ", isbn=" + isbn10);
            assertEquals(ten, Isbn.checkDigit(isbn13), () -> "seed=" + seed + ", isbn=" + isbn13);
            seen[ten] = true;
        }
        for (boolean digit : seen) {
            assertTrue(digit);
        }
    }

    @Test
    void everySingleWrongDigitIsNoticed() {
        String isbn = "9780306406157";
        for (int at = 0; at < isbn.length(); at++) {
            for (char digit = '0'; digit <= '9'; digit++) {
                String changed = isbn.substring(0, at) + digit + isbn.substring(at + 1);
                if (!changed.equals(isbn)) {
                    assertThrows(InvalidKeyException.class, () -> Isbn.checkDigit(changed), changed);
                }
            }
        }
    }

    /** The ISBN-10 rule as its standard words it: weights 1 to 9, modulo 11. */
    private static int weightedMod11(String nine) {
        int sum = 0;
        for (int i = 0; i < 9; i++) {
            sum += (i + 1) * (nine.charAt(i) - '0');
        }
        return sum % 11;
    }

    private static int weightedMod10(String twelve) {
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            sum += (1 + 2 * (i & 1)) * (twelve.charAt(i) - '0');
        }
        return Math.floorMod(-sum, 10);
    }
}

package io.shardmap.examples.books;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardmap.InvalidKeyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BookIsbnTest {

    @ParameterizedTest
    @CsvSource({
        "978-8-1130-1024-6, 8113010246, 6",
        "8113010246, 8113010246, 6",
        "9780439023481, 0439023483, 3",
        "0-8044-2957-x, 080442957X, 10",
        "978-0-8044-2957-3, 080442957X, 10",
        "979-10-90636-07-1, 9791090636071, 1",
    })
    void everySpellingOfABookIsStoredInOne(String spelling, String stored, int checkDigit) {
        assertEquals(new BookIsbn(stored, checkDigit), BookIsbn.parse(spelling));
    }

    @ParameterizedTest
    @CsvSource({"439023483, 0439023483", "2313, 0000002313", "034580404X, 034580404X", "34580404X, 034580404X"})
    void leadingZerosThatASpreadsheetRemovedAreRestored(String text, String stored) {
        assertEquals(stored, BookIsbn.restored(text).value());
    }

    @Test
    void aWrongCheckDigitIsRefused() {
        assertThrows(InvalidKeyException.class, () -> BookIsbn.restored("439023484"));
    }
}

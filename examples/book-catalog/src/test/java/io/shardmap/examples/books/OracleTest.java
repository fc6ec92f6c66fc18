package io.shardmap.examples.books;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A check that cannot fail proves nothing: these are the lies the oracle must see through. */
class OracleTest {
    private final Book first = book("0439023483");
    private final Book second = book("0439554934");
    private final Oracle oracle = new Oracle(List.of(first, second));

    private static Book book(String isbn) {
        return new Book(BookIsbn.parse(isbn), "title", "author", 2008, "eng", new BigDecimal("4.34"), 10);
    }

    @Test
    void whatIsThereAsItMustBeIsExactInAnyOrder() {
        Oracle.Verdict verdict = oracle.compare(List.of(second, first));

        assertTrue(verdict.isExact());
        assertEquals(2, verdict.identical());
        assertEquals(0, verdict.lostWrites());
    }

    @Test
    void anAcknowledgedRatingThatIsMissingIsLost() {
        Ledger ledger = new Ledger();
        ledger.acknowledged(first.isbn());
        ledger.acknowledged(first.isbn());
        oracle.apply(ledger);

        Oracle.Verdict verdict = oracle.compare(List.of(first.rated(Oracle.STARS), second));

        assertEquals(1, verdict.lostWrites());
        assertFalse(verdict.isExact());
        assertTrue(oracle.compare(List.of(first.rated(Oracle.STARS).rated(Oracle.STARS), second))
                .isExact());
    }

    @Test
    void aRatingNobodyWroteIsADifference() {
        assertFalse(oracle.compare(List.of(first.rated(Oracle.STARS), second)).isExact());
    }

    @Test
    void aMissingAndADoubledBookAreDifferences() {
        assertFalse(oracle.compare(List.of(first)).isExact());
        assertFalse(oracle.compare(List.of(first, second, second)).isExact());
    }
}

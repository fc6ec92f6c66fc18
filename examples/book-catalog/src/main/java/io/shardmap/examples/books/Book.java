package io.shardmap.examples.books;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * A book of the catalogue.
 *
 * @param isbn its ISBN, which is its shard key
 * @param title title
 * @param authors authors, separated by commas
 * @param publicationYear year of publication, null when unknown
 * @param languageCode language, such as {@code eng} or {@code en-US}, null when unknown
 * @param averageRating average of all ratings, {@value #RATING_SCALE} decimals
 * @param ratingsCount number of ratings
 */
public record Book(
        BookIsbn isbn,
        String title,
        String authors,
        @Nullable Integer publicationYear,
        @Nullable String languageCode,
        BigDecimal averageRating,
        long ratingsCount) {
    /** Decimals of an average rating: enough that one more rating among millions moves it. */
    public static final int RATING_SCALE = 6;

    /** Gives the average rating its scale. */
    public Book {
        averageRating = averageRating.setScale(RATING_SCALE, RoundingMode.HALF_UP);
    }

    /** Returns the book after one more rating: what {@link BookCatalog#rate} does in the database. */
    public Book rated(int stars) {
        BigDecimal sum =
                averageRating.multiply(BigDecimal.valueOf(ratingsCount)).add(BigDecimal.valueOf(stars));
        return new Book(
                isbn,
                title,
                authors,
                publicationYear,
                languageCode,
                sum.divide(BigDecimal.valueOf(ratingsCount + 1), RATING_SCALE, RoundingMode.HALF_UP),
                ratingsCount + 1);
    }
}

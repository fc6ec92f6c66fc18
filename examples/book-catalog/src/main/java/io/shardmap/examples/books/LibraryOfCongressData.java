package io.shardmap.examples.books;

/**
 * How the Library of Congress catalogues a book.
 *
 * @param callNumber place on the shelf, such as {@code QA76.9.D3 S53 2026}
 * @param classification name of the class the call number starts with
 * @param subject subject heading
 */
public record LibraryOfCongressData(String callNumber, String classification, String subject) {}

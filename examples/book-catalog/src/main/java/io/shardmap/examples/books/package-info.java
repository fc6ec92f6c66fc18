/**
 * A book catalogue sharded by the check digit of the ISBN, and the demo around it. The catalogue knows ISBNs and never servers: start
 * reading at {@link io.shardmap.examples.books.BookCatalog}, and at {@link io.shardmap.examples.books.CatalogueSetup} for what an
 * operator does once.
 */
@NullMarked
package io.shardmap.examples.books;

import org.jspecify.annotations.NullMarked;

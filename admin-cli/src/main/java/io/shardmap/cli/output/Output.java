package io.shardmap.cli.output;

import java.util.List;

/**
 * Where a command prints its result, once. Names of record components are the names of JSON fields; headers of columns are made from
 * them.
 */
public interface Output {
    /** Version of the JSON documents; grows when a field changes its meaning or goes away. */
    int SCHEMA_VERSION = 1;

    /** Prints one thing. */
    void one(String name, Record thing);

    /** Prints things of a kind, in their order; {@code type} names the columns when there are none. */
    <T extends Record> void list(String name, Class<T> type, List<T> things);

    /** Prints what a change did: the sentence for people, the result for programs. */
    void done(String sentence, String name, Record result);

    /** Starts rows that arrive one by one. */
    Rows rows(List<String> columns);

    /** Rows that are printed as they arrive. Unlike a record, their columns are known only at run time. */
    interface Rows {
        /** Prints one row, one value per column. */
        void row(List<?> values);

        /** Prints what is still held back and ends the document; not called after a failure, so that half a document does not look whole. */
        void end();
    }
}

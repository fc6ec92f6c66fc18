package io.shardmap.query;

/**
 * A key by which rows are grouped.
 *
 * @param sql the expression as written, over the table's columns
 * @param normal the expression in a form in which the same ones are equal
 * @param item place of the select item that is the key, from 0, or -1
 * @param hidden number among the hidden columns at the end of each server's select list, from 1, or 0 when an item is the key
 */
record GroupKey(String sql, String normal, int item, int hidden) {}

package io.shardmap.jdbc.sql;

import java.util.Set;

/** Functions by what a fan-out may do with them; names in lower case. */
public final class KnownFunctions {
    /** The result depends on the arguments alone, whichever server computes it. */
    private static final Set<String> ROW_LOCAL = Set.of(
            "coalesce",
            "nullif",
            "greatest",
            "least",
            "lower",
            "upper",
            "initcap",
            "length",
            "char_length",
            "character_length",
            "octet_length",
            "bit_length",
            "substring",
            "substr",
            "btrim",
            "ltrim",
            "rtrim",
            "trim",
            "left",
            "right",
            "lpad",
            "rpad",
            "replace",
            "translate",
            "position",
            "strpos",
            "split_part",
            "concat",
            "concat_ws",
            "reverse",
            "repeat",
            "overlay",
            "starts_with",
            "ascii",
            "chr",
            "md5",
            "sha256",
            "encode",
            "decode",
            "regexp_replace",
            "regexp_like",
            "abs",
            "ceil",
            "ceiling",
            "floor",
            "round",
            "trunc",
            "sign",
            "mod",
            "power",
            "sqrt",
            "cbrt",
            "exp",
            "ln",
            "log",
            "log10",
            "div",
            "gcd",
            "lcm",
            "date_trunc",
            "date_part",
            "to_char",
            "to_date",
            "to_timestamp",
            "to_number",
            "make_date",
            "any",
            "all",
            "some",
            "row",
            "array_length",
            "cardinality",
            "array_position",
            "array_to_string",
            "to_json",
            "to_jsonb",
            "jsonb_array_length",
            "jsonb_typeof",
            "json_array_length",
            "json_typeof",
            "jsonb_extract_path_text",
            "num_nulls",
            "num_nonnulls");

    private static final Set<String> AGGREGATES = Set.of(
            "count",
            "sum",
            "avg",
            "min",
            "max",
            "every",
            "bool_and",
            "bool_or",
            "string_agg",
            "array_agg",
            "listagg",
            "json_agg",
            "jsonb_agg",
            "json_object_agg",
            "jsonb_object_agg",
            "stddev",
            "stddev_pop",
            "stddev_samp",
            "variance",
            "var_pop",
            "var_samp",
            "corr",
            "covar_pop",
            "covar_samp",
            "bit_and",
            "bit_or",
            "bit_xor",
            "mode",
            "percentile_cont",
            "percentile_disc",
            "any_value",
            "group_concat",
            "median",
            "xmlagg",
            "range_agg",
            "grouping");

    /** Words that look like columns and are computed by each server on its own. */
    private static final Set<String> SERVER_STATE = Set.of(
            "current_user",
            "session_user",
            "user",
            "system_user",
            "current_role",
            "current_schema",
            "current_catalog",
            "localtime",
            "localtimestamp",
            "current_date",
            "current_time",
            "current_timestamp",
            "ctid",
            "xmin",
            "xmax",
            "cmin",
            "cmax",
            "tableoid",
            "rownum",
            "_rowid_",
            "sysdate",
            "systimestamp",
            "systime");

    private KnownFunctions() {}

    /** Returns whether the result depends on the arguments alone. */
    public static boolean isRowLocal(String lowerCaseName) {
        return ROW_LOCAL.contains(lowerCaseName);
    }

    /** Returns whether it is an aggregate. */
    public static boolean isAggregate(String lowerCaseName) {
        return AGGREGATES.contains(lowerCaseName);
    }

    /** Returns whether it is a word that looks like a column and is computed by each server on its own. */
    public static boolean isServerState(String lowerCaseName) {
        return SERVER_STATE.contains(lowerCaseName);
    }
}

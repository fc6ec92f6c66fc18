package io.shardmap.query;

import io.shardmap.jdbc.sql.KnownFunctions;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Allows a query only names after which a parenthesis opens that are known: language, and functions that give the same on any server. The
 * time of a transaction is allowed, since one database says it; the state of a server is not.
 */
final class CoordinatorFunctions {
    private static final String ADVICE =
            "it is not known to give the same on every server: compute it in the application, or run it on one shard";

    private static final Set<String> LANGUAGE = Set.of(
            "and",
            "or",
            "not",
            "in",
            "is",
            "as",
            "on",
            "using",
            "any",
            "all",
            "some",
            "exists",
            "from",
            "join",
            "lateral",
            "select",
            "where",
            "having",
            "by",
            "values",
            "union",
            "intersect",
            "except",
            "distinct",
            "over",
            "filter",
            "group",
            "case",
            "when",
            "then",
            "else",
            "like",
            "ilike",
            "between",
            "array",
            "row",
            "cast",
            "limit",
            "offset",
            "first",
            "next",
            "sets",
            "rollup",
            "cube",
            "materialized",
            "window",
            "escape",
            "collate",
            "end",
            "symmetric",
            "recursive",
            "with",
            "similar",
            "to");

    private static final Set<String> TYPES = Set.of(
            "numeric",
            "decimal",
            "varchar",
            "char",
            "character",
            "varying",
            "bit",
            "float",
            "timestamp",
            "timestamptz",
            "time",
            "timetz",
            "interval",
            "bpchar");

    private static final Set<String> MORE = Set.of(
            "row_number",
            "rank",
            "dense_rank",
            "percent_rank",
            "cume_dist",
            "ntile",
            "lag",
            "lead",
            "first_value",
            "last_value",
            "nth_value",
            "generate_series",
            "unnest",
            "string_to_array",
            "regexp_split_to_table",
            "regexp_split_to_array",
            "regexp_match",
            "regexp_matches",
            "regexp_count",
            "string_to_table",
            "json_array_elements",
            "json_array_elements_text",
            "jsonb_array_elements",
            "jsonb_array_elements_text",
            "jsonb_each",
            "jsonb_each_text",
            "json_each",
            "json_each_text",
            "jsonb_object_keys",
            "json_object_keys",
            "jsonb_build_object",
            "json_build_object",
            "jsonb_build_array",
            "json_build_array",
            "row_to_json",
            "jsonb_set",
            "jsonb_strip_nulls",
            "jsonb_pretty",
            "jsonb_path_exists",
            "jsonb_path_query",
            "array_append",
            "array_prepend",
            "array_cat",
            "array_remove",
            "array_replace",
            "array_upper",
            "array_lower",
            "array_ndims",
            "array_positions",
            "extract",
            "age",
            "date_bin",
            "make_time",
            "make_timestamp",
            "make_interval",
            "justify_days",
            "justify_hours",
            "justify_interval",
            "isfinite",
            "now",
            "date",
            "degrees",
            "radians",
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "atan2",
            "pi",
            "width_bucket",
            "scale",
            "trim_scale",
            "min_scale",
            "factorial",
            "format",
            "quote_literal",
            "quote_ident",
            "to_hex",
            "sha224",
            "sha384",
            "sha512",
            "lower_inc",
            "upper_inc",
            "isempty",
            "int4range",
            "int8range",
            "numrange",
            "daterange",
            "tsrange",
            "tstzrange",
            "regr_slope",
            "regr_intercept",
            "regr_r2",
            "regr_count",
            "regr_avgx",
            "regr_avgy",
            "regr_sxx",
            "regr_syy",
            "regr_sxy",
            "range_intersect_agg",
            "normalize",
            "bit_count");

    private static final Set<String> CLOCK =
            Set.of("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp");

    private static final Set<String> OBJECT_NUMBERS = Set.of(
            "regclass",
            "regproc",
            "regprocedure",
            "regoper",
            "regoperator",
            "regtype",
            "regrole",
            "regnamespace",
            "regconfig",
            "regdictionary",
            "regcollation");

    private CoordinatorFunctions() {}

    static void require(List<SqlToken> tokens, Relations relations) {
        for (int i = 0; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            if (!token.isName()) {
                continue;
            }
            boolean qualified = i > 0 && tokens.get(i - 1).isSymbol('.');
            String name = token.text().toLowerCase(Locale.ROOT);
            if (i + 1 < tokens.size() && tokens.get(i + 1).isSymbol('(')) {
                requireCall(tokens, i, name, qualified, relations);
            } else if (token.kind() == Kind.WORD && !qualified) {
                requireNoServerState(name);
            }
        }
    }

    private static void requireCall(List<SqlToken> tokens, int i, String name, boolean qualified, Relations relations) {
        if (qualified) {
            boolean ofDatabase = i > 1 && tokens.get(i - 2).is("pg_catalog") && isKnown(name);
            if (!ofDatabase) {
                throw new UnsupportedConstruct("function " + tokens.get(i - 2).text() + "." + name, ADVICE);
            }
            return;
        }
        boolean renames = relations.isCommon(tokens.get(i)) || relations.isAlias(tokens.get(i)) || follows(tokens, i);
        if (!renames && (tokens.get(i).kind() == Kind.QUOTED || !(isKnown(name) || CLOCK.contains(name)))) {
            throw new UnsupportedConstruct("function " + name, ADVICE);
        }
    }

    /** Returns whether the name is an alias with a list of columns: {@code FROM x AS name (}, {@code ) name (}. */
    private static boolean follows(List<SqlToken> tokens, int i) {
        return i > 0 && (tokens.get(i - 1).is("AS") || tokens.get(i - 1).isSymbol(')'));
    }

    private static boolean isKnown(String name) {
        return KnownFunctions.isRowLocal(name)
                || KnownFunctions.isAggregate(name)
                || LANGUAGE.contains(name)
                || TYPES.contains(name)
                || MORE.contains(name);
    }

    private static void requireNoServerState(String name) {
        if (KnownFunctions.isServerState(name) && !CLOCK.contains(name)) {
            throw new UnsupportedConstruct(
                    name,
                    "it differs from server to server: pass the value as a parameter, or quote it if it is a column");
        }
        if (OBJECT_NUMBERS.contains(name)) {
            throw new UnsupportedConstruct("type " + name, "object numbers differ from server to server");
        }
    }
}

/** What DuckDB says for each function of the catalogue. Measured on DuckDB 1.4.5. */

import { withoutNulls } from "../../lowering/aggregates.ts";
import { containing, isAnyOf } from "../../lowering/arrays.ts";
import { type Sayings, sayings } from "../../lowering/sayings.ts";
import { call, cast, integer, renamed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { lowerQuantified } from "./arrays.ts";
import {
  bytes,
  capitalised,
  checkDistinctOrder,
  comparedWithNull,
  dateDifference,
  decoded,
  encoded,
  flagsOf,
  hexadecimal,
  interpolated,
  inUtc,
  joinedTexts,
  jsonPath,
  jsonType,
  midnight,
  overlaid,
  padded,
  patterned,
  regexpMatches,
  regexpReplace,
  regexpSubstring,
  roundedExactly,
  splitText,
  substring,
  summed,
  truncatedDate,
  utcNow,
  wholeQuotient,
  withSeparator,
} from "./calls.ts";
import { alignedCall, withDefault } from "./decimals.ts";
import { jsonArrayLength } from "./json.ts";
import { seriesValues } from "./series.ts";
import { concatenated, elementsJoined, joinedValues } from "./texts.ts";
import { dateText, parsedDate } from "./to-char.ts";

export const DUCKDB_FUNCTIONS: Sayings = sayings(
  [
    "abs sign sqrt cbrt exp ln log log10 power gcd lcm pi degrees radians sin cos tan cot asin acos atan sinh cosh",
    "tanh atan2 random upper lower length left right ltrim rtrim position strpos replace translate reverse",
    "repeat starts_with ascii chr md5 last_day make_date make_timestamp gen_random_uuid",
    "count avg min max any_value bool_and bool_or stddev_samp stddev_pop var_samp var_pop corr",
    "covar_pop covar_samp regr_slope regr_intercept regr_r2 regr_avgx regr_avgy regr_sxx regr_syy regr_sxy",
    "regr_count bit_and bit_or percentile_disc mode approx_count_distinct grouping row_number rank dense_rank",
    "percent_rank cume_dist ntile first_value last_value nth_value unnest",
  ],
  {
    // numbers
    round: roundedExactly,
    trunc: roundedExactly,
    floor: roundedExactly,
    ceil: roundedExactly,
    div: wholeQuotient,
    coalesce: alignedCall,
    greatest: alignedCall,
    least: alignedCall,
    mod: alignedCall,
    nullif: comparedWithNull,
    lag: withDefault,
    lead: withDefault,
    // text
    btrim: { as: "trim" },
    lpad: padded,
    rpad: padded,
    initcap: capitalised,
    substring,
    overlay: overlaid,
    octet_length: (node) => withArguments(renamed(node, "octet_length"), values(node).map(bytes)),
    concat: (node) => withArguments(node, values(node).map(concatenated)),
    concat_ws: joinedValues,
    to_hex: hexadecimal,
    encode: encoded,
    decode: decoded,
    string_to_array: splitText,
    split_part: (node) => withSeparator(node, values(node)[1]),
    regexp_like: (node) => regexpMatches(node, flagsOf(node, 2)),
    regexp_replace: regexpReplace,
    regexp_substr: regexpSubstring,
    regexp_count: (node) => call("len", [call("regexp_extract_all", patterned(node), node)], node),
    // dates
    date_trunc: truncatedDate,
    date_diff: dateDifference,
    age: (node) => (node.arguments.length === 1 ? withArguments(node, [midnight(node), ...values(node)]) : node),
    localtimestamp: utcNow,
    localtime: (node) => cast(utcNow(node), "time", node),
    now: (node) => call("now", [], node),
    current_timestamp: (node) => call("now", [], node),
    current_date: (node) => cast(utcNow(node), "date", node),
    to_char: dateText,
    to_date: (node) => cast(parsedDate(node), "date", node),
    to_timestamp: (node) => (node.arguments.length === 1 ? node : inUtc(parsedDate(node), node)),
    // JSON
    json_extract_path: (node) => jsonPath(node, "json_extract"),
    json_extract_path_text: (node) => jsonPath(node, "json_extract_string"),
    json_typeof: jsonType,
    json_array_length: jsonArrayLength,
    // arrays
    cardinality: { as: "len" },
    array_length: (node) => call("nullif", [call("len", values(node).slice(0, 1), node), integer(0, node)], node),
    array_position: (node) => call("nullif", [call("list_position", values(node), node), integer(0, node)], node),
    array_contains: anyOf,
    contains: (node) => containing(node, anyOf),
    array_to_string: elementsJoined,
    array_append: { as: "list_append" },
    generate_series: seriesValues,
    // aggregates
    array_agg: (node) => withoutNulls(checkDistinctOrder(node)),
    string_agg: joinedTexts,
    percentile_cont: interpolated,
    sum: summed,
  },
);

function anyOf(node: Call): Expression {
  const any = isAnyOf(node);
  return (any.kind === "quantified" && lowerQuantified(any)) || any;
}

/** What PostgreSQL says for each function of the catalogue. Seen on PostgreSQL 15 and 18. */
import { withoutNulls } from "../../lowering/aggregates.ts";
import { containing, isAnyOf } from "../../lowering/arrays.ts";
import { type Sayings, sayings } from "../../lowering/sayings.ts";
import { renamed } from "../../syntax/build.ts";
import {
  anyValue,
  dateDifference,
  encodedBytes,
  exactRemainder,
  jsonPath,
  lastDay,
  onJsonb,
  regexpLike,
  regexpSubstring,
  rounded,
  truncatedDate,
} from "./calls.ts";

export const POSTGRES_FUNCTIONS: Sayings = sayings(
  [
    "abs ceil floor sign sqrt cbrt exp ln log log10 power div gcd lcm pi degrees radians sin cos tan cot asin acos",
    "atan sinh cosh tanh atan2 random greatest least coalesce nullif upper lower initcap length octet_length",
    "substring left right lpad rpad btrim ltrim rtrim position strpos replace translate reverse repeat overlay",
    "concat concat_ws split_part starts_with ascii chr md5 to_hex decode regexp_replace regexp_count",
    "string_to_array age make_date make_timestamp to_char to_date to_timestamp now current_timestamp current_date",
    "localtimestamp localtime gen_random_uuid cardinality array_length array_position array_append array_to_string",
    "unnest generate_series count sum avg min max bool_and bool_or string_agg stddev_samp stddev_pop var_samp",
    "var_pop corr covar_pop covar_samp regr_slope regr_intercept regr_r2 regr_avgx regr_avgy regr_sxx regr_syy",
    "regr_sxy regr_count bit_and bit_or percentile_cont percentile_disc mode grouping row_number rank dense_rank",
    "percent_rank cume_dist ntile lag lead first_value last_value nth_value",
  ],
  {
    round: rounded,
    trunc: rounded,
    mod: (node) => exactRemainder(node) ?? node,
    date_trunc: truncatedDate,
    date_diff: dateDifference,
    last_day: lastDay,
    any_value: anyValue,
    array_agg: withoutNulls,
    approx_count_distinct: (node) => ({ ...renamed(node, "count"), distinct: true }),
    regexp_like: regexpLike,
    regexp_substr: regexpSubstring,
    array_contains: isAnyOf,
    contains: (node) => containing(node, isAnyOf),
    encode: encodedBytes,
    json_extract_path: (node) => jsonPath(node, "#>"),
    json_extract_path_text: (node) => jsonPath(node, "#>>"),
    json_array_length: (node) => onJsonb(node, "jsonb_array_length"),
    json_typeof: (node) => onJsonb(node, "jsonb_typeof"),
  },
);

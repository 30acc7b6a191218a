/** Rules for the functions of the catalogue on PostgreSQL. Seen on PostgreSQL 15 and 18. */

import { containing, isAnyOf } from "../../lowering/arrays/array-members.ts";
import { withoutNulls } from "../../lowering/present-values.ts";
import { functionRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { ofSortedTexts } from "../../lowering/texts/sorted-texts.ts";
import { renamed, values, withArguments } from "../../syntax/build.ts";
import type { Call } from "../../syntax/tree.ts";
import {
  anyValue,
  asTimestamp,
  dateDifference,
  encodedBytes,
  exactRemainder,
  jsonPath,
  lastDay,
  ofTypedTexts,
  onJson,
  onJsonb,
  regexpLike,
  regexpSubstring,
  rounded,
  truncatedDate,
  valueOfExtreme,
  withJsonbArguments,
} from "./calls.ts";

export const postgresFunctions = (): Rules<Call> =>
  functionRules(
    [
      "abs ceil floor sign sqrt cbrt exp ln log log10 power div gcd lcm pi degrees radians sin cos tan cot",
      "asin acos atan sinh cosh tanh atan2 random greatest least coalesce nullif upper lower initcap length",
      "octet_length substring left right lpad rpad btrim ltrim rtrim position strpos replace translate",
      "reverse repeat overlay concat concat_ws split_part starts_with ascii chr md5 to_hex decode",
      "regexp_replace regexp_count string_to_array age make_date make_timestamp to_char to_date",
      "to_timestamp now current_timestamp current_date localtimestamp localtime gen_random_uuid cardinality",
      "array_length array_position array_append array_to_string unnest generate_series count sum avg min",
      "max bool_and bool_or string_agg stddev_samp stddev_pop var_samp var_pop corr covar_pop covar_samp",
      "regr_slope regr_intercept regr_r2 regr_avgx regr_avgy regr_sxx regr_syy regr_sxy regr_count bit_and",
      "bit_or percentile_cont grouping row_number rank dense_rank percent_rank",
      "cume_dist ntile lag lead first_value last_value nth_value bit_length regexp_match",
      "regexp_split_to_array make_time make_interval isfinite statement_timestamp transaction_timestamp",
      "clock_timestamp width_bucket factorial asinh acosh atanh num_nulls num_nonnulls json_build_object",
      "jsonb_build_object json_build_array jsonb_build_array array_cat array_prepend",
      "array_remove array_upper array_lower bit_xor json_object_agg jsonb_object_agg",
      "array_replace quote_literal quote_nullable justify_hours justify_days justify_interval regexp_split_to_table string_to_table regexp_matches",
    ],
    {
      round: rounded,
      trunc: rounded,
      mod: (node) => exactRemainder(node) ?? node,
      date_trunc: truncatedDate,
      date_diff: dateDifference,
      last_day: lastDay,
      any_value: anyValue,
      max_by: (node) => valueOfExtreme(node, "desc"),
      min_by: (node) => valueOfExtreme(node, "asc"),
      product: UNSUPPORTED.product,
      skewness: UNSUPPORTED.skewness,
      kurtosis: UNSUPPORTED.kurtosis,
      date_bin: (node) => withArguments(node, values(node).map(asTimestamp)),
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
      ...sameRule("json_array_elements json_array_elements_text json_each json_each_text json_object_keys", onJson),
      ...sameRule("jsonb_array_elements jsonb_array_elements_text jsonb_each jsonb_each_text", withJsonbArguments),
      ...sameRule("jsonb_object_keys", withJsonbArguments),
      ...sameRule("to_json to_jsonb json_agg jsonb_agg", ofTypedTexts),
      percentile_disc: ofSortedTexts,
      mode: ofSortedTexts,
    },
  );

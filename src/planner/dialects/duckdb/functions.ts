/** Rules for the functions of the catalogue on DuckDB. Measured on DuckDB 1.4.5. */

import { containing, isAnyOf } from "../../lowering/arrays/array-members.ts";
import { chosenOfReals } from "../../lowering/numbers/reals.ts";
import { withoutNulls } from "../../lowering/present-values.ts";
import { functionRules, type Rules, ruleByName, sameRule } from "../../lowering/rules.ts";
import { byCount, spelled, sql } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { ofSortedTexts } from "../../lowering/texts/sorted-texts.ts";
import { substring } from "../../lowering/texts/substrings.ts";
import { cast, inPlaceOf, renamed, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DATE, typeOrUnknown } from "../../types.ts";
import { depthOf, flattened, lowerQuantified, ofDepth } from "./arrays.ts";
import {
  age,
  arrayLength,
  arrayLower,
  bytes,
  checkDistinctOrder,
  comparedWithNull,
  dateDifference,
  decoded,
  encoded,
  hexadecimal,
  JSON_TYPE_NAME,
  joinedTexts,
  jsonPath,
  OVERLAID,
  padded,
  REVERSED,
  requireSeparator,
  rounded,
  roundedExactly,
  splitText,
  summed,
  trimmed,
  truncatedDate,
  UTC_NOW,
  WITH_REPLACED_ELEMENT,
  WITHOUT_ELEMENT,
  wholeQuotient,
} from "./calls.ts";
import { CAPITALISED, capitals } from "./capitals.ts";
import { alignedCall, withDefault } from "./decimals.ts";
import { ofFinite } from "./endless.ts";
import { intervalOfParts, justified, meanOf, summedIntervals } from "./intervals.ts";
import { jsonArrayLength } from "./json.ts";
import { inOrder } from "./json-texts.ts";
import {
  aggregatedArray,
  aggregatedObject,
  arrayOfValues,
  objectOfValues,
  sortedObject,
  valueAsJson,
} from "./json-values.ts";
import { binned, bucketOf, countedNulls, ofWholeNumbers, valueOfExtreme, withoutNaN } from "./measures.ts";
import { chosen, interpolated } from "./percentiles.ts";
import { extremeByLength, refuseMixed } from "./quirks/interval-lengths.ts";
import { seriesValues } from "./quirks/series.ts";
import { firstValue } from "./quirks/streamed-windows.ts";
import { asReal } from "./reals.ts";
import {
  flagsOf,
  regexpCount,
  regexpGroups,
  regexpMatches,
  regexpParts,
  regexpReplace,
  regexpSubstring,
} from "./regular-expressions.ts";
import { asValue, elementsOf, jsonElements, jsonKeys, splitRows } from "./table-functions.ts";
import { concatenated, elementsJoined, joinedValues, QUOTED_OR_NULL, QUOTED_TEXT } from "./texts.ts";
import { instantOfUtc } from "./times.ts";
import { dateText, parsedDate } from "./to-char.ts";

const BITS = sql("octet_length($1) * 8");

export const duckdbFunctions = (): Rules<Call> =>
  functionRules(
    [
      "abs sign sqrt cbrt exp ln log log10 power pi degrees radians sin cos tan cot asin acos atan sinh",
      "cosh tanh atan2 random lower left right position strpos replace translate repeat",
      "starts_with ascii chr md5 last_day make_date make_timestamp gen_random_uuid now",
      "count any_value bool_and bool_or stddev_samp stddev_pop var_samp",
      "var_pop covar_pop covar_samp regr_intercept regr_r2 regr_avgx regr_avgy regr_sxx regr_syy regr_sxy",
      "regr_count bit_and bit_or approx_count_distinct grouping row_number rank",
      "dense_rank percent_rank cume_dist ntile last_value nth_value factorial asinh",
      "acosh atanh bit_xor make_time isfinite product skewness kurtosis",
    ],
    {
      // numbers
      round: rounded,
      ...sameRule("trunc floor ceil", roundedExactly),
      div: wholeQuotient,
      coalesce: (node) => alignedCall(chosenOfReals(node, asReal)),
      greatest: (node) => alignedCall(chosenOfReals(refuseMixed(node), asReal)),
      least: (node) => alignedCall(chosenOfReals(refuseMixed(node), asReal)),
      mod: alignedCall,
      nullif: comparedWithNull,
      gcd: ofWholeNumbers,
      lcm: ofWholeNumbers,
      width_bucket: bucketOf,
      num_nulls: (node) => countedNulls(node, false),
      num_nonnulls: (node) => countedNulls(node, true),
      lag: withDefault,
      lead: withDefault,
      first_value: firstValue,
      // text
      btrim: trimmed("trim"),
      ltrim: trimmed("ltrim"),
      rtrim: trimmed("rtrim"),
      reverse: REVERSED,
      length: (node) => (values(node)[0]?.type?.kind === "binary" ? renamed(node, "octet_length") : node),
      bit_length: (node) => spelled(BITS, values(node).map(bytes), node),
      regexp_match: regexpGroups,
      regexp_split_to_array: regexpParts,
      lpad: padded,
      rpad: padded,
      initcap: CAPITALISED,
      upper: capitals,
      substring,
      overlay: byCount(...OVERLAID),
      octet_length: (node) => withArguments(renamed(node, "octet_length"), values(node).map(bytes)),
      concat: (node) => withArguments(node, values(node).map(concatenated)),
      concat_ws: joinedValues,
      to_hex: hexadecimal,
      quote_literal: QUOTED_TEXT,
      quote_nullable: QUOTED_OR_NULL,
      encode: encoded,
      decode: decoded,
      string_to_array: splitText,
      split_part: requireSeparator,
      regexp_like: (node) => regexpMatches(node, flagsOf(node, 2)),
      regexp_replace: regexpReplace,
      regexp_substr: regexpSubstring,
      regexp_count: regexpCount,
      // dates
      date_trunc: truncatedDate,
      date_diff: ofFinite(dateDifference),
      age: ofFinite(age),
      localtimestamp: UTC_NOW,
      localtime: sql("CAST(CAST(now() AS timestamp) AS time)"),
      statement_timestamp: { as: "now" },
      transaction_timestamp: { as: "now" },
      clock_timestamp: UNSUPPORTED.runningClock,
      make_interval: intervalOfParts,
      ...sameRule("justify_hours justify_days justify_interval", justified),
      date_bin: ofFinite(binned),
      current_timestamp: { as: "now" },
      current_date: sql("CAST(CAST(now() AS timestamp) AS date)"),
      to_char: ofFinite(dateText),
      to_date: (node) => cast(parsedDate(node), "date", typed(DATE, node)),
      to_timestamp: (node) => (node.arguments.length === 1 ? node : instantOfUtc(parsedDate(node), inPlaceOf(node))),
      // JSON
      json_extract_path: (node) => jsonPath(node, "json_extract"),
      json_extract_path_text: (node) => jsonPath(node, "json_extract_string"),
      json_typeof: JSON_TYPE_NAME,
      json_array_length: jsonArrayLength,
      json_build_object: objectOfValues,
      jsonb_build_object: sortedObject,
      json_build_array: arrayOfValues,
      jsonb_build_array: arrayOfValues,
      to_json: valueAsJson,
      to_jsonb: valueAsJson,
      json_agg: aggregatedArray,
      jsonb_agg: aggregatedArray,
      json_object_agg: aggregatedObject,
      jsonb_object_agg: (node) => inOrder(aggregatedObject(node), inPlaceOf(node)),
      // arrays
      cardinality: (node) => renamed(withArguments(node, values(node).map(flattened)), "len"),
      array_length: arrayLength,
      array_upper: arrayLength,
      array_lower: arrayLower,
      array_cat: ofOneDepth,
      array_prepend: { as: "list_prepend" },
      array_remove: WITHOUT_ELEMENT,
      array_replace: WITH_REPLACED_ELEMENT,
      array_position: sql("nullif(list_position($1, $2), 0)"),
      array_contains: anyOf,
      contains: (node) => containing(node, anyOf),
      array_to_string: elementsJoined,
      array_append: { as: "list_append" },
      // rows
      unnest: (node) => withArguments(node, values(node).map(flattened)),
      generate_series: seriesValues,
      json_array_elements: jsonElements("json_extract"),
      jsonb_array_elements: jsonElements("json_extract"),
      json_array_elements_text: jsonElements("json_extract_string"),
      jsonb_array_elements_text: jsonElements("json_extract_string"),
      json_object_keys: jsonKeys,
      jsonb_object_keys: jsonKeys,
      ...ruleByName("json_each jsonb_each json_each_text jsonb_each_text regexp_matches", asValue),
      regexp_split_to_table: splitRows,
      string_to_table: elementsOf(splitText),
      // aggregates
      min: extremeByLength("arg_min"),
      max: extremeByLength("arg_max"),
      sum: (node) => (values(node)[0]?.type?.kind === "interval" ? summedIntervals(node) : summed(node)),
      avg: meanOf,
      corr: withoutNaN,
      regr_slope: withoutNaN,
      max_by: valueOfExtreme,
      min_by: valueOfExtreme,
      array_agg: (node) => withoutNulls(checkDistinctOrder(node)),
      string_agg: joinedTexts,
      percentile_cont: interpolated,
      percentile_disc: chosen,
      mode: ofSortedTexts,
    },
  );

function ofOneDepth(node: Call): Call {
  const lists = values(node);
  const depth = Math.max(...lists.map((list) => depthOf(typeOrUnknown(list))));
  const joined = lists.map((list) => (list.type?.kind === "array" ? ofDepth(list, list.type, depth) : list));
  return renamed(withArguments(node, joined), "list_concat");
}

function anyOf(node: Call): Expression {
  const any = isAnyOf(node);
  return (any.kind === "quantified" && lowerQuantified(any)) || any;
}

/** Functions that most engines lack. A dialect gives one of these tables as the base of its own, which names the functions that its engine has. */
import type { FunctionName } from "../functions/catalogue.ts";
import type { Refusal } from "../lowering/rules.ts";
import { UNSUPPORTED } from "../lowering/templates/unsupported.ts";
import type { BinaryOperator } from "../syntax/tree.ts";

export const MOST_LACK = {
  make_interval: UNSUPPORTED.intervalFunctions,
  justify_hours: UNSUPPORTED.intervalFunctions,
  justify_days: UNSUPPORTED.intervalFunctions,
  justify_interval: UNSUPPORTED.intervalFunctions,
  date_bin: UNSUPPORTED.dateBin,
  make_time: UNSUPPORTED.makeTime,
  make_timestamp: UNSUPPORTED.makeTimestamp,
  clock_timestamp: UNSUPPORTED.runningClock,
  gcd: UNSUPPORTED.greatestDivisor,
  lcm: UNSUPPORTED.leastMultiple,
  factorial: UNSUPPORTED.factorial,
  asinh: UNSUPPORTED.inverseHyperbolic,
  acosh: UNSUPPORTED.inverseHyperbolic,
  atanh: UNSUPPORTED.inverseHyperbolic,
  quote_literal: UNSUPPORTED.quotedText,
  quote_nullable: UNSUPPORTED.quotedText,
  json_build_object: UNSUPPORTED.madeJson,
  jsonb_build_object: UNSUPPORTED.madeJson,
  json_build_array: UNSUPPORTED.madeJson,
  jsonb_build_array: UNSUPPORTED.madeJson,
  to_json: UNSUPPORTED.madeJson,
  to_jsonb: UNSUPPORTED.madeJson,
  json_agg: UNSUPPORTED.madeJson,
  jsonb_agg: UNSUPPORTED.madeJson,
  json_object_agg: UNSUPPORTED.madeJson,
  jsonb_object_agg: UNSUPPORTED.madeJson,
  json_array_elements: UNSUPPORTED.jsonRows,
  jsonb_array_elements: UNSUPPORTED.jsonRows,
  json_array_elements_text: UNSUPPORTED.jsonRows,
  jsonb_array_elements_text: UNSUPPORTED.jsonRows,
  json_each: UNSUPPORTED.jsonRows,
  jsonb_each: UNSUPPORTED.jsonRows,
  json_each_text: UNSUPPORTED.jsonRows,
  jsonb_each_text: UNSUPPORTED.jsonRows,
  json_object_keys: UNSUPPORTED.jsonRows,
  jsonb_object_keys: UNSUPPORTED.jsonRows,
  unnest: UNSUPPORTED.rowsAsValue,
  generate_series: UNSUPPORTED.rowsAsValue,
  regexp_split_to_table: UNSUPPORTED.rowsAsValue,
  string_to_table: UNSUPPORTED.rowsAsValue,
  regexp_matches: UNSUPPORTED.matchesAsRows,
  array_append: UNSUPPORTED.arrayChanges,
  array_cat: UNSUPPORTED.arrayChanges,
  array_prepend: UNSUPPORTED.arrayChanges,
  array_remove: UNSUPPORTED.arrayChanges,
  array_replace: UNSUPPORTED.arrayChanges,
  product: UNSUPPORTED.product,
  skewness: UNSUPPORTED.skewness,
  kurtosis: UNSUPPORTED.kurtosis,
  mode: UNSUPPORTED.mostFrequent,
  max_by: UNSUPPORTED.maxBy,
  min_by: UNSUPPORTED.minBy,
} as const satisfies Readonly<Partial<Record<FunctionName, Refusal>>>;

/** Operators that most engines lack. */
export const MOST_LACK_OPERATORS = {
  "<<": UNSUPPORTED.bitShifts,
  ">>": UNSUPPORTED.bitShifts,
  "#-": UNSUPPORTED.jsonRemoval,
  "?": UNSUPPORTED.jsonKeys,
  "?|": UNSUPPORTED.jsonKeys,
  "?&": UNSUPPORTED.jsonKeys,
  "@>": UNSUPPORTED.jsonKeys,
  "<@": UNSUPPORTED.jsonKeys,
  "&&": UNSUPPORTED.arrayOperands,
  overlaps: UNSUPPORTED.overlaps,
} as const satisfies Readonly<Partial<Record<BinaryOperator, Refusal>>>;

/** Operators that Doris and Redshift lack: those of bits too. */
export const WITHOUT_BITS = {
  ...MOST_LACK_OPERATORS,
  "&": UNSUPPORTED.bits,
  "|": UNSUPPORTED.bits,
  "#": UNSUPPORTED.bits,
  "<<": UNSUPPORTED.bits,
  ">>": UNSUPPORTED.bits,
  "^@": UNSUPPORTED.startsWith,
} as const satisfies Readonly<Partial<Record<BinaryOperator, Refusal>>>;

/** The zone's fields of EXTRACT: all sessions run in UTC. */
export const NO_ZONE_FIELDS = {
  timezone: UNSUPPORTED.zone,
  timezone_hour: UNSUPPORTED.zone,
  timezone_minute: UNSUPPORTED.zone,
} as const;

/** Functions that Doris (as it is planned for), Oracle, Redshift and SQL Server lack: those of arrays, bits, codes and encodings too. */
export const WITHOUT_ARRAYS = {
  ...MOST_LACK,
  ascii: UNSUPPORTED.characterCodes,
  to_hex: UNSUPPORTED.hexadecimal,
  encode: UNSUPPORTED.encodedBytes,
  decode: UNSUPPORTED.decodedBytes,
  regexp_match: UNSUPPORTED.arrayFunctions,
  regexp_split_to_array: UNSUPPORTED.arrayFunctions,
  string_to_array: UNSUPPORTED.arrayFunctions,
  localtime: UNSUPPORTED.currentTime,
  cardinality: UNSUPPORTED.arrayFunctions,
  array_length: UNSUPPORTED.arrayFunctions,
  array_contains: UNSUPPORTED.arrayFunctions,
  array_position: UNSUPPORTED.arrayFunctions,
  array_upper: UNSUPPORTED.arrayFunctions,
  array_lower: UNSUPPORTED.arrayFunctions,
  array_to_string: UNSUPPORTED.arrayFunctions,
  unnest: UNSUPPORTED.arrayFunctions,
  generate_series: UNSUPPORTED.madeRows,
  regexp_split_to_table: UNSUPPORTED.madeRows,
  string_to_table: UNSUPPORTED.madeRows,
  array_agg: UNSUPPORTED.arrayFunctions,
  bit_and: UNSUPPORTED.bitAggregates,
  bit_or: UNSUPPORTED.bitAggregates,
  bit_xor: UNSUPPORTED.bitAggregates,
} as const satisfies Readonly<Partial<Record<FunctionName, Refusal>>>;

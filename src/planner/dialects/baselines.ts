/** Functions that most engines lack. A dialect gives one of these tables as the base of its own, which names the functions that its engine has. */
import type { FunctionName } from "../functions/catalogue.ts";
import type { Refusal } from "../lowering/rules.ts";
import { sameRule } from "../lowering/rules.ts";
import { UNSUPPORTED } from "../lowering/templates/unsupported.ts";
import type { BinaryOperator } from "../syntax/tree.ts";

export const MOST_LACK = {
  ...sameRule("make_interval justify_hours justify_days justify_interval", UNSUPPORTED.intervalFunctions),
  make_time: UNSUPPORTED.makeTime,
  clock_timestamp: UNSUPPORTED.runningClock,
  ...sameRule("asinh acosh atanh", UNSUPPORTED.inverseHyperbolic),
  ...sameRule("json_build_object jsonb_build_object json_build_array jsonb_build_array", UNSUPPORTED.madeJson),
  ...sameRule("to_json to_jsonb json_agg jsonb_agg json_object_agg jsonb_object_agg", UNSUPPORTED.madeJson),
  ...sameRule("json_array_elements jsonb_array_elements json_array_elements_text", UNSUPPORTED.jsonRows),
  ...sameRule("jsonb_array_elements_text json_each jsonb_each json_each_text jsonb_each_text", UNSUPPORTED.jsonRows),
  ...sameRule("json_object_keys jsonb_object_keys", UNSUPPORTED.jsonRows),
  regexp_matches: UNSUPPORTED.matchesAsRows,
  product: UNSUPPORTED.product,
  skewness: UNSUPPORTED.skewness,
  kurtosis: UNSUPPORTED.kurtosis,
  mode: UNSUPPORTED.mostFrequent,
  max_by: UNSUPPORTED.maxBy,
  min_by: UNSUPPORTED.minBy,
} as const satisfies Readonly<Partial<Record<FunctionName, Refusal>>>;

const NO_ARRAY_CHANGES = sameRule(
  "array_append array_cat array_prepend array_remove array_replace",
  UNSUPPORTED.arrayChanges,
);

/** For engines with arrays, whose functions that make rows stand in FROM. */
export const MADE_ROWS_IN_FROM = {
  ...MOST_LACK,
  ...sameRule("unnest generate_series regexp_split_to_table string_to_table", UNSUPPORTED.rowsAsValue),
} as const satisfies Readonly<Partial<Record<FunctionName, Refusal>>>;

/** For engines with arrays that are not changed in a statement. */
export const UNCHANGED_ARRAYS = {
  ...MADE_ROWS_IN_FROM,
  ...NO_ARRAY_CHANGES,
} as const satisfies Readonly<Partial<Record<FunctionName, Refusal>>>;

/** Operators that most engines lack. */
export const MOST_LACK_OPERATORS = {
  "<<": UNSUPPORTED.bitShifts,
  ">>": UNSUPPORTED.bitShifts,
  "#-": UNSUPPORTED.jsonRemoval,
  ...sameRule("? ?| ?& @> <@", UNSUPPORTED.jsonKeys),
  "&&": UNSUPPORTED.arrayOperands,
  overlaps: UNSUPPORTED.overlaps,
} as const satisfies Readonly<Partial<Record<BinaryOperator, Refusal>>>;

/** The zone's fields of EXTRACT: all sessions run in UTC. */
export const NO_ZONE_FIELDS = {
  ...sameRule("timezone timezone_hour timezone_minute", UNSUPPORTED.zone),
} as const;

/** Functions that Doris (as it is planned for), Oracle, Redshift and SQL Server lack: those of arrays, bits, codes and encodings too. */
export const WITHOUT_ARRAYS = {
  ...MOST_LACK,
  ...NO_ARRAY_CHANGES,
  ascii: UNSUPPORTED.characterCodes,
  to_hex: UNSUPPORTED.hexadecimal,
  encode: UNSUPPORTED.encodedBytes,
  decode: UNSUPPORTED.decodedBytes,
  ...sameRule("regexp_match regexp_split_to_array string_to_array", UNSUPPORTED.arrayFunctions),
  localtime: UNSUPPORTED.currentTime,
  ...sameRule("cardinality array_length array_contains array_position array_upper", UNSUPPORTED.arrayFunctions),
  ...sameRule("array_lower array_to_string unnest", UNSUPPORTED.arrayFunctions),
  ...sameRule("generate_series regexp_split_to_table string_to_table", UNSUPPORTED.madeRows),
  array_agg: UNSUPPORTED.arrayFunctions,
  ...sameRule("bit_and bit_or bit_xor", UNSUPPORTED.bitAggregates),
} as const satisfies Readonly<Partial<Record<FunctionName, Refusal>>>;

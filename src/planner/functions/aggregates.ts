/** Aggregates and window functions of the input language. */
import { commonType } from "../common-type.ts";
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  INTEGER,
  JSONB_TYPE,
  jsonOf,
  NUMERIC,
  type SqlType,
  TEXT,
  UNKNOWN,
} from "../types.ts";
import { entry, ofFirst, type Specified } from "./specification.ts";

const aggregate = <const Name extends string>(name: Name, ...rest: Specified) => entry("aggregate", name, rest);
const window = <const Name extends string>(name: Name, ...rest: Specified) => entry("window", name, rest);

/** Sums never overflow silently: integers widen, 64-bit ones to numeric. */
const summed = ([type = UNKNOWN]: readonly SqlType[]): SqlType => {
  if (type.kind === "integer") return type.bits === 64 ? NUMERIC : BIGINT;
  return type.kind === "decimal" ? NUMERIC : type;
};

const averaged = ([type = UNKNOWN]: readonly SqlType[]): SqlType => {
  if (type.kind === "integer" || type.kind === "decimal") return NUMERIC;
  return type.kind === "float" ? DOUBLE : type;
};

/** Spread of exact numbers is exact, of doubles double. */
const spread = ([type = UNKNOWN]: readonly SqlType[]): SqlType =>
  type.kind === "integer" || type.kind === "decimal" ? NUMERIC : DOUBLE;

/** One value for each percentile that is asked for at once. */
export const ofEach =
  (type: SqlType) =>
  ([asked]: readonly SqlType[]): SqlType =>
    asked?.kind === "array" ? { kind: "array", element: type } : type;

export const AGGREGATES = [
  aggregate("count", "any?", BIGINT, { nulls: "never" }), // Number of rows, or of values that are not NULL.
  aggregate("sum", "any", summed), // Sum of the values; NULL over no rows.
  aggregate("avg", "any", averaged),
  aggregate("min", "any", ofFirst),
  aggregate("max", "any", ofFirst),
  aggregate("any_value", "any", ofFirst), // Not NULL, where there is another.
  aggregate("bool_and", "boolean", BOOLEAN),
  aggregate("bool_or", "boolean", BOOLEAN),
  aggregate("string_agg", "any text", TEXT), // Texts joined by a separator; NULLs are skipped.
  aggregate("array_agg", "any", ([type = UNKNOWN]) => ({ kind: "array", element: type })),
  aggregate("stddev_samp", "number", spread),
  aggregate("stddev_pop", "number", spread),
  aggregate("var_samp", "number", spread),
  aggregate("var_pop", "number", spread),
  aggregate("corr", "number number", DOUBLE),
  aggregate("covar_pop", "number number", DOUBLE),
  aggregate("covar_samp", "number number", DOUBLE),
  ...(["slope", "intercept", "r2", "avgx", "avgy", "sxx", "syy", "sxy"] as const).map((name) =>
    aggregate(`regr_${name}` as const, "number number", DOUBLE),
  ),
  aggregate("regr_count", "number number", BIGINT, { nulls: "never" }), // Number of pairs without NULL.
  aggregate("bit_and", "number", ofFirst),
  aggregate("bit_or", "number", ofFirst),
  aggregate("bit_xor", "number", ofFirst),
  aggregate("json_agg", "any", jsonOf), // Values as a JSON array, NULLs too.
  aggregate("jsonb_agg", "any", JSONB_TYPE), // Values as a JSON array, NULLs too.
  aggregate("json_object_agg", "any any", jsonOf),
  aggregate("jsonb_object_agg", "any any", JSONB_TYPE), // Names and values as a JSON object, in the order of jsonb.
  aggregate("max_by", "any any", ofFirst),
  aggregate("min_by", "any any", ofFirst),
  aggregate("product", "number", DOUBLE),
  aggregate("skewness", "number", DOUBLE),
  aggregate("kurtosis", "number", DOUBLE), // The excess over a normal distribution.
  aggregate("percentile_cont", "numbers", ofEach(DOUBLE)),
  aggregate("percentile_disc", "numbers", UNKNOWN),
  aggregate("mode", "", UNKNOWN),
  aggregate("approx_count_distinct", "any", BIGINT, { nulls: "never" }),
  aggregate("grouping", "any any? any? any? any? any? any? any?", INTEGER, { nulls: "never" }),
];

/** The default's type counts: `lag(n, 1, 0.5)` over integers is numeric. */
const withDefault = ([value = UNKNOWN, , otherwise]: readonly SqlType[]): SqlType =>
  (otherwise === undefined ? value : commonType([value, otherwise])) ?? UNKNOWN;

export const WINDOW_FUNCTIONS = [
  window("row_number", "", BIGINT, { nulls: "never" }),
  window("rank", "", BIGINT, { nulls: "never" }),
  window("dense_rank", "", BIGINT, { nulls: "never" }),
  window("percent_rank", "", DOUBLE, { nulls: "never" }),
  window("cume_dist", "", DOUBLE, { nulls: "never" }),
  window("ntile", "number", INTEGER),
  window("lag", "any number? any?", withDefault),
  window("lead", "any number? any?", withDefault),
  window("first_value", "any", ofFirst),
  window("last_value", "any", ofFirst),
  window("nth_value", "any number", ofFirst),
];

/** Aggregates and window functions of the input language. */
import { commonType, isNumberOfDays } from "../common-type.ts";
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  INTEGER,
  jsonOf,
  MADE_JSONB,
  NUMERIC,
  type SqlType,
  TEXT,
  UNKNOWN,
} from "../types.ts";
import { REGR_INTERCEPT, REGR_R2 } from "./meanings.ts";
import { defined, entry, type Facts, ofFirst, type Specified } from "./specification.ts";

const aggregate = <const Name extends string>(name: Name, ...rest: Specified) => entry("aggregate", name, rest);
const window = <const Name extends string>(name: Name, ...rest: Specified) => entry("window", name, rest);

/** Sums never overflow silently: integers widen, 64-bit ones to numeric. */
const summed = ([type = UNKNOWN]: readonly SqlType[]): SqlType => {
  if (type.kind === "integer") return type.bits === 64 ? NUMERIC : BIGINT;
  return type.kind === "decimal" && !isNumberOfDays(type) ? NUMERIC : type;
};

const averaged = ([type = UNKNOWN]: readonly SqlType[]): SqlType => {
  if (type.kind === "integer" || type.kind === "decimal") return NUMERIC;
  return type.kind === "float" ? DOUBLE : type;
};

/** Spread of exact numbers is exact, of doubles double. */
const spread = ([type = UNKNOWN]: readonly SqlType[]): SqlType =>
  type.kind === "integer" || type.kind === "decimal" ? NUMERIC : DOUBLE;

/** One value for each requested percentile. */
export const ofEach =
  (type: SqlType) =>
  ([asked]: readonly SqlType[]): SqlType =>
    asked?.kind === "array" ? { kind: "array", element: type } : type;

const VALUE: Facts = { digits: "of the first", chooses: true, neverRaises: "one" };
const EXTREME: Facts = { ...VALUE, compares: true, repetition: "indifferent" };
const TRUTH: Facts = { repetition: "indifferent", neverRaises: "booleans" };
/** The result depends on all values equally: for a single distinct value, repetition does not change it. */
const OF_ONE_VALUE: Facts = { repetition: "indifferent to one value" };
const OF_POPULATION: Facts = { ...OF_ONE_VALUE, digits: "computed" };
const COLLECTED: Facts = { collects: true, keepsNulls: true };

export const AGGREGATES = [
  aggregate("count", "any?", BIGINT, { nulls: "never", neverRaises: "one" }), // Number of rows, or of values that are not NULL.
  aggregate("sum", "any", summed, { digits: "of the first", neverRaises: "exact numbers" }), // Sum of the values; NULL over no rows.
  aggregate("avg", "any", averaged, { ...OF_POPULATION, neverRaises: "exact numbers" }),
  aggregate("min", "any", ofFirst, EXTREME),
  aggregate("max", "any", ofFirst, EXTREME),
  aggregate("any_value", "any", ofFirst, { ...VALUE, repetition: "indifferent", polymorphic: true }), // Skips NULLs.
  aggregate("bool_and", "boolean", BOOLEAN, TRUTH),
  aggregate("bool_or", "boolean", BOOLEAN, TRUTH),
  aggregate("string_agg", "any text", TEXT, { collects: true }), // Texts joined by a separator; NULLs are skipped.
  // NULLs are skipped on every source (docs/spec/language.md).
  aggregate("array_agg", "any", ([type = UNKNOWN]) => ({ kind: "array", element: type }), {
    collects: true,
    polymorphic: true,
  }),
  aggregate("stddev_samp", "number", spread, { digits: "computed" }),
  aggregate("stddev_pop", "number", spread, OF_POPULATION),
  aggregate("var_samp", "number", spread, { digits: "computed" }),
  aggregate("var_pop", "number", spread, OF_POPULATION),
  aggregate("corr", "number number", DOUBLE),
  aggregate("covar_pop", "number number", DOUBLE),
  aggregate("covar_samp", "number number", DOUBLE),
  aggregate("regr_slope", "number number", DOUBLE),
  defined(aggregate("regr_intercept", "number number", DOUBLE), REGR_INTERCEPT),
  defined(aggregate("regr_r2", "number number", DOUBLE), REGR_R2),
  ...(["avgx", "avgy", "sxx", "syy", "sxy"] as const).map((name) =>
    aggregate(`regr_${name}` as const, "number number", DOUBLE),
  ),
  aggregate("regr_count", "number number", BIGINT, { nulls: "never" }), // Number of pairs without NULL.
  aggregate("bit_and", "number", ofFirst, { repetition: "indifferent" }),
  aggregate("bit_or", "number", ofFirst, { repetition: "indifferent" }),
  aggregate("bit_xor", "number", ofFirst),
  aggregate("json_agg", "any", jsonOf, COLLECTED), // Values as a JSON array, NULLs too.
  aggregate("jsonb_agg", "any", MADE_JSONB, COLLECTED), // Values as a JSON array, NULLs too.
  aggregate("json_object_agg", "any any", jsonOf, { keepsNulls: true }),
  aggregate("jsonb_object_agg", "any any", MADE_JSONB, { keepsNulls: true }), // Names and values as a JSON object, in the order of jsonb.
  aggregate("max_by", "any any", ofFirst),
  aggregate("min_by", "any any", ofFirst),
  aggregate("product", "number", DOUBLE),
  aggregate("skewness", "number", DOUBLE),
  aggregate("kurtosis", "number", DOUBLE), // The excess over a normal distribution.
  aggregate("percentile_cont", "numbers", ofEach(DOUBLE), { ...OF_ONE_VALUE, orderedSet: "interpolated" }),
  aggregate("percentile_disc", "numbers", UNKNOWN, { ...OF_ONE_VALUE, orderedSet: "chosen" }),
  aggregate("mode", "", UNKNOWN, { ...OF_ONE_VALUE, orderedSet: "chosen" }),
  aggregate("approx_count_distinct", "any", BIGINT, { nulls: "never", repetition: "indifferent" }),
  aggregate("grouping", "any any? any? any? any? any? any? any?", INTEGER, {
    nulls: "never",
    repetition: "indifferent",
  }),
];

/** The default's type counts: `lag(n, 1, 0.5)` over integers is numeric. */
const withDefault = ([value = UNKNOWN, , otherwise]: readonly SqlType[]): SqlType =>
  (otherwise === undefined ? value : commonType([value, otherwise])) ?? UNKNOWN;

const RANK: Facts = { nulls: "never", neverRaises: "none" };
const PLACED: Facts = { ...VALUE, polymorphic: true };
const NEIGHBOUR: Facts = { ...PLACED, digits: "of value and default" };

export const WINDOW_FUNCTIONS = [
  window("row_number", "", BIGINT, RANK),
  window("rank", "", BIGINT, RANK),
  window("dense_rank", "", BIGINT, RANK),
  window("percent_rank", "", DOUBLE, RANK),
  window("cume_dist", "", DOUBLE, RANK),
  window("ntile", "number", INTEGER),
  window("lag", "any number? any?", withDefault, NEIGHBOUR),
  window("lead", "any number? any?", withDefault, NEIGHBOUR),
  window("first_value", "any", ofFirst, PLACED),
  window("last_value", "any", ofFirst, PLACED),
  window("nth_value", "any number", ofFirst, { digits: "of the first", chooses: true, polymorphic: true }),
];

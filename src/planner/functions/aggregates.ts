/** Aggregates and window functions of the input language. */
import { commonType } from "../common-type.ts";
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  INTEGER,
  JSON_TYPE,
  JSONB_TYPE,
  NUMERIC,
  type SqlType,
  TEXT,
  UNKNOWN,
} from "../types.ts";
import type { Accepts, FunctionSpecification } from "./specification.ts";

type Result = SqlType | ((types: readonly SqlType[]) => SqlType);

function define<const Name extends string>(
  kind: "aggregate" | "window",
  name: Name,
  parameters: string,
  result: Result,
  description: string,
  nulls: FunctionSpecification["nulls"] = "possible",
): FunctionSpecification<Name> {
  const words = parameters === "" ? [] : parameters.split(" ");
  return {
    name,
    kind,
    parameters: words.map((word) => word.replace("?", "") as Accepts),
    required: words.filter((word) => !word.endsWith("?")).length,
    variadic: false,
    result: typeof result === "function" ? result : () => result,
    safety: "pure",
    nulls,
    description,
  };
}

type Rest = readonly [parameters: string, result: Result, description: string, nulls?: FunctionSpecification["nulls"]];
const aggregate = <const Name extends string>(name: Name, ...rest: Rest) => define("aggregate", name, ...rest);
const window = <const Name extends string>(name: Name, ...rest: Rest) => define("window", name, ...rest);

const first = (types: readonly SqlType[]): SqlType => types[0] ?? UNKNOWN;

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

export const AGGREGATES = [
  aggregate("count", "any?", BIGINT, "Number of rows, or of values that are not NULL.", "never"),
  aggregate("sum", "any", summed, "Sum of the values; NULL over no rows."),
  aggregate("avg", "any", averaged, "Mean of the values."),
  aggregate("min", "any", first, "Smallest value."),
  aggregate("max", "any", first, "Largest value."),
  aggregate("any_value", "any", first, "Some value that is not NULL."),
  aggregate("bool_and", "boolean", BOOLEAN, "Whether all values are true."),
  aggregate("bool_or", "boolean", BOOLEAN, "Whether any value is true."),
  aggregate("string_agg", "any text", TEXT, "Texts joined by a separator; NULLs are skipped."),
  aggregate(
    "array_agg",
    "any",
    ([type = UNKNOWN]) => ({ kind: "array", element: type }),
    "Values as an array; NULLs are skipped.",
  ),
  aggregate("stddev_samp", "number", spread, "Standard deviation of a sample."),
  aggregate("stddev_pop", "number", spread, "Standard deviation of a population."),
  aggregate("var_samp", "number", spread, "Variance of a sample."),
  aggregate("var_pop", "number", spread, "Variance of a population."),
  aggregate("corr", "number number", DOUBLE, "Correlation coefficient."),
  aggregate("covar_pop", "number number", DOUBLE, "Covariance of a population."),
  aggregate("covar_samp", "number number", DOUBLE, "Covariance of a sample."),
  ...(["slope", "intercept", "r2", "avgx", "avgy", "sxx", "syy", "sxy"] as const).map((name) =>
    aggregate(`regr_${name}` as const, "number number", DOUBLE, "A statistic of the least-squares line."),
  ),
  aggregate("regr_count", "number number", BIGINT, "Number of pairs without NULL.", "never"),
  aggregate("bit_and", "number", first, "Bitwise AND of the values."),
  aggregate("bit_or", "number", first, "Bitwise OR of the values."),
  aggregate("bit_xor", "number", first, "Bitwise exclusive OR of the values."),
  aggregate("json_agg", "any", JSON_TYPE, "Values as a JSON array, NULLs too."),
  aggregate("jsonb_agg", "any", JSONB_TYPE, "Values as a JSON array, NULLs too."),
  aggregate("json_object_agg", "any any", JSON_TYPE, "Names and values as a JSON object."),
  aggregate("jsonb_object_agg", "any any", JSONB_TYPE, "Names and values as a JSON object, in the order of jsonb."),
  aggregate("max_by", "any any", first, "The first argument where the second is largest."),
  aggregate("min_by", "any any", first, "The first argument where the second is smallest."),
  aggregate("product", "number", DOUBLE, "Product of the values."),
  aggregate("skewness", "number", DOUBLE, "Skewness of a sample."),
  aggregate("kurtosis", "number", DOUBLE, "Excess kurtosis of a sample."),
  aggregate("percentile_cont", "number", DOUBLE, "Interpolated percentile WITHIN GROUP (ORDER BY …)."),
  aggregate("percentile_disc", "number", UNKNOWN, "First value at or past a percentile WITHIN GROUP (ORDER BY …)."),
  aggregate("mode", "", UNKNOWN, "Most frequent value WITHIN GROUP (ORDER BY …)."),
  aggregate("approx_count_distinct", "any", BIGINT, "Estimate of the number of distinct values.", "never"),
  aggregate(
    "grouping",
    "any any? any? any? any? any? any? any?",
    INTEGER,
    "Bit mask of the keys that are not grouped.",
    "never",
  ),
];

/** The default's type counts: `lag(n, 1, 0.5)` over integers is numeric. */
const withDefault = ([value = UNKNOWN, , otherwise]: readonly SqlType[]): SqlType =>
  (otherwise === undefined ? value : commonType([value, otherwise])) ?? UNKNOWN;

export const WINDOW_FUNCTIONS = [
  window("row_number", "", BIGINT, "Number of the row in its partition.", "never"),
  window("rank", "", BIGINT, "Rank with gaps.", "never"),
  window("dense_rank", "", BIGINT, "Rank without gaps.", "never"),
  window("percent_rank", "", DOUBLE, "Relative rank from 0 to 1.", "never"),
  window("cume_dist", "", DOUBLE, "Share of the rows up to this one.", "never"),
  window("ntile", "number", INTEGER, "Number of the bucket."),
  window("lag", "any number? any?", withDefault, "Value of an earlier row."),
  window("lead", "any number? any?", withDefault, "Value of a later row."),
  window("first_value", "any", first, "Value of the frame's first row."),
  window("last_value", "any", first, "Value of the frame's last row."),
  window("nth_value", "any number", first, "Value of the frame's n-th row."),
];

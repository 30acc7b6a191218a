/** Rules for the functions of the catalogue on SQL Server 2019 and later, by the manual: https://learn.microsoft.com/en-us/sql/t-sql/functions/functions */
import { unsupported } from "../../diagnostics.ts";
import { ageOf } from "../../lowering/ages.ts";
import { extreme } from "../../lowering/extremes.ts";
import { readDate } from "../../lowering/literal-dates.ts";
import { compared, grouping } from "../../lowering/ordered-windows.ts";
import { countedNulls } from "../../lowering/present-values.ts";
import { pairs } from "../../lowering/regression.ts";
import { functionRules, type Rules } from "../../lowering/rules.ts";
import {
  binary,
  call,
  cast,
  inPlaceOf,
  integer,
  isNull,
  not,
  renamed,
  typed,
  values,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, typeOrUnknown } from "../../types.ts";
import { counted, neighbour, ofBooleans, ofShortNumbers, ofWide, ordered, plainAggregate } from "./aggregates.ts";
import { nullIf } from "./exact-text.ts";
import { extractedPath, extractedText } from "./json.ts";
import {
  bytesOf,
  concatenated,
  end,
  joinedTexts,
  joinedValues,
  length,
  padded,
  partOfText,
  position,
  positionIn,
  repeated,
  replaced,
  reversed,
  startsWith,
  substring,
  translated,
  trimmed,
  upperOrLower,
} from "./texts.ts";
import { currentDate, currentTimestamp, dateDifference, lastDay, literalTime, ofEpoch, truncated } from "./times.ts";
import { dateText } from "./to-char.ts";

/** Some functions return an integer for integers. */
const ofDouble =
  (name: string) =>
  (node: Call): Expression => {
    const [first, ...others] = values(node);
    if (first === undefined) return node;
    return call(name, [cast(first, "double precision", typed(DOUBLE, first)), ...others], inPlaceOf(node));
  };

function rounded(node: Call): Expression {
  const all = values(node);
  return all.length > 1 ? node : withArguments(node, [...all, integer(0, node)]);
}

const cutOff = (node: Call): Expression => {
  const [value, digits = integer(0, node)] = values(node);
  return value === undefined ? node : call("round", [value, digits, integer(1, node)], inPlaceOf(node));
};

function logarithm(node: Call): Expression {
  const [first, second] = values(node);
  if (first === undefined) return node;
  return call(
    second === undefined ? "log10" : "log",
    second === undefined ? [first] : [second, first],
    inPlaceOf(node),
  );
}

const operator =
  (sign: "%" | "/", kinds: readonly string[]) =>
  (node: Call): Expression => {
    const [left, right] = values(node);
    const isWhole = [left, right].every((each) => each !== undefined && kinds.includes(typeOrUnknown(each).kind));
    if (left !== undefined && right !== undefined && isWhole) return binary(left, sign, right, inPlaceOf(node));
    throw unsupported(`${node.name[0]?.name ?? ""} of fractions`, node.span);
  };

const isFinite = (node: Call): Expression => not(isNull(values(node)[0] ?? node, false));

function dateByFormat(node: Call): Expression {
  if (node.arguments.length > 1) return literalTime(readDate(node));
  return ofEpoch(node);
}

const NO_ARRAYS = { refused: "arrays", hint: "Use rows: a table, or string_agg for a list to show." };
const NO_JSON = { refused: "functions of json" };
const NO_ROWS = { refused: "a function that makes rows" };
const NO_INTERVALS = { refused: "an interval as a value", hint: "Use date_diff('day', a, b)." };
const NO_HYPERBOLA = { refused: "hyperbolic functions", hint: "Write (exp(x) - exp(-x)) / 2 and its like." };
const NO_BITS = { refused: "aggregates of bits" };
const NO_PATTERNS = { refused: "regular expressions", hint: "Use LIKE." };
const NO_PERCENTILES = { refused: "a percentile of groups", hint: "Number the rows in a subquery." };
const NO_REGRESSION = { refused: "the regression function", hint: "Ask for corr or regr_slope." };
const NO_CODES = { refused: "codes of characters" };
const NO_CLOCK = { refused: "the time of day", hint: "Use now()." };

export const mssqlFunctions = (): Rules<Call> =>
  functionRules(["abs floor sign sqrt exp pi sin cos tan cot asin acos atan log10 coalesce"], {
    // numbers
    ceil: { as: "ceiling" },
    round: rounded,
    trunc: cutOff,
    cbrt: { refused: "a cube root", hint: "Write x ^ (1.0 / 3)." },
    ln: { as: "log" },
    log: logarithm,
    power: ofDouble("power"),
    mod: operator("%", ["integer", "decimal"]),
    div: operator("/", ["integer"]),
    gcd: { refused: "the greatest common divisor" },
    lcm: { refused: "the least common multiple" },
    degrees: ofDouble("degrees"),
    radians: ofDouble("radians"),
    atan2: { as: "atn2" },
    sinh: NO_HYPERBOLA,
    cosh: NO_HYPERBOLA,
    tanh: NO_HYPERBOLA,
    asinh: NO_HYPERBOLA,
    acosh: NO_HYPERBOLA,
    atanh: NO_HYPERBOLA,
    random: { refused: "random()", hint: "RAND is one number for a whole statement." },
    greatest: extreme(">="),
    least: extreme("<="),
    width_bucket: { refused: "width_bucket", hint: "Write floor((x - low) / width) + 1." },
    factorial: { refused: "a factorial" },
    num_nulls: (node) => countedNulls(node, true),
    num_nonnulls: (node) => countedNulls(node, false),
    nullif: nullIf,
    // texts
    upper: upperOrLower,
    lower: upperOrLower,
    reverse: reversed,
    repeat: repeated,
    initcap: { refused: "initcap" },
    length,
    bit_length: { refused: "bit_length" },
    octet_length: bytesOf,
    substring,
    left: end,
    right: end,
    lpad: padded,
    rpad: padded,
    btrim: trimmed,
    ltrim: trimmed,
    rtrim: trimmed,
    position,
    strpos: positionIn,
    replace: replaced,
    translate: translated,
    overlay: { refused: "overlay", hint: "Join left(…), the text and substring(…)." },
    concat: concatenated,
    concat_ws: joinedValues,
    split_part: partOfText,
    starts_with: startsWith,
    ascii: NO_CODES,
    chr: NO_CODES,
    md5: { refused: "md5" },
    quote_literal: { refused: "a text as a literal" },
    quote_nullable: { refused: "a text as a literal" },
    to_hex: { refused: "to_hex" },
    encode: { refused: "encoded bytes" },
    decode: { refused: "decoded bytes" },
    regexp_replace: NO_PATTERNS,
    regexp_like: NO_PATTERNS,
    regexp_substr: NO_PATTERNS,
    regexp_count: NO_PATTERNS,
    regexp_match: NO_ARRAYS,
    regexp_split_to_array: NO_ARRAYS,
    string_to_array: NO_ARRAYS,
    // dates
    last_day: lastDay,
    date_trunc: truncated,
    age: ageOf,
    date_diff: dateDifference,
    make_date: { as: "datefromparts" },
    make_time: { refused: "make_time" },
    make_timestamp: { refused: "make_timestamp" },
    make_interval: NO_INTERVALS,
    justify_hours: NO_INTERVALS,
    justify_days: NO_INTERVALS,
    justify_interval: NO_INTERVALS,
    date_bin: { refused: "date_bin", hint: "Use date_trunc." },
    // There is no infinite one.
    isfinite: isFinite,
    to_char: dateText,
    to_date: dateByFormat,
    to_timestamp: dateByFormat,
    now: currentTimestamp,
    statement_timestamp: currentTimestamp,
    transaction_timestamp: currentTimestamp,
    clock_timestamp: { refused: "the time while a statement runs", hint: "Use now()." },
    current_timestamp: currentTimestamp,
    current_date: currentDate,
    localtimestamp: currentTimestamp,
    localtime: NO_CLOCK,
    gen_random_uuid: { as: "newid" },
    // JSON
    json_extract_path: extractedPath,
    json_extract_path_text: extractedText,
    json_build_object: NO_JSON,
    jsonb_build_object: NO_JSON,
    json_build_array: NO_JSON,
    jsonb_build_array: NO_JSON,
    to_json: NO_JSON,
    to_jsonb: NO_JSON,
    json_array_length: NO_JSON,
    json_typeof: NO_JSON,
    // arrays
    cardinality: NO_ARRAYS,
    array_length: NO_ARRAYS,
    array_contains: NO_ARRAYS,
    contains: { refused: "contains", hint: "Use LIKE." },
    array_position: NO_ARRAYS,
    array_append: NO_ARRAYS,
    array_cat: NO_ARRAYS,
    array_prepend: NO_ARRAYS,
    array_remove: NO_ARRAYS,
    array_replace: NO_ARRAYS,
    array_upper: NO_ARRAYS,
    array_lower: NO_ARRAYS,
    array_to_string: NO_ARRAYS,
    // rows
    unnest: NO_ARRAYS,
    generate_series: NO_ROWS,
    json_array_elements: NO_ROWS,
    jsonb_array_elements: NO_ROWS,
    json_array_elements_text: NO_ROWS,
    jsonb_array_elements_text: NO_ROWS,
    json_each: NO_ROWS,
    jsonb_each: NO_ROWS,
    json_each_text: NO_ROWS,
    jsonb_each_text: NO_ROWS,
    json_object_keys: NO_ROWS,
    jsonb_object_keys: NO_ROWS,
    regexp_split_to_table: NO_ROWS,
    string_to_table: NO_ROWS,
    regexp_matches: NO_ROWS,
    // aggregates
    count: counted,
    sum: ofWide("sum"),
    avg: ofWide("avg"),
    min: compared,
    max: compared,
    any_value: (node) => renamed(compared(node), "max"),
    bool_and: ofBooleans("min"),
    bool_or: ofBooleans("max"),
    string_agg: joinedTexts,
    array_agg: NO_ARRAYS,
    stddev_samp: plainAggregate("stdev"),
    stddev_pop: plainAggregate("stdevp"),
    var_samp: plainAggregate("var"),
    var_pop: plainAggregate("varp"),
    corr: ofShortNumbers,
    covar_pop: ofShortNumbers,
    covar_samp: ofShortNumbers,
    regr_slope: ofShortNumbers,
    regr_intercept: NO_REGRESSION,
    regr_r2: NO_REGRESSION,
    regr_avgx: ofShortNumbers,
    regr_avgy: ofShortNumbers,
    regr_sxx: ofShortNumbers,
    regr_syy: ofShortNumbers,
    regr_sxy: ofShortNumbers,
    regr_count: pairs("count_big"),
    bit_and: NO_BITS,
    bit_or: NO_BITS,
    bit_xor: NO_BITS,
    json_agg: NO_JSON,
    jsonb_agg: NO_JSON,
    json_object_agg: NO_JSON,
    jsonb_object_agg: NO_JSON,
    max_by: { refused: "max_by", hint: "Use first_value(x) OVER (… ORDER BY y DESC)." },
    min_by: { refused: "min_by", hint: "Use first_value(x) OVER (… ORDER BY y)." },
    product: { refused: "a product of rows" },
    skewness: { refused: "the skewness of values" },
    kurtosis: { refused: "the kurtosis of values" },
    percentile_cont: NO_PERCENTILES,
    percentile_disc: NO_PERCENTILES,
    mode: { refused: "the most frequent value", hint: "Count in a subquery and take the first row." },
    approx_count_distinct: (node) => counted({ ...node, distinct: true }),
    grouping,
    row_number: ordered,
    rank: ordered,
    dense_rank: ordered,
    percent_rank: ordered,
    cume_dist: ordered,
    ntile: ordered,
    lag: neighbour,
    lead: neighbour,
    first_value: ordered,
    last_value: ordered,
    nth_value: { refused: "nth_value", hint: "Number the rows in a subquery." },
  });

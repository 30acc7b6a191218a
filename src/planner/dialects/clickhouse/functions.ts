/** What ClickHouse says for each function of the catalogue. Seen on ClickHouse 26.7; what nobody has looked at is refused. */
import { isNullable } from "../../binding/nullability.ts";
import { functionSayings, type Sayings } from "../../lowering/sayings.ts";
import { substring } from "../../lowering/substrings.ts";
import { unsupported } from "../../lowering/target.ts";
import {
  call,
  cast,
  comparison,
  inPlaceOf,
  integer,
  renamed,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, typeOrUnknown } from "../../types.ts";
import { alike, average, isDecimal, isWhole, scaleOf, settled, sum, wholeOf } from "./numbers.ts";
import { concatenated, inOrder, length } from "./texts.ts";
import { difference, moment, truncated } from "./times.ts";

/** Its argument as a double. */
const ofDouble =
  (name: string) =>
  (node: Call): Expression => {
    const parts = values(node).map((each) => cast(each, "double precision", typed(DOUBLE, each)));
    return call(name, parts, inPlaceOf(node));
  };

const ofText =
  (name: string) =>
  (node: Call): Expression => {
    if (values(node).some((each) => !["text", "integer"].includes(typeOrUnknown(each).kind))) {
      throw unsupported(`${node.name[0]?.name ?? ""} of this`, node.span);
    }
    return renamed(node, name);
  };

function rounded(node: Call): Expression {
  const [value, digits] = values(node);
  if (value === undefined || !(isDecimal(value) || typeOrUnknown(value).kind === "float")) {
    throw unsupported("a rounding of this", node.span);
  }
  if (digits !== undefined && digits.kind !== "number") throw unsupported("a computed number of digits", digits.span);
  if (!isDecimal(value)) return node;
  const scale = scaleOf(value);
  if (scale === undefined) throw unsupported("a rounding of digits that are not known", node.span);
  return settled(node, scale, node);
}

const ofNumber = (node: Call): Expression => {
  const [value, ...others] = values(node);
  if (value === undefined || others.length > 0) throw unsupported(`this ${node.name[0]?.name ?? ""}`, node.span);
  const scale = isDecimal(value) ? scaleOf(value) : undefined;
  return scale === undefined ? node : settled(node, scale, node);
};

function absolute(node: Call): Expression {
  const [value] = values(node);
  // Of the least number there is no other sign; literals stay as they are.
  if (value === undefined || !isWhole(value) || value.kind === "number" || value.kind === "unary") return node;
  return call(
    "in 64 bits",
    [withArguments(node, [call("in 128 bits", [value], typed(BIGINT, value))])],
    inPlaceOf(node),
  );
}

function remainder(node: Call): Expression {
  const [left, right] = values(node);
  if (left !== undefined && right !== undefined && isWhole(left) && isWhole(right))
    return wholeOf("%", left, right, node);
  throw unsupported("mod of fractions", node.span);
}

function counted(node: Call): Expression {
  if (node.distinct && node.arguments.length !== 1) throw unsupported("count(DISTINCT …) of several values", node.span);
  if (values(node).some(({ kind }) => kind === "row")) throw unsupported("count of a row", node.span);
  return call("count in 64 bits", [node], inPlaceOf(node));
}

/** Of values that have an order there and here. */
function extreme(node: Call): Expression {
  for (const value of values(node)) {
    const { kind } = typeOrUnknown(value);
    if (!["integer", "decimal", "float", "text", "date", "timestamp"].includes(kind)) {
      throw unsupported(`${node.name[0]?.name ?? ""} of ${kind}`, node.span);
    }
  }
  return withArguments(node, values(node).map(inOrder));
}

const ofBooleans =
  (name: "min" | "max") =>
  (node: Call): Expression =>
    renamed(node, name);

/** NaN for a single value, where there is none. */
const spread =
  (name: string) =>
  (node: Call): Expression => {
    const [value] = values(node);
    if (value === undefined || node.distinct || node.over !== undefined) throw unsupported(`this ${name}`, node.span);
    const found = withArguments(renamed(node, name), [cast(value, "double precision", typed(DOUBLE, value))]);
    const enough = comparison({ ...renamed(node, "count"), type: BIGINT }, ">", integer(1, node), node);
    return when(enough, { ...found, type: DOUBLE }, undefined, inPlaceOf(node));
  };

const place = (node: Call): Expression => call("count in 64 bits", [node], inPlaceOf(node));

/** Beyond the rows it gives the type's default, unless the value may be NULL. */
function neighbour(node: Call): Expression {
  const [value, distance, otherwise] = values(node);
  if (value === undefined) return node;
  if (distance !== undefined && distance.kind !== "number") {
    throw unsupported("a computed distance between rows", distance.span, "Write it as a literal.");
  }
  if (otherwise !== undefined)
    throw unsupported("a value for rows that are not there", node.span, "Use coalesce(lag(x), …).");
  const parts = [call("tonullable", [value], inPlaceOf(value)), ...(distance === undefined ? [] : [distance])];
  return withArguments(node, parts);
}

/** As it stands it leaves NULLs out. */
const nth = (node: Call): Expression => {
  const [value, ...others] = values(node);
  if (value === undefined) return node;
  return { ...withArguments(node, [call("tonullable", [value], inPlaceOf(value)), ...others]), nulls: "respect" };
};

function percentile(node: Call): Expression {
  const [fraction] = values(node);
  const [sort] = node.withinGroup;
  const isNumber = sort && ["integer", "decimal", "float"].includes(typeOrUnknown(sort.expression).kind);
  if (fraction?.kind !== "number" || !sort || !isNumber || sort.direction === "desc" || node.over || node.distinct) {
    throw unsupported("this percentile", node.span, "Ask for a literal fraction of numbers, in a grouped query.");
  }
  const value = cast(sort.expression, "double precision", typed(DOUBLE, sort.expression));
  return { ...call("exact quantile", [fraction, value], inPlaceOf(node)), filter: node.filter };
}

const NO_ARRAYS = { refused: "arrays", hint: "Use rows: a table." };
const NO_JSON = { refused: "functions of json" };
const NO_ROWS = { refused: "a function that makes rows" };
const NO_INTERVALS = { refused: "an interval as a value", hint: "Use date_diff('day', a, b)." };
const NO_BITS = { refused: "aggregates of bits" };
const NO_PATTERNS = { refused: "regular expressions", hint: "Use LIKE." };
const NO_REGRESSION = { refused: "a regression or correlation" };
const NO_FUNCTION = { refused: "this function" };
const NO_CLOCK = { refused: "the time of day", hint: "Use now()." };
const now = (node: Call): Expression => call("current moment", [], inPlaceOf(node));

export const clickHouseFunctions = (): Sayings<Call> =>
  functionSayings(["percent_rank cume_dist"], {
    row_number: place,
    rank: place,
    dense_rank: place,
    coalesce: (node) => withArguments(node, alike(values(node), node)),
    // numbers
    abs: absolute,
    sign: NO_FUNCTION,
    exp: ofDouble("exp"),
    ceil: ofNumber,
    floor: ofNumber,
    round: rounded,
    trunc: NO_FUNCTION,
    sqrt: ofDouble("sqrt"),
    cbrt: NO_FUNCTION,
    ln: ofDouble("log"),
    log: (node) => (node.arguments.length === 1 ? ofDouble("log10")(node) : refused(node)),
    log10: ofDouble("log10"),
    power: ofDouble("power"),
    mod: remainder,
    div: (node) => {
      const [left, right] = values(node);
      return left && right && isWhole(left) && isWhole(right) ? wholeOf("/", left, right, node) : refused(node);
    },
    gcd: NO_FUNCTION,
    lcm: NO_FUNCTION,
    pi: NO_FUNCTION,
    degrees: NO_FUNCTION,
    radians: NO_FUNCTION,
    sin: NO_FUNCTION,
    cos: NO_FUNCTION,
    tan: NO_FUNCTION,
    cot: NO_FUNCTION,
    asin: NO_FUNCTION,
    acos: NO_FUNCTION,
    atan: NO_FUNCTION,
    atan2: NO_FUNCTION,
    sinh: NO_FUNCTION,
    cosh: NO_FUNCTION,
    tanh: NO_FUNCTION,
    asinh: NO_FUNCTION,
    acosh: NO_FUNCTION,
    atanh: NO_FUNCTION,
    random: NO_FUNCTION,
    greatest: furthest,
    least: furthest,
    width_bucket: NO_FUNCTION,
    factorial: NO_FUNCTION,
    num_nulls: NO_FUNCTION,
    num_nonnulls: NO_FUNCTION,
    nullif: (node) => (values(node).some((each) => !isComparable(each)) ? refused(node) : node),
    // texts
    upper: ofText("upper"),
    lower: ofText("lower"),
    reverse: ofText("reverse"),
    repeat: withLength("repeat"),
    initcap: NO_FUNCTION,
    length,
    bit_length: NO_FUNCTION,
    octet_length: NO_FUNCTION,
    substring,
    left: withLength("left"),
    right: withLength("right"),
    lpad: withLength("leftpad"),
    rpad: withLength("rightpad"),
    btrim: trimmed("trimBoth"),
    ltrim: trimmed("trimLeft"),
    rtrim: trimmed("trimRight"),
    position: ofText("position"),
    strpos: (node) => ofText("position")(withArguments(node, [...values(node)].reverse())),
    replace: (node) => {
      const [, from] = values(node);
      return from?.kind === "string" && from.value !== "" ? ofText("replaceall")(node) : refused(node);
    },
    translate: NO_FUNCTION,
    overlay: NO_FUNCTION,
    concat: concatenated,
    concat_ws: NO_FUNCTION,
    split_part: (node) => {
      const [value, separator, place] = values(node);
      const isSure =
        separator?.kind === "string" && separator.value !== "" && place?.kind === "number" && place.text !== "0";
      if (value === undefined || typeOrUnknown(value).kind !== "text" || !isSure) return refused(node);
      return call("part of text", [value, separator, place], inPlaceOf(node));
    },
    starts_with: ofText("startswith"),
    ascii: NO_FUNCTION,
    chr: NO_FUNCTION,
    md5: NO_FUNCTION,
    quote_literal: NO_FUNCTION,
    quote_nullable: NO_FUNCTION,
    to_hex: NO_FUNCTION,
    encode: NO_FUNCTION,
    decode: NO_FUNCTION,
    regexp_replace: NO_PATTERNS,
    regexp_like: NO_PATTERNS,
    regexp_substr: NO_PATTERNS,
    regexp_count: NO_PATTERNS,
    regexp_match: NO_ARRAYS,
    regexp_split_to_array: NO_ARRAYS,
    string_to_array: NO_ARRAYS,
    // dates
    last_day: NO_FUNCTION,
    date_trunc: truncated,
    age: { refused: "an age", hint: "Use date_diff('day', a, b)." },
    date_diff: difference,
    make_date: NO_FUNCTION,
    make_time: NO_FUNCTION,
    make_timestamp: NO_FUNCTION,
    make_interval: NO_INTERVALS,
    justify_hours: NO_INTERVALS,
    justify_days: NO_INTERVALS,
    justify_interval: NO_INTERVALS,
    date_bin: { refused: "date_bin", hint: "Use date_trunc." },
    isfinite: NO_FUNCTION,
    to_char: { refused: "to_char", hint: "Use extract and ||." },
    to_date: { refused: "to_date", hint: "Write DATE '2024-01-31'." },
    to_timestamp: { refused: "to_timestamp", hint: "Write TIMESTAMP '2024-01-31 12:00:00'." },
    now,
    statement_timestamp: now,
    transaction_timestamp: now,
    clock_timestamp: NO_CLOCK,
    current_timestamp: now,
    current_date: (node) => cast(moment(now(node)), "date", inPlaceOf(node)),
    localtimestamp: (node) => moment(now(node)),
    localtime: NO_CLOCK,
    gen_random_uuid: NO_FUNCTION,
    // JSON
    json_extract_path: NO_JSON,
    json_extract_path_text: NO_JSON,
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
    sum,
    avg: average,
    min: extreme,
    max: extreme,
    any_value: extreme,
    bool_and: ofBooleans("min"),
    bool_or: ofBooleans("max"),
    string_agg: { refused: "string_agg" },
    array_agg: NO_ARRAYS,
    stddev_samp: spread("stddevSamp"),
    stddev_pop: ofDoubles("stddevPop"),
    var_samp: spread("varSamp"),
    var_pop: ofDoubles("varPop"),
    corr: NO_REGRESSION,
    covar_pop: NO_REGRESSION,
    covar_samp: NO_REGRESSION,
    regr_slope: NO_REGRESSION,
    regr_intercept: NO_REGRESSION,
    regr_r2: NO_REGRESSION,
    regr_avgx: NO_REGRESSION,
    regr_avgy: NO_REGRESSION,
    regr_sxx: NO_REGRESSION,
    regr_syy: NO_REGRESSION,
    regr_sxy: NO_REGRESSION,
    regr_count: NO_REGRESSION,
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
    percentile_cont: percentile,
    percentile_disc: { refused: "percentile_disc", hint: "Use percentile_cont." },
    mode: { refused: "the most frequent value" },
    approx_count_distinct: (node) => counted({ ...renamed(node, "count"), distinct: true }),
    grouping: { refused: "grouping() without grouping sets" },
    ntile: { refused: "ntile", hint: "Compute it of row_number() and count(*)." },
    lag: neighbour,
    lead: neighbour,
    first_value: nth,
    last_value: nth,
    nth_value: { refused: "nth_value", hint: "Number the rows in a subquery." },
  });

/** The greatest or least of the values that are not NULL. */
function furthest(node: Call): Expression {
  for (const value of values(node)) if (!isComparable(value)) refused(node);
  const all = alike(values(node), node).map(inOrder);
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const filled = all.map((value, index) =>
    isNullable(value)
      ? call("coalesce", [value, ...all.slice(index + 1), ...all.slice(0, index)], inPlaceOf(node))
      : value,
  );
  return withArguments(node, filled);
}

/** A length that is written out, and not below zero. */
function withLength(name: string) {
  return (node: Call): Expression => {
    const [value, length, fill] = values(node);
    const isSure = length?.kind === "number" && (fill === undefined || (fill.kind === "string" && fill.value !== ""));
    if (value === undefined || typeOrUnknown(value).kind !== "text" || !isSure) return refused(node);
    return renamed(node, name);
  };
}

function ofDoubles(name: string) {
  return (node: Call): Expression => {
    const [value] = values(node);
    if (value === undefined || node.distinct || node.over !== undefined) return refused(node);
    return withArguments(renamed(node, name), [cast(value, "double precision", typed(DOUBLE, value))]);
  };
}

const isComparable = (node: Expression): boolean =>
  ["text", "integer", "decimal", "float", "date", "timestamp", "boolean", "null"].includes(typeOrUnknown(node).kind);

function refused(node: Call): never {
  throw unsupported(`this ${node.name[0]?.name ?? ""}`, node.span);
}

/** Of blanks; of other characters nobody has looked. */
function trimmed(name: string) {
  return (node: Call): Expression => {
    const [value, characters] = values(node);
    if (value === undefined || typeOrUnknown(value).kind !== "text") return refused(node);
    if (characters !== undefined && !(characters.kind === "string" && characters.value === " ")) return refused(node);
    return withArguments(renamed(node, name.toLowerCase()), [value]);
  };
}

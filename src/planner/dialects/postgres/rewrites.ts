/** What the input language says and PostgreSQL does not, or says otherwise. Seen on PostgreSQL 15 and 18. */

import { intervalParts, intervalText } from "../../intervals.ts";
import { withoutNulls } from "../../lowering/aggregates.ts";
import { isAnyOf } from "../../lowering/arrays.ts";
import { type CallRewrite, type Rewrites, unsupported } from "../../lowering/target.ts";
import {
  binary,
  call,
  cast,
  integer,
  interval,
  renamed,
  text,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Binary, Call, Cast, Expression, IntervalLiteral, Span, Subscript } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, DATE, INTEGER, NUMERIC, type SqlType, TEXT, TIMESTAMP } from "../../types.ts";
import { withOuterKeys } from "./outer-joins.ts";

function typeOf(expression: Expression): SqlType {
  return expression.type ?? { kind: "opaque", name: "unknown" };
}

function lowerBinary(node: Binary): Expression | undefined {
  const { operator, left, right } = node;
  switch (operator) {
    case "//":
      if (typeOf(left).kind === "integer" && typeOf(right).kind === "integer") return { ...node, operator: "/" };
      return call("trunc", [binary(left, "/", right, node)], node);
    case "%":
      return exactRemainder(node);
    case "->":
    case "->>":
    case "#>":
    case "#>>":
    case "?":
    case "?|":
    case "?&":
      return typeOf(left).kind === "text"
        ? { ...node, left: cast(left, "jsonb", { span: left.span, type: { kind: "json" } }) }
        : undefined;
    default:
      return undefined;
  }
}

/** PostgreSQL has no remainder of doubles. */
function exactRemainder(node: Expression): undefined {
  if (typeOf(node).kind !== "float") return undefined;
  throw unsupported("the remainder of a double", node.span, "Write CAST(… AS numeric) around it.");
}

/** `j['a']` exists for jsonb only; `->` for both. */
function lowerSubscript(node: Subscript): Expression | undefined {
  return typeOf(node.operand).kind === "json" ? binary(node.operand, "->", node.index, node) : undefined;
}

/** One text form for every spelling; a computed amount multiplies its unit. */
function lowerInterval(node: IntervalLiteral): Expression | undefined {
  const parts = intervalParts(node);
  if (parts !== undefined)
    return { ...node, value: text(intervalText(parts), node), unit: undefined, toUnit: undefined };
  if (node.unit === undefined) return undefined;
  const unit = node.unit === "quarter" ? "3 months" : `1 ${node.unit}`;
  return binary(node.value, "*", interval(unit, node), node);
}

/** PostgreSQL has no TRY_CAST: texts are tested by a pattern first, other casts only where they cannot fail. */
function lowerCast(node: Cast): Expression | undefined {
  if (!node.safe) return undefined;
  const from = typeOf(node.operand);
  const to = typeOf(node);
  const plain: Cast = { ...node, safe: false };
  if (to.kind === "text" || from.kind === "null") return plain;
  const guard = from.kind === "text" ? TEXT_PATTERNS[to.kind] : undefined;
  if (guard === undefined) {
    throw unsupported(
      `TRY_CAST from ${from.kind} to ${node.typeName.name}`,
      node.span,
      "Filter the values first, then write CAST.",
    );
  }
  // PostgreSQL computes constant casts before any condition around them is looked at.
  if (node.operand.kind === "string") return castConstant(plain, node.operand.value, guard);
  const fits = binary(node.operand, "~", text(guard, node), { span: node.span, type: BOOLEAN });
  if (to.kind !== "integer") return when(fits, plain, undefined, node);
  // Digits may still exceed the type: the range is tested on the exact number.
  const exact = cast(node.operand, "numeric", { span: node.span, type: NUMERIC });
  const limit = to.bits === 64 ? "9223372036854775807" : to.bits === 32 ? "2147483647" : "32767";
  const high: Expression = { kind: "number", text: limit, span: node.span, type: NUMERIC };
  const low: Expression = { kind: "unary", operator: "-", operand: high, span: node.span, type: NUMERIC };
  const inRange: Expression = {
    kind: "between",
    negated: false,
    symmetric: false,
    operand: exact,
    low,
    high,
    span: node.span,
    type: BOOLEAN,
  };
  return when(fits, when(inRange, plain, undefined, node), undefined, node);
}

function castConstant(plain: Cast, value: string, guard: string): Expression {
  const pattern = guard.startsWith("(?i)") ? new RegExp(guard.slice(4), "i") : new RegExp(guard);
  const type = typeOf(plain);
  const fits =
    pattern.test(value) &&
    (type.kind !== "integer" || BigInt.asIntN(type.bits, BigInt(value.trim())) === BigInt(value.trim()));
  return fits ? plain : { ...plain, operand: { kind: "null", span: plain.span, type } };
}

const TEXT_PATTERNS: Partial<Record<SqlType["kind"], string>> = {
  integer: "^\\s*[-+]?[0-9]{1,30}\\s*$",
  decimal: "^\\s*[-+]?([0-9]{1,100}\\.?[0-9]{0,100}|\\.[0-9]{1,100})\\s*$",
  float: "^\\s*[-+]?([0-9]{1,100}\\.?[0-9]{0,100}|\\.[0-9]{1,100})\\s*$",
  boolean: "(?i)^\\s*(t|true|f|false|yes|no|on|off|1|0)\\s*$",
};

// ------------------------------------------------------------------------------------------------------------ calls

const asTimestamp = (value: Expression): Expression =>
  typeOf(value).kind === "date" ? cast(value, "timestamp", { span: value.span, type: TIMESTAMP }) : value;

/** `date_trunc` of a date would be a timestamp with time zone. */
function truncatedDate(node: Call): Expression {
  const [unit, value] = values(node);
  return unit === undefined || value === undefined ? node : withArguments(node, [unit, asTimestamp(value)]);
}

/** `round(double, n)` does not exist. */
function rounded(node: Call): Expression {
  const [value, digits] = values(node);
  if (value === undefined || digits === undefined || typeOf(value).kind !== "float") return node;
  const exact = withArguments(node, [cast(value, "numeric", { span: node.span, type: NUMERIC }), digits]);
  return cast(exact, "double precision", node);
}

/** The first of the values that are not NULL: `any_value` exists from PostgreSQL 16 on. */
function anyValue(node: Call): Expression {
  if (node.over !== undefined) return renamed(node, "max");
  const collected = withoutNulls(renamed(node, "array_agg"));
  return { kind: "subscript", operand: collected, index: integer(1, node), span: node.span, type: typeOf(node) };
}

/** Unit boundaries between two times, by arithmetic over truncated values. */
function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (unit?.kind !== "string" || from === undefined || to === undefined) return node;
  const name = unit.value.toLowerCase().replace(/s$/, "");
  const field = (value: Expression, part: string): Expression =>
    cast({ kind: "extract", field: part, operand: value, span: node.span, type: NUMERIC }, "bigint", {
      span: node.span,
      type: BIGINT,
    });
  const scaled = (value: Expression, perYear: number, part: string): Expression =>
    binary(binary(field(value, "year"), "*", integer(perYear, node), node), "+", field(value, part), {
      span: node.span,
      type: BIGINT,
    });
  const day = (value: Expression): Expression => cast(value, "date", { span: node.span, type: DATE });
  const start = (value: Expression): Expression =>
    call("date_trunc", [text(name, node), asTimestamp(value)], { span: node.span, type: TIMESTAMP });
  const result = (difference: Expression): Expression => cast(difference, "bigint", node);
  const seconds = { hour: 3600, minute: 60, second: 1 }[name];
  if (seconds !== undefined) {
    const difference = binary(start(to), "-", start(from), node);
    const epoch: Expression = { kind: "extract", field: "epoch", operand: difference, span: node.span, type: NUMERIC };
    return result(binary(epoch, "/", integer(seconds, node), node));
  }
  switch (name) {
    case "year":
      return binary(field(to, "year"), "-", field(from, "year"), node);
    case "quarter":
      return binary(scaled(to, 4, "quarter"), "-", scaled(from, 4, "quarter"), node);
    case "month":
      return binary(scaled(to, 12, "month"), "-", scaled(from, 12, "month"), node);
    case "week":
      return result(
        binary(
          binary(day(start(to)), "-", day(start(from)), { span: node.span, type: INTEGER }),
          "/",
          integer(7, node),
          node,
        ),
      );
    case "day":
      return result(binary(day(to), "-", day(from), node));
    default:
      throw unsupported(
        `date_diff in ${name}s`,
        unit.span,
        "Use year, quarter, month, week, day, hour, minute or second.",
      );
  }
}

function lastDay(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const month = call("date_trunc", [text("month", node), asTimestamp(value)], { span: node.span, type: TIMESTAMP });
  return cast(binary(month, "+", interval("1 months -1 days", node), node), "date", node);
}

/** `j #>> ARRAY['a', 'b']` works on json and jsonb alike. */
function jsonPath(node: Call, operator: "#>" | "#>>"): Expression {
  const [value, ...steps] = values(node);
  if (value === undefined) return node;
  const path: Expression = { kind: "array", elements: steps, span: node.span, type: { kind: "array", element: TEXT } };
  const json =
    typeOf(value).kind === "text" ? cast(value, "jsonb", { span: node.span, type: { kind: "json" } }) : value;
  return binary(json, operator, steps.length === 0 ? text("{}", node) : path, node);
}

function onJsonb(node: Call, name: string): Expression {
  return call(
    name,
    values(node).map((value) => cast(value, "jsonb", { span: node.span, type: { kind: "json" } })),
    node,
  );
}

function regexpLike(node: Call): Expression {
  const [subject, pattern, flags] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  const folded = flags?.kind === "string" && flags.value.includes("i");
  return binary(subject, folded ? "~*" : "~", pattern, { span: node.span, type: BOOLEAN });
}

/** The whole match, whatever groups the pattern has. */
function regexpSubstring(node: Call): Expression {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  const whole =
    pattern.kind === "string"
      ? text(inGroup(pattern.value, pattern.span), pattern)
      : binary(binary(text("(", node), "||", pattern, node), "||", text(")", node), { span: node.span, type: TEXT });
  const found = call("regexp_match", [subject, whole], { span: node.span, type: { kind: "array", element: TEXT } });
  return { kind: "subscript", operand: found, index: integer(1, node), span: node.span, type: TEXT };
}

/** The pattern as the first group, which renumbers its own; options such as `(?i)` must stay at the very start. */
function inGroup(pattern: string, span: Span): string {
  if (/\\[1-9]/.test(pattern)) throw unsupported("regexp_substr with a back reference", span);
  const options = /^\(\?[a-z]+\)/.exec(pattern)?.[0] ?? "";
  return `${options}(${pattern.slice(options.length)})`;
}

const POSTGRES_CALLS: ReadonlyMap<string, CallRewrite> = new Map<string, CallRewrite>([
  ["round", rounded],
  ["trunc", rounded],
  ["mod", (node) => exactRemainder(node) ?? node],
  ["date_trunc", truncatedDate],
  ["date_diff", dateDifference],
  ["last_day", lastDay],
  ["any_value", anyValue],
  ["array_agg", withoutNulls],
  ["approx_count_distinct", (node) => ({ ...renamed(node, "count"), distinct: true })],
  ["regexp_like", regexpLike],
  ["regexp_substr", regexpSubstring],
  ["array_contains", isAnyOf],
  ["json_extract_path", (node) => jsonPath(node, "#>")],
  ["json_extract_path_text", (node) => jsonPath(node, "#>>")],
  ["json_array_length", (node) => onJsonb(node, "jsonb_array_length")],
  ["json_typeof", (node) => onJsonb(node, "jsonb_typeof")],
]);

/** A series of dates would be one of timestamps with time zone. */
function series(node: Call): Call {
  return withArguments(node, values(node).map(asTimestamp));
}

export const POSTGRES_REWRITES: Rewrites = {
  join: withOuterKeys,
  binary: lowerBinary,
  cast: lowerCast,
  interval: lowerInterval,
  subscript: lowerSubscript,
  calls: POSTGRES_CALLS,
  tableCalls: new Map([["generate_series", series]]),
};

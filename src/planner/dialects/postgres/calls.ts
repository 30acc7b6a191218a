/** Functions whose spelling or meaning on PostgreSQL differs from the catalogue's. Seen on PostgreSQL 15 and 18. */

import { unsupported } from "../../diagnostics.ts";
import { withoutNulls } from "../../lowering/present-values.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import {
  all,
  asTypedText,
  binary,
  call,
  cast,
  concatenation,
  inPlaceOf,
  integer,
  isNull,
  renamed,
  text,
  typed,
  values,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression, Span, Template } from "../../syntax/tree.ts";
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  JSON_TYPE,
  JSONB_TYPE,
  NUMERIC,
  type SqlType,
  TEXT,
  TIMESTAMP,
  typeOrUnknown,
} from "../../types.ts";

/** PostgreSQL has no remainder of doubles. */
export function exactRemainder(node: Expression): undefined {
  if (typeOrUnknown(node).kind !== "float") return undefined;
  throw unsupported("the remainder of a double", node.span, "Write CAST(… AS numeric) around it.");
}

export const asTimestamp = (value: Expression): Expression =>
  typeOrUnknown(value).kind === "date" ? cast(value, "timestamp", { span: value.span, type: TIMESTAMP }) : value;

/** `date_trunc` of a date would be a timestamp with time zone. */
export function truncatedDate(node: Call): Expression {
  const [unit, value, zone] = values(node);
  if (unit === undefined || value === undefined || zone !== undefined) return node;
  return withArguments(node, [unit, asTimestamp(value)]);
}

/** `round(double, n)` does not exist. */
export function rounded(node: Call): Expression {
  const [value, digits] = values(node);
  if (value === undefined || digits === undefined || typeOrUnknown(value).kind !== "float") return node;
  const exact = withArguments(node, [cast(value, "numeric", { span: node.span, type: NUMERIC }), digits]);
  return cast(exact, "double precision", typed(DOUBLE, node));
}

/** The first of the values that are not NULL: `any_value` exists from PostgreSQL 16 on. */
export function anyValue(node: Call): Expression {
  if (node.over !== undefined) return renamed(node, "max");
  const type: SqlType = { kind: "array", element: typeOrUnknown(node) };
  const collected = withoutNulls({ ...renamed(node, "array_agg"), type });
  return { kind: "subscript", operand: collected, index: integer(1, node), span: node.span, type: typeOrUnknown(node) };
}

/** The value of the row whose other value is the first in an order. */
export function valueOfExtreme(node: Call, direction: "asc" | "desc"): Expression {
  const [value, by] = values(node);
  if (value === undefined || by === undefined) return node;
  if (node.over !== undefined || node.orderBy.length > 0 || node.distinct) {
    throw unsupported(
      `${node.name[0]?.name ?? ""} over a window or of distinct values`,
      node.span,
      "Use first_value(x) OVER (… ORDER BY y).",
    );
  }
  const sorted: Call = {
    ...renamed(withArguments(node, [value]), "array_agg"),
    type: { kind: "array", element: typeOrUnknown(node) },
    orderBy: [{ expression: by, direction, nulls: "last", span: by.span }],
    filter: all([...(node.filter === undefined ? [] : [node.filter]), isNull(by, true)], node),
  };
  return { kind: "subscript", operand: sorted, index: integer(1, node), span: node.span, type: typeOrUnknown(node) };
}

const months = (part: string, perYear: number): string => {
  const of = (value: string): string =>
    `CAST(extract(year FROM ${value}) AS bigint) * ${perYear} + CAST(extract(${part} FROM ${value}) AS bigint)`;
  return `${of("$2")} - (${of("$1")})`;
};
const seconds = (unit: string, length: number): string =>
  `CAST(extract(epoch FROM date_trunc('${unit}', $2) - date_trunc('${unit}', $1)) / ${length} AS bigint)`;

/** Counts the boundaries of the unit between two timestamps, or two dates. */
const BOUNDARIES: Readonly<Record<string, Template>> = {
  year: sql("CAST(extract(year FROM $2) AS bigint) - CAST(extract(year FROM $1) AS bigint)"),
  quarter: sql(months("quarter", 4)),
  month: sql(months("month", 12)),
  week: sql("CAST((CAST(date_trunc('week', $2) AS date) - CAST(date_trunc('week', $1) AS date)) / 7 AS bigint)"),
  day: sql("CAST(CAST($2 AS date) - CAST($1 AS date) AS bigint)"),
  hour: sql(seconds("hour", 3600)),
  minute: sql(seconds("minute", 60)),
  second: sql(seconds("second", 1)),
};
const OF_TIMESTAMPS: ReadonlySet<string> = new Set(["week", "hour", "minute", "second"]);

export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (unit?.kind !== "string" || from === undefined || to === undefined) return node;
  const name = unit.value.toLowerCase().replace(/s$/, "");
  const template = Object.hasOwn(BOUNDARIES, name) ? BOUNDARIES[name] : undefined;
  if (template === undefined) {
    const hint = "Use year, quarter, month, week, day, hour, minute or second.";
    throw unsupported(`date_diff in ${name}s`, unit.span, hint);
  }
  return spelled(template, OF_TIMESTAMPS.has(name) ? [from, to].map(asTimestamp) : [from, to], node);
}

const LAST_DAY = sql("CAST(date_trunc('month', $1) + INTERVAL '1 months -1 days' AS date)");

export const lastDay = (node: Call): Expression => spelled(LAST_DAY, values(node).map(asTimestamp), node);

/** A column that the manifest calls json may be one, and has not every operator and function. */
export function asJsonb(value: Expression): Expression {
  const type = typeOrUnknown(value);
  const isBinary = type.kind === "json" && type.binary === true;
  return isBinary ? value : cast(value, "jsonb", { span: value.span, type: JSONB_TYPE });
}

/** `j #>> ARRAY['a', 'b']` works on json and jsonb alike. */
export function jsonPath(node: Call, operator: "#>" | "#>>"): Expression {
  const [value, ...steps] = values(node);
  if (value === undefined) return node;
  const path: Expression = { kind: "array", elements: steps, span: node.span, type: { kind: "array", element: TEXT } };
  const json = typeOrUnknown(value).kind === "text" ? asJsonb(value) : value;
  return binary(json, operator, steps.length === 0 ? text("{}", node) : path, inPlaceOf(node));
}

export function onJsonb(node: Call, name: string): Expression {
  return call(name, values(node).map(asJsonb), inPlaceOf(node));
}

/** A function of jsonb's that has its name there. */
export function withJsonbArguments(node: Call): Call {
  return withArguments(node, values(node).map(asJsonb));
}

/** Columns that the manifest calls json may be jsonb, which json's own functions do not take. */
export function onJson(node: Call): Call {
  return withArguments(
    node,
    values(node).map((value) => cast(value, "json", { span: value.span, type: JSON_TYPE })),
  );
}

export function regexpLike(node: Call): Expression {
  const [subject, pattern, flags] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  const folded = flags?.kind === "string" && flags.value.includes("i");
  return binary(subject, folded ? "~*" : "~", pattern, { span: node.span, type: BOOLEAN });
}

/** The whole match, whatever groups the pattern has. */
export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, start] = values(node);
  if (start !== undefined) return node;
  if (subject === undefined || pattern === undefined) return node;
  const whole =
    pattern.kind === "string"
      ? text(inGroup(pattern.value, pattern.span), pattern)
      : concatenation(concatenation(text("(", node), pattern, node), text(")", node), node);
  const found = call("regexp_match", [subject, whole], { span: node.span, type: { kind: "array", element: TEXT } });
  return { kind: "subscript", operand: found, index: integer(1, node), span: node.span, type: TEXT };
}

/** The pattern as the first group, which renumbers its own; options such as `(?i)` must stay at the very start. */
function inGroup(pattern: string, span: Span): string {
  if (/\\[1-9]/.test(pattern)) throw unsupported("regexp_substr with a back reference", span);
  const options = /^\(\?[a-z]+\)/.exec(pattern)?.[0] ?? "";
  return `${options}(${pattern.slice(options.length)})`;
}

/** A text has no bytes there until it is converted; a cast would read its backslashes as escapes. */
export function encodedBytes(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format === undefined || typeOrUnknown(value).kind === "binary") return node;
  return withArguments(node, [
    call("convert_to", [value, text("UTF8", node)], { span: node.span, type: BINARY }),
    format,
  ]);
}

/** PostgreSQL cannot tell the type of a text constant for a function of any type. */
export function ofTypedTexts(node: Call): Call {
  return withArguments(node, values(node).map(asTypedText));
}

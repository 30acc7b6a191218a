/** What the input language says and PostgreSQL does not, or says otherwise. Seen on PostgreSQL 15 and 18. */

import { intervalParts, intervalText } from "../../intervals.ts";
import { expressionSayings, fieldSayings } from "../../lowering/sayings.ts";
import { type Rewrites, unsupported } from "../../lowering/target.ts";
import { binary, cast, exactName, inPlaceOf, interval, text, values, when, withArguments } from "../../syntax/build.ts";
import type { Cast, Expression, IntervalLiteral, Subscript, TableFunction } from "../../syntax/tree.ts";
import { BOOLEAN, NUMERIC, type SqlType, typeOrUnknown } from "../../types.ts";
import { asTimestamp } from "./calls.ts";
import { postgresFunctions } from "./functions.ts";
import { postgresOperators } from "./operators.ts";
import { withOuterKeys } from "./outer-joins.ts";
import { withoutStatistics } from "./statistics.ts";

/** `j['a']` exists for jsonb only; `->` for both. */
function lowerSubscript(node: Subscript): Expression | undefined {
  const type = typeOrUnknown(node.operand);
  return type.kind === "json" && !type.binary ? binary(node.operand, "->", node.index, inPlaceOf(node)) : undefined;
}

/** One text form for every spelling; a computed amount multiplies its unit. */
function lowerInterval(node: IntervalLiteral): Expression | undefined {
  const parts = intervalParts(node);
  if (parts !== undefined)
    return { ...node, value: text(intervalText(parts), node), unit: undefined, toUnit: undefined };
  if (node.unit === undefined) return undefined;
  const unit = node.unit === "quarter" ? "3 months" : `1 ${node.unit}`;
  return binary(node.value, "*", interval(unit, node), inPlaceOf(node));
}

/** PostgreSQL has no TRY_CAST: texts are tested by a pattern first, other casts only where they cannot fail. */
function lowerCast(node: Cast): Expression | undefined {
  if (!node.safe) return undefined;
  const from = typeOrUnknown(node.operand);
  const to = typeOrUnknown(node);
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
  if (to.kind !== "integer") return when(fits, plain, undefined, inPlaceOf(node));
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
  return when(fits, when(inRange, plain, undefined, inPlaceOf(node)), undefined, inPlaceOf(node));
}

function castConstant(plain: Cast, value: string, guard: string): Expression {
  const pattern = guard.startsWith("(?i)") ? new RegExp(guard.slice(4), "i") : new RegExp(guard);
  const type = typeOrUnknown(plain);
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

/** A series of dates would be one of timestamps with time zone. */
function series(table: TableFunction): TableFunction {
  return { ...table, call: withArguments(table.call, values(table.call).map(asTimestamp)) };
}

export const postgresRewrites = (): Rewrites => ({
  expressions: expressionSayings(
    [
      "number string boolean null bits typed column session unary logical like between in-list in-query quantified exists",
      "is case array-query slice field row scalar-query at-time-zone bound opaque",
    ],
    {
      array: (node) =>
        node.written === undefined ? undefined : { ...text(node.written, node), type: typeOrUnknown(node) },
      cast: lowerCast,
      collate: (node) => ({ ...node, collation: [exactName("C", node.span)] }),
      interval: lowerInterval,
      subscript: lowerSubscript,
    },
  ),
  operators: postgresOperators(),
  fields: fieldSayings(
    [
      "dow doy isodow isoyear julian week century day decade epoch millennium month quarter year",
      "hour microseconds milliseconds minute second timezone timezone_hour timezone_minute",
    ],
    {},
  ),
  functions: postgresFunctions(),
  tableFunctions: new Map([["generate_series", series]]),
  join: withOuterKeys,
  besideRules: withoutStatistics,
});

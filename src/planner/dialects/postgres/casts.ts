/** Casts are PostgreSQL's own; those that may fail and give NULL it does not have. */
import { unsupported } from "../../diagnostics.ts";
import { binary, cast, inPlaceOf, text, when } from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, NUMERIC, type SqlType, typeOrUnknown } from "../../types.ts";
import { withoutNumericCast } from "./date-parts.ts";

/** PostgreSQL has no TRY_CAST: texts are tested by a pattern first, other casts only where they cannot fail. */
export function lowerCast(node: Cast): Expression | undefined {
  if (!node.safe) return withoutNumericCast(node);
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
  const lowest: Expression = { ...high, text: String(BigInt(limit) + 1n) };
  const low: Expression = { kind: "unary", operator: "-", operand: lowest, span: node.span, type: NUMERIC };
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

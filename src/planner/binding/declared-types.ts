/**
 * The declared type of a measure or calculated column is its type: the value is converted to it
 * (docs/decisions/0040-types-of-the-manifest.md#decision).
 */
import { cast } from "../syntax/build.ts";
import type { Expression } from "../syntax/tree.ts";
import { describeType, isNumeric, isPartOfDate, type SqlType } from "../types.ts";

/**
 * `bound` as a value of the type `declared`. A declaration that PostgreSQL has no cast for (an array declared INTEGER) is
 * ignored: the value keeps the type of its expression.
 */
export function asDeclared(bound: Expression, declared: SqlType): Expression {
  const { type: actual } = bound;
  if (actual === undefined || actual.kind === "opaque" || actual.kind === "null") return { ...bound, type: declared };
  const divides = isPartOfDate(actual) && declared.kind === "integer";
  if (isSame(actual, declared) && !divides) return { ...bound, type: labelOf(actual, declared) };
  if (!isConvertible(actual, declared)) return bound;
  const parameters =
    declared.kind === "decimal" && declared.precision !== undefined ? [declared.precision, declared.scale ?? 0] : [];
  const name = declared.kind === "decimal" ? "numeric" : describeType(declared);
  return cast(bound, name, { span: bound.span, type: declared }, parameters);
}

/**
 * Whether `actual` is a type of the declared kind. Decimals of another scale are: no digit of an exact number is lost.
 */
function isSame(actual: SqlType, declared: SqlType): boolean {
  if (actual.kind === "timestamp" && declared.kind === "timestamp") return actual.zoned === declared.zoned;
  if (actual.kind === "time" && declared.kind === "time") return actual.zoned === declared.zoned;
  return actual.kind === declared.kind;
}

/** The declared type, unless it promises fewer digits or bits than the value may have. */
function labelOf(actual: SqlType, declared: SqlType): SqlType {
  switch (actual.kind) {
    case "float":
      return actual;
    case "integer":
      return declared.kind === "integer" && declared.bits < actual.bits ? actual : declared;
    case "decimal":
      return declared.kind === "decimal" && fits(actual, declared) ? declared : actual;
    default:
      return declared;
  }
}

function fits(actual: SqlType & { kind: "decimal" }, declared: SqlType & { kind: "decimal" }): boolean {
  if (declared.precision === undefined) return true;
  if (actual.precision === undefined) return false;
  const [has, wants] = [actual.scale ?? 0, declared.scale ?? 0];
  return has <= wants && actual.precision - has <= declared.precision - wants;
}

const TEXTUAL: ReadonlySet<SqlType["kind"]> = new Set([
  ...(["boolean", "integer", "decimal", "float", "date", "time", "timestamp", "interval", "uuid"] as const),
]);

function isConvertible(actual: SqlType, declared: SqlType): boolean {
  if (isNumeric(actual) && isNumeric(declared)) return true;
  if (declared.kind === "text") return TEXTUAL.has(actual.kind);
  if (actual.kind === "text") return TEXTUAL.has(declared.kind);
  const times = (["date", "timestamp"] as const).filter((kind) => kind === actual.kind || kind === declared.kind);
  if (times.length > 0) return [actual, declared].every(({ kind }) => kind === "date" || kind === "timestamp");
  return actual.kind === "boolean" && declared.kind === "integer";
}

/** The type that alternatives of several types share: CASE, COALESCE, UNION, comparisons. */
import { DAYS, familyOf, isPartOfDate, PART_OF_DATE, type SqlType, TIMESTAMP, TIMESTAMPTZ } from "./types.ts";

/** The type that all of `types` convert to without loss; `undefined` when their families differ. */
export function commonType(types: readonly SqlType[]): SqlType | undefined {
  let common: SqlType | undefined;
  for (const type of types) {
    if (common === undefined || common.kind === "null") common = type;
    else if (type.kind !== "null") {
      const next = commonOfTwo(common, type);
      if (next === undefined) return undefined;
      common = next;
    }
  }
  return common;
}

function commonOfTwo(a: SqlType, b: SqlType): SqlType | undefined {
  if (a.kind === "opaque" || b.kind === "opaque") return a.kind === "opaque" ? a : b;
  if (familyOf(a) !== familyOf(b)) return undefined;
  if (a.kind === "integer" && b.kind === "integer") {
    if (isPartOfDate(a) || isPartOfDate(b)) return PART_OF_DATE;
    return a.bits >= b.bits ? a : b;
  }
  if (a.kind === "float" && b.kind === "float") return a.bits >= b.bits ? a : b;
  // Beside a real, other numbers are reals; only what computes with both goes over to double precision.
  if (a.kind === "float" || b.kind === "float") return a.kind === "float" ? a : b;
  if (a.kind === "decimal" || b.kind === "decimal") return widerDecimal(a, b);
  if (a.kind === "timestamp" || b.kind === "timestamp") {
    const zoned = (a.kind === "timestamp" && a.zoned) || (b.kind === "timestamp" && b.zoned);
    if (isDay(a) && isDay(b)) return isOracleDate(a) ? a : b;
    return zoned ? TIMESTAMPTZ : TIMESTAMP;
  }
  if (a.kind === "array" && b.kind === "array") {
    const element = commonType([a.element, b.element]);
    if (element === undefined) return undefined;
    return { kind: "array", element, ...((a.document ?? b.document) && { document: true }) };
  }
  if (a.kind !== "json" || b.kind !== "json") return a;
  const json = b.part === true ? b : a;
  return a.made === true || b.made === true ? { ...json, made: true } : json;
}

const isOracleDate = (type: SqlType): boolean => type.kind === "timestamp" && type.isDate === true;

/** A date, or Oracle's DATE. */
const isDay = (type: SqlType): boolean => type.kind === "date" || isOracleDate(type);

/** The type of the difference of two days of which at least one is Oracle's DATE; otherwise `undefined`. */
export const daysBetween = (a: SqlType, b: SqlType): SqlType | undefined =>
  isDay(a) && isDay(b) && (isOracleDate(a) || isOracleDate(b)) ? DAYS : undefined;

/** A number of days whose partner is one as well, or an integer: PostgreSQL computes with integers. */
export const areDays = (a: SqlType, b: SqlType): boolean => {
  const [x, y] = [isNumberOfDays(a), isNumberOfDays(b)];
  return (x && (y || b.kind === "integer")) || (y && a.kind === "integer");
};

export const isNumberOfDays = (type: SqlType): boolean => type.kind === "decimal" && type.isDays === true;

const INTEGER_DIGITS = { 8: 3, 16: 5, 32: 10, 64: 19 } as const;

/** Precision and scale of a number, `undefined` when any number of digits is possible. */
export function decimalShape(type: SqlType): { readonly precision: number; readonly scale: number } | undefined {
  if (type.kind === "integer") return { precision: INTEGER_DIGITS[type.bits], scale: 0 };
  if (type.kind !== "decimal" || type.precision === undefined) return undefined;
  return { precision: type.precision, scale: type.scale ?? 0 };
}

function widerDecimal(a: SqlType, b: SqlType): SqlType {
  if (areDays(a, b)) return DAYS;
  const left = decimalShape(a);
  const right = decimalShape(b);
  if (left === undefined || right === undefined) return { kind: "decimal" };
  const scale = Math.max(left.scale, right.scale);
  const whole = Math.max(left.precision - left.scale, right.precision - right.scale);
  return { kind: "decimal", precision: whole + scale, scale };
}

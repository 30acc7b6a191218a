/**
 * Decimals halfway between two doubles, such as 1e23. They read back as one of the two doubles, and DuckDB prints them. PostgreSQL prints
 * the nearest decimal instead, which has more digits. Compared with PostgreSQL 18 on DuckDB 1.4.
 */
import { all, call, comparison, typed } from "../../syntax/build.ts";
import type { Printer } from "../../syntax/printer.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, TEXT } from "../../types.ts";

/** Decimals with at most seventeen digits lie halfway between two doubles in this range only. DuckDB prints an exponent in it. */
const RANGE = { from: "18014398509481984e0", below: "1e40" };

export function mayBeHalfway(operand: Expression): Expression {
  const size = call("abs", [operand], typed(DOUBLE, operand));
  const limit = (digits: string): Expression => ({ kind: "number", text: digits, span: operand.span, type: DOUBLE });
  const conditions = [
    comparison(size, ">=", limit(RANGE.from), operand),
    comparison(size, "<", limit(RANGE.below), operand),
  ];
  return all(conditions, operand) ?? operand;
}

/** A call of DuckDB's printer. */
export const NEAREST_TEXT = "nearest text of a double";

export const nearestText = (operand: Expression): Expression => call(NEAREST_TEXT, [operand], typed(TEXT, operand));

/** Digits behind the printed ones: no other number with a short text lies between. */
const NEXT = `${"0".repeat(29)}1`;
const BEFORE = "9".repeat(NEXT.length);

const SHOWN = "CAST(_d AS TEXT)";
const DIGITS = `regexp_replace(${SHOWN}, '[-.]|e.*', '', 'g')`;
/** The power of ten of the last digit behind the printed ones. */
const PLACE = `CAST(CAST(split_part(${SHOWN}, 'e+', 2) AS INT) - length(${DIGITS}) - ${NEXT.length - 1} AS TEXT)`;
const isOther = (beside: string): string => `CAST(${beside} || 'e' || ${PLACE} AS DOUBLE) <> abs(_d)`;
/** The printed number is halfway if the next number on one of its sides reads back as another double. */
const IS_HALFWAY = [
  isOther(`${DIGITS} || '${NEXT}'`),
  isOther(`CAST(CAST(${DIGITS} AS BIGINT) - 1 AS TEXT) || '${BEFORE}'`),
].join(" OR ");
/** `1.50e+23` as `1.5e+23`. */
const rounded = (digits: number): string => `regexp_replace(format('{:.${digits - 1}e}', _d), '[.]?0*e', 'e')`;
const NEAREST = `CASE WHEN CAST(${rounded(16)} AS DOUBLE) = _d AND ${rounded(16)} <> ${SHOWN} THEN ${rounded(16)} ELSE ${rounded(17)} END`;

export function printNearestText(printer: Printer, { arguments: [operand] }: Call): void {
  printer.write("list_extract(list_transform([");
  if (operand !== undefined) printer.expression(operand.value);
  printer.write(`], (lambda _d: CASE WHEN ${IS_HALFWAY} THEN ${NEAREST} ELSE ${SHOWN} END)), 1)`);
}

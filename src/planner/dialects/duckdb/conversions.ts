/** DuckDB's implicit conversions: `numeric(38,0) = 1.5` and `timestamp = timestamp_ns` fail, seen with 1.4.4. */
import { isLiteral } from "../../access/literals.ts";
import type { Conversions } from "../../access/meeting.ts";
import { decimalShape } from "../../common-type.ts";
import type { Expression } from "../../syntax/tree.ts";

/** Digits of the longest decimal. */
const MOST_DIGITS = 38;

/** Decimals and integers are brought to the smallest decimal that holds their types, cut to the digits that there are. */
function numbersMeet(numbers: readonly Expression[]): boolean {
  if (numbers.some((number) => number.type?.kind === "float")) return true;
  const columns = numbers.filter((number) => !isLiteral(number)).map((number) => number.type);
  if (columns.every((type) => type?.kind === "integer") && !numbers.some(hasFraction)) return true;
  const shapes = numbers.map(shapeOf);
  if (!shapes.every((shape) => shape !== undefined)) return false;
  const whole = Math.max(...shapes.map(({ precision, scale }) => precision - scale));
  return whole + Math.max(...shapes.map(({ scale }) => scale)) <= MOST_DIGITS;
}

const hasFraction = (number: Expression): boolean => isLiteral(number) && !/^\d+$/.test(digitsOf(number));

function digitsOf(number: Expression): string {
  if (number.kind === "number") return number.text;
  return number.kind === "unary" ? digitsOf(number.operand) : "";
}

function shapeOf(number: Expression): { readonly precision: number; readonly scale: number } | undefined {
  if (!isLiteral(number)) return number.type === undefined ? undefined : decimalShape(number.type);
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d*))?$/.exec(digitsOf(number)) ?? [];
  return whole === undefined ? undefined : { precision: whole.length + fraction.length, scale: fraction.length };
}

export const DUCKDB_CONVERSIONS: Conversions = {
  numbersMeet,
  oneTimestamp: false,
  intervalsMeet: false,
  collationsConflict: false,
};

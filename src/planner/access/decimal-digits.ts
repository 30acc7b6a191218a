/** Whether numbers can be brought to one decimal type without losing whole digits. */
import { decimalShape } from "../common-type.ts";
import type { Expression } from "../syntax/tree.ts";
import { isLiteral } from "./literals.ts";

interface Shape {
  readonly precision: number;
  readonly scale: number;
}

/**
 * Decimals and integers are brought to the smallest decimal that holds their types, with at most `most` digits. Doubles hold
 * every decimal. `integers`: digits of an integer column, where the source's INTEGER is a decimal.
 */
export function fitDigits(
  numbers: readonly Expression[],
  { most, integers }: { readonly most: number; readonly integers?: number },
): boolean {
  if (numbers.some((number) => number.type?.kind === "float")) return true;
  const columns = numbers.filter((number) => !isLiteral(number)).map((number) => number.type);
  if (columns.every((type) => type?.kind === "integer") && !numbers.some(hasFraction)) return true;
  const shapes = numbers.map((number) => shapeOf(number, integers));
  if (!shapes.every((shape) => shape !== undefined)) return false;
  const whole = Math.max(...shapes.map(({ precision, scale }) => precision - scale));
  return whole + Math.max(...shapes.map(({ scale }) => scale)) <= most;
}

const hasFraction = (number: Expression): boolean => isLiteral(number) && !/^\d+$/.test(digitsOf(number));

function digitsOf(number: Expression): string {
  if (number.kind === "number") return number.text;
  return number.kind === "unary" ? digitsOf(number.operand) : "";
}

function shapeOf(number: Expression, integers: number | undefined): Shape | undefined {
  if (!isLiteral(number)) {
    if (number.type === undefined) return undefined;
    const isInteger = number.type.kind === "integer";
    return isInteger && integers !== undefined ? { precision: integers, scale: 0 } : decimalShape(number.type);
  }
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d*))?$/.exec(digitsOf(number)) ?? [];
  return whole === undefined ? undefined : { precision: whole.length + fraction.length, scale: fraction.length };
}

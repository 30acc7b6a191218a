/** Fields and texts of times of day in the input language, of their microseconds since midnight. */
import { unsupported } from "../../diagnostics.ts";
import type { Binary, Cast, Extract } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { type DefinedTime, definedTime, isTime, partBetween, type TimeForm } from "./time-of-day-sums.ts";

/** `n` is the number of microseconds. */
const FIELDS: Readonly<Record<string, string>> = {
  hour: "n / 3600000000",
  minute: "n / 60000000 % 60",
  second: "n % 60000000 * 0.000001",
  milliseconds: "n % 60000000 * 0.001",
  microseconds: "n % 60000000",
  epoch: "n * 0.000001",
};

/** A field of a time, or of a difference of two; `undefined` for other operands. */
export function partOfTime(node: Extract, form: TimeForm): DefinedTime | undefined {
  const { operand, field } = node;
  if (!isTime(operand)) return partBetween(node, form);
  const sql = FIELDS[field];
  if (sql === undefined) throw unsupported(`${field} of time`, node.span, "Ask for that of a timestamp.");
  return definedTime(sql.replace("n", form.numberOf(1)), [form.part(operand)], node);
}

const TEXT = "the text of a time of day";

/** A cast of a time to a text; `undefined` for other operands. */
export function textOfTime(node: Cast, form: TimeForm): DefinedTime | undefined {
  const { operand, typeName, span } = node;
  if (!isTime(operand)) return undefined;
  const { kind } = typeOrUnknown(node);
  if (kind !== "text") throw unsupported(`a cast from time to ${kind}`, span, "Cast it to text.");
  const [length] = typeName.parameters;
  const text = textOf(form.numberOf(1));
  const sql = length === undefined ? text : `CAST(${text} AS ${typeName.name}(${length}))`;
  return definedTime(sql, [form.part(operand)], node, TEXT);
}

/** `||` with a time on a side; `undefined` for other nodes. */
export function joinedTimes(node: Binary, form: TimeForm): DefinedTime | undefined {
  const sides = [node.left, node.right];
  if (node.operator !== "||" || !sides.some(isTime)) return undefined;
  const texts = sides.map((side, index) => (isTime(side) ? textOf(form.numberOf(index + 1)) : `"$${index + 1}"`));
  return definedTime(texts.join(" || "), sides.map(form.part), node, TEXT);
}

/** `HH:MM:SS`, and the digits of a fraction without zeros at their end. */
function textOf(number: string): string {
  const digits = (value: string, width: number): string => `lpad(CAST(${value} AS text), ${width}, '0')`;
  const parts = [
    digits(`${number} / 3600000000`, 2),
    "':'",
    digits(`${number} / 60000000 % 60`, 2),
    "':'",
    digits(`${number} / 1000000 % 60`, 2),
    "'.'",
    digits(`${number} % 1000000`, 6),
  ];
  return `rtrim(rtrim(${parts.join(" || ")}, '0'), '.')`;
}

/**
 * Dates and times shifted beyond the range of a target that returns NULL or the last value of its type: PostgreSQL continues to
 * the year 294276, so such a shift must raise.
 */
import type { Expression, IntervalLiteral, IntervalUnit } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";

/** The number of units in about half a century, rounded down. */
const FEW: Readonly<Partial<Record<IntervalUnit, number>>> = {
  microsecond: 1e15,
  second: 1e9,
  minute: 2e7,
  hour: 4e5,
  day: 18_000,
  week: 2_500,
  month: 599,
  quarter: 199,
  year: 49,
};

export interface Shifts {
  readonly base: Expression;
  readonly steps: readonly IntervalLiteral[];
}

/**
 * The base and the steps of a chain of `date_add`; undefined if the current date, or a date of these centuries, is shifted by a
 * small amount.
 */
export function farShifts(shifted: Expression): Shifts | undefined {
  const steps: IntervalLiteral[] = [];
  let base = shifted;
  for (let found = shiftOf(base); found !== undefined; found = shiftOf(base)) {
    steps.unshift(found.step);
    base = found.base;
  }
  return steps.length === 0 || (steps.every(isFewOf) && isOfTheseCenturies(base)) ? undefined : { base, steps };
}

function shiftOf(node: Expression): { readonly base: Expression; readonly step: IntervalLiteral } | undefined {
  if (node.kind !== "call" || node.name[0]?.name !== "date_add") return undefined;
  const [base, step] = node.arguments.map(({ value }) => value);
  return base !== undefined && step?.kind === "interval" ? { base, step } : undefined;
}

function isFewOf({ value, unit = "day" }: IntervalLiteral): boolean {
  const count = value.kind === "unary" ? value.operand : value;
  return count.kind === "number" && Number(count.text) <= (FEW[unit] ?? 0);
}

/** No value of a row, and only years from 1950 to 2199: older versions of ClickHouse support 1900 to 2299. */
function isOfTheseCenturies(base: Expression): boolean {
  return !someExpression(base, (each) => {
    switch (each.kind) {
      case "typed":
        return !/^(?:19[5-9]|2[01]\d)\d-/.test(each.value);
      case "string":
        return /\d/.test(each.value.replaceAll(/-01\b|:00\b/g, ""));
      case "number":
        return each.text.length > 2;
      case "call":
      case "spelled":
      case "cast":
      case "unary":
      case "binary":
        return false;
      default:
        return true;
    }
  });
}

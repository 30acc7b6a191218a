/** Arguments of date_diff for engines that count the boundaries of a unit. */
import { unsupported } from "../../diagnostics.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { isDateOrTimestamp } from "./time-arithmetic.ts";

/** `Days` → `day`. */
export const unitOf = (name: string): string => name.toLowerCase().replace(/s$/, "");

export interface DateDifference {
  readonly unit: string;
  readonly from: Expression;
  readonly to: Expression;
}

/** Throws for a computed unit, for a unit that is not one of `units`, and for values that are no dates or timestamps. */
export function dateDifferenceArguments(node: Call, units: ReadonlySet<string>, hint: string): DateDifference {
  const [unit, from, to] = values(node);
  if (
    unit?.kind !== "string" ||
    from === undefined ||
    to === undefined ||
    !isDateOrTimestamp(from) ||
    !isDateOrTimestamp(to)
  ) {
    throw unsupported("date_diff of this", node.span, "Write the unit as a literal, and compare dates or timestamps.");
  }
  const name = unitOf(unit.value);
  if (!units.has(name)) throw unsupported(`date_diff in ${name}s`, unit.span, hint);
  return { unit: name, from, to };
}

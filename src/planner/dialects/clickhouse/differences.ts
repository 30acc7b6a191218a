/**
 * Intervals that are differences of times: ClickHouse's own of microseconds, which compare and sort by their length, as
 * PostgreSQL's do. Others have months and days beside it, and no table keeps any. Seen on ClickHouse 26.7.
 */

import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { isMoment } from "../../lowering/time-arithmetic.ts";
import { countStep } from "../../plan-budget.ts";
import { call, inPlaceOf, typed, values } from "../../syntax/build.ts";
import type { Call, Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, INTERVAL, typeOrUnknown } from "../../types.ts";
import { isClock } from "./clocks.ts";

export const isInterval = (value: Expression): boolean => typeOrUnknown(value).kind === "interval";

/** What gives one of its arguments, or NULL. */
const CHOOSING = new Set(
  "min max any_value lag lead first_value last_value nth_value coalesce ifnull tonullable greatest least nullif".split(
    " ",
  ),
);

/** Before its parts are lowered, or behind it. */
export function isDifference(value: Expression, seen: ReadonlySet<unknown> = new Set()): boolean {
  countStep();
  if (typeOrUnknown(value).kind === "null") return true;
  if (!isInterval(value)) return false;
  switch (value.kind) {
    case "binary": {
      const { left, right, operator } = value;
      return operator === "-" && [isMoment, isClock].some((is) => is(left) && is(right));
    }
    case "bound": {
      const { origins = [] } = value.column;
      // A column of a table is what it is; one that was computed is what it is made of.
      return origins.length > 0 && !seen.has(value.column) && areDifferences(origins, new Set([...seen, value.column]));
    }
    case "case": {
      const results = value.branches.map(({ then }) => then);
      return areDifferences(value.otherwise === undefined ? results : [...results, value.otherwise], seen);
    }
    case "call":
      return isBetween(value) || (CHOOSING.has(value.name[0]?.name ?? "") && areDifferences(chosenOf(value), seen));
    default:
      return false;
  }
}

const areDifferences = (parts: readonly Expression[], seen: ReadonlySet<unknown>): boolean =>
  parts.every((each) => isDifference(each, seen));

/** Behind an interval there may be counts of rows. */
const chosenOf = (node: Call): readonly Expression[] =>
  values(node).filter((each) => ["interval", "null"].includes(typeOrUnknown(each).kind));

const isBetween = (node: Call): boolean => node.name[0]?.name === "time between";

/** A side of a comparison: what is written as a literal has thirty days a month and twenty-four hours a day. */
export function comparedLength(value: Expression): Expression {
  if (value.kind === "interval") {
    const parts = intervalParts(value);
    if (parts === undefined) throw unsupported("an interval that is computed", value.span, "Write it as a literal.");
    const size = BigInt(parts.months * 30 + parts.days) * 86_400_000_000n + parts.microseconds;
    const digits: Expression = {
      kind: "number",
      text: String(size < 0n ? -size : size),
      span: value.span,
      type: BIGINT,
    };
    const signed: Expression =
      size < 0n ? { kind: "unary", operator: "-", operand: digits, span: value.span, type: BIGINT } : digits;
    return call("interval of microseconds", [signed], typed(INTERVAL, value));
  }
  if (isDifference(value)) return value;
  throw unsupported("a comparison of interval", value.span, "Compare differences of timestamps.");
}

/** Days are of twenty-four hours, and what is left of them is on the clock. */
export function partOfDifference(node: Extract, name: string): Expression | undefined {
  const { operand } = node;
  return isInterval(operand) && isDifference(operand) ? call(name, [operand], inPlaceOf(node)) : undefined;
}

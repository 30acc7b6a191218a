/**
 * Intervals that are differences of times: ClickHouse's microsecond intervals, which compare and sort by length, as PostgreSQL's
 * do. Other intervals also have months and days, and no table stores intervals. Seen on ClickHouse 26.7.
 */

import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { endsOf, isDateOrTimestamp } from "../../lowering/times/time-arithmetic.ts";
import { isTime } from "../../lowering/times/time-of-day-sums.ts";
import { countStep } from "../../plan-budget.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Expression, Extract, Template } from "../../syntax/tree.ts";
import { BIGINT, INTERVAL, typeOrUnknown } from "../../types.ts";

export const isInterval = (value: Expression): boolean => typeOrUnknown(value).kind === "interval";

/** Functions that return one of their arguments, or NULL. */
const CHOOSING = new Set(
  "min max any_value lag lead first_value last_value nth_value coalesce ifnull tonullable greatest least nullif".split(
    " ",
  ),
);

/** Works before and after the parts are lowered. */
export function isDifference(value: Expression, seen: ReadonlySet<unknown> = new Set()): boolean {
  countStep();
  if (typeOrUnknown(value).kind === "null") return true;
  if (!isInterval(value)) return false;
  switch (value.kind) {
    case "binary": {
      const { left, right, operator } = value;
      return operator === "-" && [isDateOrTimestamp, isTime].some((is) => is(left) && is(right));
    }
    case "bound": {
      const { origins = [] } = value.column;
      // For a column of a table the answer is no; for a computed column it depends on its expressions.
      return origins.length > 0 && !seen.has(value.column) && areDifferences(origins, new Set([...seen, value.column]));
    }
    case "case": {
      const results = value.branches.map(({ then }) => then);
      return areDifferences(value.otherwise === undefined ? results : [...results, value.otherwise], seen);
    }
    case "call":
      return CHOOSING.has(value.name[0]?.name ?? "") && areDifferences(chosenOf(value), seen);
    case "spelled":
      return value.template === TIME_BETWEEN;
    default:
      return false;
  }
}

const areDifferences = (parts: readonly Expression[], seen: ReadonlySet<unknown>): boolean =>
  parts.every((each) => isDifference(each, seen));

/** Arguments after an interval may be row counts. */
const chosenOf = (node: Call): readonly Expression[] =>
  values(node).filter((each) => ["interval", "null"].includes(typeOrUnknown(each).kind));

const TIME_BETWEEN = words("toIntervalMicrosecond(toUnixTimestamp64Micro($2) - toUnixTimestamp64Micro($1))");
const INTERVAL_OF_MICROSECONDS = words("toIntervalMicrosecond($1)", { type: INTERVAL });

/** A difference of `lowering/times/time-arithmetic.ts` in ClickHouse's words; `convert` is applied to both times. */
export const differenceOf = (node: Expression, convert: (time: Expression) => Expression): Expression | undefined => {
  const ends = endsOf(node);
  return ends && spelled(TIME_BETWEEN, ends.map(convert), node);
};

/** A side of a comparison: an interval literal has thirty days per month and twenty-four hours per day. */
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
    return spelled(INTERVAL_OF_MICROSECONDS, [signed], value);
  }
  if (isDifference(value)) return value;
  throw unsupported("a comparison of interval", value.span, "Compare differences of timestamps.");
}

/** Days have twenty-four hours, and the rest is the time. */
export function partOfDifference(node: Extract, template: Template): Expression | undefined {
  const { operand } = node;
  return isInterval(operand) && isDifference(operand) ? spelled(template, [operand], node) : undefined;
}

/** Parts of `age(…)` for targets without an interval type: years, and months beyond full years. */

import { unsupported } from "../../diagnostics.ts";
import { binary, integer, values } from "../../syntax/build.ts";
import type { Call, Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT } from "../../types.ts";
import { isSpelled, noValue, spelled } from "../templates/template.ts";
import { isDateOrTimestamp } from "./time-arithmetic.ts";

const AGE = noValue({
  refused: "an age as a value",
  hint: "Use extract(year FROM age(a, b)), or date_diff('day', a, b).",
});

export function ageOf(node: Call): Expression {
  const [to, from] = values(node);
  if (to !== undefined && from !== undefined && isDateOrTimestamp(to) && isDateOrTimestamp(from)) {
    return spelled(AGE, [from, to], node);
  }
  throw unsupported("age with these arguments", node.span, "Use date_diff('day', a, b).");
}

/** The full years of an age, or the months beyond them; `months` gives the months from the first time to the second. */
export function partOfAge(
  { operand, span }: Extract,
  operator: "/" | "//" | "%",
  months: (from: Expression, to: Expression) => Expression,
): Expression | undefined {
  const [from, to] = isSpelled(operand, AGE) ? operand.parts : [];
  if (from === undefined || to === undefined) return undefined;
  return binary(months(from, to), operator, integer(12, operand), { span, type: BIGINT });
}

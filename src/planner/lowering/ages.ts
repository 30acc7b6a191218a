/** Parts of `age(…)` for targets without an interval type: years, and months beyond full years. */

import { unsupported } from "../diagnostics.ts";
import { binary, call, inPlaceOf, integer, values } from "../syntax/build.ts";
import type { Call, Expression, Extract } from "../syntax/tree.ts";
import { BIGINT } from "../types.ts";
import { isDateOrTimestamp } from "./time-arithmetic.ts";

/** An internal name that no dialect prints: only parts of an age have a value. */
const AGE = "age between";

export function ageOf(node: Call): Expression {
  const [to, from] = values(node);
  if (to !== undefined && from !== undefined && isDateOrTimestamp(to) && isDateOrTimestamp(from)) {
    return call(AGE, [from, to], inPlaceOf(node));
  }
  throw unsupported("age with these arguments", node.span, "Use date_diff('day', a, b).");
}

/** The full years of an age, or the months beyond them; `months` gives the months from the first time to the second. */
export function partOfAge(
  { operand, span }: Extract,
  operator: "/" | "//" | "%",
  months: (from: Expression, to: Expression) => Expression,
): Expression | undefined {
  if (operand.kind !== "call" || operand.name[0]?.name !== AGE) return undefined;
  const [from, to] = values(operand);
  if (from === undefined || to === undefined) return undefined;
  return binary(months(from, to), operator, integer(12, operand), { span, type: BIGINT });
}

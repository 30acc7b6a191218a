/** Ages for targets without a type of intervals: there are their years, and their months beside them. */

import { unsupported } from "../diagnostics.ts";
import { binary, call, inPlaceOf, integer, values } from "../syntax/build.ts";
import type { Call, Expression, Extract } from "../syntax/tree.ts";
import { BIGINT } from "../types.ts";
import { isMoment } from "./time-arithmetic.ts";

/** Spelled by nobody: only parts of it have a value. */
const AGE = "age between";

export function ageOf(node: Call): Expression {
  const [to, from] = values(node);
  if (to !== undefined && from !== undefined && isMoment(to) && isMoment(from)) {
    return call(AGE, [from, to], inPlaceOf(node));
  }
  throw unsupported("this age", node.span, "Use date_diff('day', a, b).");
}

/** Whole years of an age, or whole months beside them; `months` gives those from the first time to the second. */
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

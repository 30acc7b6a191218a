/** Errors where an engine has NaN, an infinite number, or a value of its own: `fail` is what raises, by whatever name. */
import { call, cases, isNull, text, typed } from "../syntax/build.ts";
import type { Case, Expression } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";

/** `then` where `condition` is true; NULL for a NULL `value`; an error that says `what` for any other. */
export function orRaise(condition: Expression, then: Expression, value: Expression, what: string): Case {
  const at = typed(typeOrUnknown(then), then);
  return cases(
    [
      { when: condition, then },
      { when: isNull(value, true), then: call("fail", [text(what, then)], at) },
    ],
    undefined,
    at,
  );
}

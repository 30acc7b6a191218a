/**
 * Errors where an engine returns NaN, infinity, or a value of its own: `fail` is an internal function that raises, which each
 * target renders.
 */
import { call, cases, isNull, text, typed } from "../syntax/build.ts";
import type { Case, Expression } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";

/** `then` if `condition` is true; NULL for a NULL `value`; otherwise an error with the message `what`. */
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

/**
 * Errors where an engine returns NaN, infinity, or a value of its own: `fail` is an internal function that raises, which each
 * target renders.
 */

import { call, cases, isNull, text, typed } from "../syntax/build.ts";
import type { Case, Expression, Template } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";
import { sql } from "./templates/template.ts";

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

/** SQL of `then` if `condition` is true; NULL for a NULL `value`; otherwise an error with the message `what`. */
export const raisingUnless = (condition: string, then: string, what: string, value = "$1"): string =>
  `CASE WHEN ${condition} THEN ${then} WHEN ${value} IS NOT NULL THEN fail('${what}') END`;

/** The function of a number if `condition` is true; otherwise an error. */
export const inRange = (condition: string, then: string, value = "$1"): Template =>
  sql(raisingUnless(condition, then, "A number is out of range", value), { scale: "computed" });

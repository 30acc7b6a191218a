/**
 * Errors where MySQL gives a warning and NULL, or a value of its own: `CAST('x' AS SIGNED)` is 0, an impossible date is NULL.
 * MySQL has no function that raises. The exponential of a number beyond 709 raises on every version, and only if a row needs it,
 * because the length of the value is part of that number.
 */
import { spelled, sql } from "../../lowering/templates/template.ts";
import { call, cases, isNull } from "../../syntax/build.ts";
import type { Case, Expression } from "../../syntax/tree.ts";
import { BOOLEAN } from "../../types.ts";

/** SQL of `then` where `condition` is true; NULL where `value` is NULL, and an error for any other value. */
export const raisingUnless = (condition: string, then: string, value = "$1"): string =>
  `CASE WHEN ${condition} THEN ${then} WHEN exp(1000 + octet_length(${value})) IS NOT NULL THEN NULL END`;

const BEYOND_DOUBLES = sql("exp(1000 + octet_length($1)) IS NOT NULL");

/** `then` where `condition` is true; NULL for a NULL `value`; an error for any other. */
export function orRaise(condition: Expression, then: Expression, value: Expression): Case {
  const { span } = then;
  const raises = spelled(BEYOND_DOUBLES, [value], { span, type: BOOLEAN });
  const none: Expression = { kind: "null", span, ...(then.type && { type: then.type }) };
  return cases(
    [
      { when: condition, then },
      { when: raises, then: none },
    ],
    undefined,
    { span, type: then.type },
  );
}

/** `expression` where it is not NULL, or `value` is NULL; otherwise an error. */
export function raisingOnNull(expression: Expression, value: Expression): Case {
  return orRaise(isNull(expression, true), expression, value);
}

/** Whether a text matches an expression that ICU (MySQL) and PCRE (MariaDB) read alike. */
export function matches(value: Expression, pattern: string): Expression {
  const { span } = value;
  return call("regexp", [value, { kind: "string", value: pattern, span, type: { kind: "text" } }], {
    span,
    type: BOOLEAN,
  });
}

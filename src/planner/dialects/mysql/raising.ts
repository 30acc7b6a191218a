/**
 * Errors where MySQL has a warning and NULL, or a value of its own: `CAST('x' AS SIGNED)` is 0, a date that is none is NULL.
 * There is no function that raises; the exponential of a number beyond 709 does, on every version, and only where a row comes
 * to it, because the length of the value is part of that number.
 */
import { binary, call, cases, integer, isNull } from "../../syntax/build.ts";
import type { Case, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, DOUBLE, INTEGER } from "../../types.ts";

/** `then` where `condition` is true; NULL for a NULL `value`; an error for any other. */
export function orRaise(condition: Expression, then: Expression, value: Expression): Case {
  const { span } = then;
  const length = call("octet_length", [value], { span, type: INTEGER });
  const beyond = binary(integer(1000, then), "+", length, { span, type: INTEGER });
  const raises = isNull(call("exp", [beyond], { span, type: DOUBLE }), true);
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

/** `expression` where it is not NULL, or `value` is; an error where nothing came of a value. */
export function raisingOnNull(expression: Expression, value: Expression): Case {
  return orRaise(isNull(expression, true), expression, value);
}

/** A condition over a text: it matches an expression that ICU and PCRE read alike. */
export function matches(value: Expression, pattern: string): Expression {
  const { span } = value;
  return call("regexp", [value, { kind: "string", value: pattern, span, type: { kind: "text" } }], {
    span,
    type: BOOLEAN,
  });
}

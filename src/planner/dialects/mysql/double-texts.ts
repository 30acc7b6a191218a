/**
 * PostgreSQL's text of a double. MySQL and MariaDB choose the same digits, but write an exponent where PostgreSQL does not, and the
 * other way round. Compared with PostgreSQL 18 on MySQL 9.7 and MariaDB 10.11.
 */
import { all, binary, call, cases, cast, comparison, integer, logical, text, typed, when } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, NUMERIC, TEXT } from "../../types.ts";
import { orRaise } from "./raising.ts";
import { concat, trim } from "./templates.ts";

/**
 * Decimals that lie halfway between two doubles have few digits in this range only: `1e23`. MySQL writes such a decimal, PostgreSQL
 * writes a longer one, which is nearer.
 */
const HALFWAY = { from: "18014398509481984e0", below: "1e40" };

/** A text has 22 characters at most; this one has sixteen digits, and the seventeenth may be missing. */
const LONGEST_TEXT = 22;

/** `value` is repeated. A text of the server's own has an exponent from about 1e16 on, and below 1e-4 for some values. */
export function doubleText(value: Expression, position: Expression): Expression {
  const at = typed(TEXT, position);
  const number = (digits: string): Expression => ({ kind: "number", text: digits, span: position.span, type: DOUBLE });
  const size = call("abs", [value], typed(DOUBLE, position));
  const isFrom = (limit: string): Expression => comparison(size, ">=", number(limit), position);
  const isBelow = (limit: string): Expression => comparison(size, "<", number(limit), position);

  const digits = cast(cast(value, "numeric", typed(NUMERIC, position), [65, 30]), "text", at);
  const plain = trimmed("trailing", trimmed("trailing", digits, "0"), ".");

  const isZero = comparison(value, "=", number("0e0"), position);
  // The two zeros differ in the angle that they make with a negative number.
  const angle = call("atan2", [value, integer(-1, position)], typed(DOUBLE, position));
  const zero = when(comparison(angle, "<", number("0e0"), position), text("-0", position), text("0", position), at);

  const unsigned = cast(size, "text", at);
  const isNegative = comparison(value, "<", number("0e0"), position);
  const signed = (shown: Expression): Expression =>
    concat([when(isNegative, text("-", position), text("", position), at), shown], at);
  const isSure = logical("or", [isBelow(HALFWAY.from), isFrom(HALFWAY.below), isExact(size)], position);
  const isWhole = logical(
    "or",
    [isFrom("1e-99"), comparison(lengthOf(unsigned), "<", integer(LONGEST_TEXT, position), position)],
    position,
  );
  return cases(
    [
      { when: isZero, then: zero },
      { when: all([isFrom("1e-4"), isBelow("1e15")], position) ?? isZero, then: plain },
      { when: isFrom("1e15"), then: orRaise(isSure, signed(largeText(unsigned)), unsigned) },
      { when: isBelow("1e-4"), then: orRaise(isWhole, signed(smallText(unsigned)), unsigned) },
    ],
    undefined,
    at,
  );
}

function trimmed(side: "leading" | "trailing", value: Expression, character: string): Expression {
  return trim(side, value, text(character, value), typed(TEXT, value));
}

/** Whether both numbers half a unit beside the shown one read as the double. Doubles in this range are multiples of four. */
function isExact(size: Expression): Expression {
  const place = typed(NUMERIC, size);
  const whole = cast(size, "numeric", place, [65, 0]);
  const half: Expression = { kind: "number", text: "0.5", span: size.span, type: NUMERIC };
  const isSame = (beside: Expression): Expression =>
    comparison(cast(cast(beside, "text", typed(TEXT, size)), "double precision", typed(DOUBLE, size)), "=", size, size);
  return logical("and", [isSame(binary(whole, "+", half, place)), isSame(binary(whole, "-", half, place))], size);
}

const lengthOf = (shown: Expression): Expression => call("char_length", [shown], typed(BIGINT, shown));

const partOf = (shown: Expression, separator: string, which: number): Expression =>
  call("substring_index", [shown, text(separator, shown), integer(which, shown)], typed(TEXT, shown));

const isIn = (shown: Expression, part: string): Expression =>
  comparison(call("position", [text(part, shown), shown], typed(BIGINT, shown)), ">", integer(0, shown), shown);

const joined = (...parts: readonly Expression[]): Expression =>
  concat(parts, typed(TEXT, parts[0] ?? { span: { start: 0, end: 0 } }));

/** `12` as `1.2`, `1` as itself. */
function withPoint(digits: Expression): Expression {
  const at = typed(TEXT, digits);
  const first = call("left", [digits, integer(1, digits)], at);
  const others = joined(text(".", digits), call("substr", [digits, integer(2, digits)], at));
  const isLong = comparison(lengthOf(digits), ">", integer(1, digits), digits);
  return joined(first, when(isLong, others, text("", digits), at));
}

/** `1.2e20` as `1.2e+20`, `1234567890123456.8` as `1.2345678901234568e+15`. */
function largeText(shown: Expression): Expression {
  const at = typed(TEXT, shown);
  const withExponent = call("replace", [shown, text("e", shown), text("e+", shown)], at);
  const digits = trimmed("trailing", call("replace", [shown, text(".", shown), text("", shown)], at), "0");
  const power = binary(lengthOf(partOf(shown, ".", 1)), "-", integer(1, shown), typed(BIGINT, shown));
  const withoutExponent = joined(withPoint(digits), text("e+", shown), cast(power, "text", at));
  return when(isIn(shown, "e"), withExponent, withoutExponent, at);
}

/** `0.00000012` and `1.2e-7` as `1.2e-07`. */
function smallText(shown: Expression): Expression {
  const at = typed(TEXT, shown);
  const twoDigits = (power: Expression): Expression => {
    const length = call("greatest", [lengthOf(power), integer(2, shown)], typed(BIGINT, shown));
    return call("lpad", [power, length, text("0", shown)], at);
  };
  const withExponent = joined(partOf(shown, "e-", 1), text("e-", shown), twoDigits(partOf(shown, "e-", -1)));
  const places = call("substr", [shown, integer(3, shown)], at);
  const digits = trimmed("leading", places, "0");
  const zeros = binary(lengthOf(places), "-", lengthOf(digits), typed(BIGINT, shown));
  const power = cast(binary(zeros, "+", integer(1, shown), typed(BIGINT, shown)), "text", at);
  const withoutExponent = joined(withPoint(digits), text("e-", shown), twoDigits(power));
  return when(isIn(shown, "e"), withExponent, withoutExponent, at);
}

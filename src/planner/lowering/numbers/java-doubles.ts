/**
 * PostgreSQL's text of a double on engines in Java. Java writes `1.0`, `1.0E7` and `1.0E-4`; PostgreSQL writes `1`, `10000000` and
 * `0.0001`. Values raise for which the two may choose different digits. Measured on Trino 476 (Java 25) and Spark 4.0.1 (Java 17)
 * against PostgreSQL 18.
 */
import {
  all,
  binary,
  call,
  cases,
  cast,
  comparison,
  integer,
  isNull,
  logical,
  text,
  typed,
} from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { BOOLEAN, DOUBLE, INTEGER, NUMERIC, TEXT, typeOrUnknown } from "../../types.ts";

/** Decimals with fewer digits are unique: no other one of their length reads back as the same double. */
const SURE_DIGITS = 15;

/** Java 18 and earlier write too many digits for some values outside this range, or not the nearest ones. */
const LONG = { from: "1e-5", below: "1e15" };

/**
 * Decimals that lie halfway between two doubles have few digits in this range only: `1e23`. Java writes such a decimal, PostgreSQL
 * writes a longer one, which is nearer.
 */
const HALFWAY = { from: "18014398509481984e0", below: "1e38" };

/** Smaller doubles have fewer digits than others. */
const SMALLEST_NORMAL = "2.2250738585072014e-308";

/** `shown` is Java's text of `value`. Both are repeated. */
export function javaDoubleText(value: Expression, shown: Expression, product: string): Expression {
  const at = typed(TEXT, value);
  const number = (digits: string): Expression => ({ kind: "number", text: digits, span: value.span, type: DOUBLE });
  const size = call("abs", [value], typed(DOUBLE, value));
  const isFrom = (limit: string): Expression => comparison(size, ">=", number(limit), value);
  const isBelow = (limit: string): Expression => comparison(size, "<", number(limit), value);
  const both = (...conditions: readonly Expression[]): Expression => all(conditions, value) ?? value;
  const either = (...conditions: readonly Expression[]): Expression => logical("or", conditions, value);
  const replaced = (what: Expression, part: string, by: string): Expression =>
    call("replace", [what, text(part, value), text(by, value)], at);
  const pruned = (what: Expression, pattern: string): Expression =>
    call("regexp_replace", [what, text(pattern, value), text("", value)], at);
  const failing = (what: string): Expression =>
    call("fail", [text(`The text of ${what} is not supported on ${product}. Round it first.`, value)], at);

  const isNamed: Expression = {
    kind: "in-list",
    negated: false,
    operand: shown,
    list: ["NaN", "Infinity", "-Infinity"].map((word) => text(word, value)),
    span: value.span,
    type: BOOLEAN,
  };
  // Seventeen digits from 0.0001 on end at the 21st place.
  const plain = cast(cast(shown, "numeric", typed(NUMERIC, value), [38, 22]), "text", at);
  const scientific = replaced(shown, ".0E", "E");
  const count = call("length", [pruned(shown, "[-.]|E.*")], typed(INTEGER, value));
  const isLong = comparison(count, ">", integer(SURE_DIGITS, value), value);
  const written = cases(
    [
      { when: isNamed, then: shown },
      { when: comparison(value, "=", number("0e0"), value), then: replaced(shown, ".0", "") },
      { when: both(isFrom("1e-4"), isBelow("1e15")), then: pruned(plain, "[.]?0+$") },
      { when: isBelow(SMALLEST_NORMAL), then: failing("a subnormal double") },
      {
        when: both(isLong, either(isBelow(LONG.from), isFrom(LONG.below))),
        then: failing(`a double with more than 15 digits, below ${LONG.from} or from ${LONG.below} on,`),
      },
      {
        when: both(isFrom(HALFWAY.from), isBelow(HALFWAY.below), isHalfway(shown, size)),
        then: failing("a decimal number halfway between two doubles"),
      },
      { when: isFrom("1e15"), then: replaced(scientific, "E", "e+") },
      { when: isFrom("1e-9"), then: replaced(scientific, "E-", "e-0") },
    ],
    replaced(scientific, "E", "e"),
    at,
  );
  // Trino's `format` makes the word `null` of NULL.
  return cases([{ when: isNull(value, true), then: written }], undefined, at);
}

/** Whether a number half a unit beside the shown one reads as another double. Doubles in this range are multiples of four. */
function isHalfway(shown: Expression, size: Expression): Expression {
  const at = typed(TEXT, shown);
  const unsigned = call("replace", [shown, text("-", shown), text("", shown)], at);
  const whole = cast(unsigned, "numeric", typed(NUMERIC, shown), [38, 0]);
  const before = binary(whole, "-", integer(1, shown), typed(NUMERIC, shown));
  const isOther = (integral: Expression): Expression => {
    const beside = binary(cast(integral, "text", at), "||", text(".5", shown), at);
    return comparison(cast(beside, "double precision", typed(DOUBLE, shown)), "<>", size, shown);
  };
  return logical("or", [isOther(whole), isOther(before)], shown);
}

/** Whether a value is a double, whose digits these rules were measured for. */
export function isDouble(value: Expression): boolean {
  const type = typeOrUnknown(value);
  return type.kind === "float" && type.bits === 64;
}

/**
 * PostgreSQL reads a double as a decimal by its fifteen sure significant digits, and a real by six. Engines whose cast takes more digits
 * round the decimal to those: `round(2.675::numeric, 2)` is 2.68, although the double is less than 2.675.
 */
import { unsupported } from "../../diagnostics.ts";
import { binary, cast, typed } from "../../syntax/build.ts";
import type { Binary, Cast, Expression, Template } from "../../syntax/tree.ts";
import { DOUBLE, NUMERIC, typeOrUnknown } from "../../types.ts";
import { isShortOperand } from "../short-operands.ts";
import { spelled, words } from "../templates/template.ts";

/** Digits on both sides of the point; a double beyond 20 digits before it is an error of the engine. */
const LENGTHS = [38, 18] as const;

/** The decimal of a double or a real, by the engine's decimal logarithm of `x`, which is not defined for 0. */
export const sureDigits = (logarithm: string): ((node: Cast) => Expression) => {
  const double = templateOf("$1", countOf(logarithm, 15));
  const real = templateOf(halvesMoved(countOf(logarithm, 6)), countOf(logarithm, 6));
  return ({ operand }) => {
    const type = typeOrUnknown(operand);
    const isReal = type.kind === "float" && type.bits === 32;
    const place = typed(NUMERIC, operand);
    const exact = isReal ? cast(operand, "double precision", typed(DOUBLE, operand)) : operand;
    return cast(spelled(isReal ? real : double, [exact], place), "numeric", place, LENGTHS);
  };
};

const templateOf = (value: string, count: string): Template =>
  words(`ROUND(CAST(${value} AS DECIMAL(${LENGTHS.join(", ")})), ${count})`, { type: NUMERIC });

/** How many digits behind the point are sure. */
function countOf(logarithm: string, digits: number): string {
  const magnitude = logarithm.replace("x", "ABS(NULLIF($1, 0))");
  return `COALESCE(CAST(LEAST(${digits - 1} - FLOOR(${magnitude}), ${LENGTHS[1]}) AS INTEGER), 0)`;
}

/**
 * PostgreSQL rounds halfway to the even digit, `ROUND` of the engines away from zero: `1.015625::real::numeric` is 1.01562. A real that
 * lies halfway after an even digit is moved towards zero first. It has so few digits that as a double all of them are computed exactly;
 * a double halfway between fifteen digits differs in the sixteenth, as computed doubles do.
 */
function halvesMoved(count: string): string {
  const half = `ABS($1) * POWER(10, ${count}) / 2`;
  return `CASE WHEN ${half} - FLOOR(${half}) = 0.25 THEN $1 * 0.9999999999 ELSE $1 END`;
}

/** A quotient of doubles as a decimal; `asDouble` and `sure` are the target's. */
export function quotientOfDoubles(
  node: Binary,
  asDouble: (value: Expression) => Expression,
  sure: (value: Expression) => Expression,
): Expression {
  const [left = node.left, right = node.right] = [node.left, node.right].map((side) => asDouble(doubleBehind(side)));
  if (isShortOperand(left) && isShortOperand(right)) return sure(binary(left, "/", right, typed(DOUBLE, node)));
  const hint = "Write CAST(… AS numeric(18, 2)) or CAST(… AS double precision) on both sides, or declare the digits.";
  throw unsupported("a division whose digits are unknown, or many", node.span, hint);
}

/** The double behind a decimal that was made of it: what is computed with both needs no digits in between. */
function doubleBehind(value: Expression): Expression {
  const made = value.kind === "cast" ? value.operand : value;
  const [double] = made.kind === "spelled" && made.parts.length === 1 ? made.parts : [];
  return double !== undefined && value.type?.kind === "decimal" && double.type?.kind === "float" ? double : value;
}

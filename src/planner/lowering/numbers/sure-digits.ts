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

/** The decimal of a double, by the engine's decimal logarithm, which is not defined for 0. */
export const sureDigits = (logarithm: string): ((node: Cast) => Expression) => {
  const [double, real] = [14, 5].map((digits) => templateOf(logarithm, digits));
  return ({ operand }) => {
    const type = typeOrUnknown(operand);
    const template = type.kind === "float" && type.bits === 32 ? real : double;
    const place = typed(NUMERIC, operand);
    return template === undefined ? operand : cast(spelled(template, [operand], place), "numeric", place, LENGTHS);
  };
};

function templateOf(logarithm: string, digits: number): Template {
  const magnitude = logarithm.replace("x", "ABS(NULLIF($1, 0))");
  const count = `COALESCE(CAST(LEAST(${digits} - FLOOR(${magnitude}), ${LENGTHS[1]}) AS INTEGER), 0)`;
  return words(`ROUND(CAST($1 AS DECIMAL(${LENGTHS.join(", ")})), ${count})`, { type: NUMERIC });
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

/**
 * PostgreSQL reads a double as a decimal by its fifteen sure significant digits, and a real by six. Engines whose cast takes more digits
 * round the decimal to those: `round(2.675::numeric, 2)` is 2.68, although the double is less than 2.675.
 */
import { cast, typed } from "../syntax/build.ts";
import type { Cast, Expression, Template } from "../syntax/tree.ts";
import { NUMERIC, typeOrUnknown } from "../types.ts";
import { spelled, words } from "./templates/template.ts";

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

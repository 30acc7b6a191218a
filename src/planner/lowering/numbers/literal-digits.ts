/** Decimals with a declared length, and decimals from literal texts, for targets that round or parse other texts differently. */

import { unsupported } from "../../diagnostics.ts";
import { cast, inPlaceOf } from "../../syntax/build.ts";
import { digitsOfText } from "../../syntax/number-parts.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";

/** `most`: maximum number of digits. */
export function refuseLengths(most: number, precision: number, scale: number, { span }: Cast): void {
  if (precision <= most && scale >= 0 && scale <= precision) return;
  throw unsupported(`numeric(${precision}, ${scale})`, span, `At most ${most} digits.`);
}

/** The digits of a literal must fit; any other text is refused with the hint. */
export const ofLiteralDigits =
  (most: number, hint: string) =>
  (node: Cast): Expression => {
    const { operand } = node;
    const { whole = "", fraction = "" } = (operand.kind === "string" && digitsOfText(operand.value)) || {};
    const [precision = most, scale = fraction.length] = node.typeName.parameters;
    refuseLengths(most, precision, scale, node);
    if (operand.kind === "string" && whole + fraction !== "" && fraction.length <= scale) {
      return cast(operand, "numeric", inPlaceOf(node), [precision, scale]);
    }
    throw unsupported("a text as a decimal", node.span, hint);
  };

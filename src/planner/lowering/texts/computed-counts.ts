/**
 * Functions of texts with a computed count of characters, for targets whose manual defines no count below 0. PostgreSQL repeats and pads to
 * nothing then, and takes all but so many characters with `left` and `right`.
 */
import { unsupported } from "../../diagnostics.ts";
import { call, inPlaceOf, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER, TEXT } from "../../types.ts";
import { countOf, naturalOf } from "../numbers/written-counts.ts";
import { isShortOperand } from "../short-operands.ts";
import { spelled, words } from "../templates/template.ts";
import { ofTexts } from "./plain-arguments.ts";
import { substring } from "./substrings.ts";

/** NULL stays NULL. */
const COUNT = words("CASE WHEN $1 < 0 THEN 0 ELSE $1 END", { type: INTEGER, nulls: "strict" });

function refuseLong(operand: Expression): void {
  if (!isShortOperand(operand)) {
    throw unsupported(
      "a long expression beside a computed number of characters",
      operand.span,
      "Write the number as a literal.",
    );
  }
}

function notNegative(count: Expression): Expression {
  const known = countOf(count);
  if (known === undefined) {
    refuseLong(count);
    return spelled(COUNT, [count], typed(INTEGER, count));
  }
  return known >= 0 ? count : { kind: "number", text: "0", span: count.span, type: INTEGER };
}

/** `repeat`, `lpad` and `rpad`, whose count is the second argument. Filling up with an empty text only cuts. */
export function repeated(node: Call): Call {
  ofTexts(node);
  const [value, count, ...others] = values(node);
  if (value === undefined || count === undefined) return node;
  const [fill] = others;
  const length = notNegative(count);
  if (fill?.kind === "string" && fill.value === "") return call("left", [value, length], inPlaceOf(node));
  return withArguments(node, [value, length, ...others]);
}

const end = (side: string, length: string) =>
  words(`${side}($1, CASE WHEN $2 >= 0 THEN $2 WHEN ${length}($1) + $2 > 0 THEN ${length}($1) + $2 ELSE 0 * $2 END)`, {
    type: TEXT,
    nulls: "strict",
  });

/** `left` and `right`; `length` is the target's function for the number of characters. */
export function endOf(side: "LEFT" | "RIGHT", length: string): (node: Call) => Expression | undefined {
  const computed = end(side, length);
  return (node) => {
    ofTexts(node);
    const [value, count] = values(node);
    if (value === undefined || count === undefined || naturalOf(count) !== undefined) return undefined;
    refuseLong(value);
    refuseLong(count);
    return spelled(computed, [value, count], inPlaceOf(node));
  };
}

export function substringOf(nulls: "skipped" | "passed"): (node: Call) => Expression {
  return (node) => {
    ofTexts(node);
    for (const count of values(node).slice(1)) refuseLong(count);
    return substring(node, nulls);
  };
}

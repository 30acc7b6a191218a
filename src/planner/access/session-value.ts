/**
 * The value of a session property: the text of one SQL literal (docs/spec/planner.md#row-rules). It enters the plan as the
 * literal's tree, never as text, so that a value can be no more than a value.
 */
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { lex } from "../syntax/lexer.ts";
import { parseExpression } from "../syntax/parser.ts";
import { withoutSpans } from "../syntax/spans.ts";
import type { Expression } from "../syntax/tree.ts";

/** The literal that `text` is: a string, number, boolean, NULL, typed or interval literal, or a list of these. */
export function parseSessionValue(text: string, name: string): Expression {
  let value: Expression;
  try {
    value = parseExpression(text, { limits: DEFAULT_LIMITS });
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    throw notLiteral(name);
  }
  if (!isPropertyValue(value) || hasComment(text)) throw notLiteral(name);
  return withoutSpans(value);
}

/**
 * Two headers of one name arrive as one, joined by a comma: a caller's `'bob' --` would swallow the value that a gateway adds.
 * Without comments two literals are never one.
 */
function hasComment(text: string): boolean {
  const { starts, ends } = lex(text, { limits: DEFAULT_LIMITS, sessionProperties: false });
  return starts.some((start, index) => text.slice(index === 0 ? 0 : ends[index - 1], start).trim() !== "");
}

/** The value of one text, number or boolean literal as a source's session setting has it. Throws `SESSION_PROPERTY_INVALID`. */
export function sessionValueText(text: string, name: string): string {
  const value = parseSessionValue(text, name);
  switch (value.kind) {
    case "string":
      return value.value;
    case "number":
      return value.text;
    case "boolean":
      return String(value.value);
    case "unary":
      if (value.operator === "-" && value.operand.kind === "number") return `-${value.operand.text}`;
      break;
    default:
      break;
  }
  throw new PlannerError("SESSION_PROPERTY_INVALID", `session property ${name} is not one text, number or boolean`, {
    hint: "The connection passes it on to a setting of the source, which has one value.",
  });
}

/** The value is not repeated: it may be another user's. */
function notLiteral(name: string): PlannerError {
  return new PlannerError(
    "SESSION_PROPERTY_INVALID",
    `session property ${name} is no SQL literal: allow only literal value`,
    {
      hint: "Write text with its quotes ('EMEA'), numbers as they are (42), dates as DATE '2024-01-31', lists as (1, 2).",
    },
  );
}

function isLiteral(value: Expression): boolean {
  switch (value.kind) {
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "typed":
    case "bits":
      return true;
    case "interval":
      return isLiteral(value.value);
    case "unary":
      return (value.operator === "-" || value.operator === "+") && value.operand.kind === "number";
    default:
      return false;
  }
}

/** A literal, or a list of them. */
export function isPropertyValue(value: Expression): boolean {
  return value.kind === "array" || value.kind === "row" ? value.elements.every(isLiteral) : isLiteral(value);
}

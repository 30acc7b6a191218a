/**
 * Texts that are computed of literals alone, as reporting tools write the pattern of a search: `'%' || lower('Ab') || '%'` is the
 * literal `'%ab%'`. Most sources take a pattern only as a literal.
 */
import { functionName } from "../functions/calls.ts";
import type { Expression, StringLiteral } from "../syntax/tree.ts";
import { typeOf } from "./coercion.ts";

/** Letters beyond ASCII have more than one lower and upper case. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** A bound text as one literal, if it is computed of literals alone; otherwise `expression` itself. */
export function withConstantText(expression: Expression): Expression {
  if (expression.kind === "string") return expression;
  const value = constantText(expression);
  if (value === undefined) return expression;
  const literal: StringLiteral = { kind: "string", value, span: expression.span };
  return expression.type === undefined ? literal : { ...literal, type: expression.type };
}

function constantText(expression: Expression): string | undefined {
  switch (expression.kind) {
    case "string":
      return expression.value;
    case "cast":
      return expression.typeName.parameters.length === 0 && typeOf(expression).kind === "text"
        ? constantText(expression.operand)
        : undefined;
    case "binary": {
      if (expression.operator !== "||") return undefined;
      const left = constantText(expression.left);
      const right = left === undefined ? undefined : constantText(expression.right);
      return right === undefined ? undefined : `${left}${right}`;
    }
    case "call": {
      const name = functionName(expression);
      const texts = expression.arguments.map(({ value }) => constantText(value));
      if (texts.length === 0 || texts.includes(undefined)) return undefined;
      if (name === "concat") return texts.join("");
      const [only = "", ...others] = texts;
      if (others.length > 0 || !ASCII.test(only)) return undefined;
      return name === "lower" ? only.toLowerCase() : name === "upper" ? only.toUpperCase() : undefined;
    }
    default:
      return undefined;
  }
}

/** JSON access by steps and paths. */
import { arrayStep } from "../../lowering/json-paths.ts";
import { unsupported } from "../../lowering/target.ts";
import { call, text } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";

/** The value at the first of `paths` that exists. */
export function jsonAt(
  value: Expression,
  paths: readonly string[],
  name: "json_extract" | "json_extract_string",
  at: Expression,
): Expression {
  const found = paths.map((path) => call(name, [value, text(path, at)], at));
  const [only, ...others] = found;
  return only !== undefined && others.length === 0 ? only : call("coalesce", found, at);
}

/** `->` and `->>`: a literal index counts from 0, a literal name is a member whatever it looks like. */
export function jsonStep(
  value: Expression,
  step: Expression,
  name: "json_extract" | "json_extract_string",
  at: Expression,
): Expression {
  const index = integerOf(step);
  if (index !== undefined) return jsonAt(value, [`$${arrayStep(index)}`], name, at);
  if (step.kind === "string") {
    return jsonAt(value, [`$."${step.value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`], name, at);
  }
  throw unsupported("a JSON member name that is computed", step.span, "Write the name as a literal.");
}

function integerOf(expression: Expression): number | undefined {
  if (expression.kind === "number" && /^\d+$/.test(expression.text)) return Number(expression.text);
  if (expression.kind !== "unary" || expression.operator !== "-") return undefined;
  const positive = integerOf(expression.operand);
  return positive === undefined ? undefined : -positive;
}

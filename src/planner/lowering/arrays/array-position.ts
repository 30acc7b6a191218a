/**
 * `array_position` in an array that is written out, in the input language: a CASE over its elements. Engines with a function for it return 0 or
 * NULL in other cases than PostgreSQL where the value may be NULL, and others have none.
 */
import { functionName } from "../../functions/calls.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { type Definition, definitionOf } from "../meanings.ts";

const MOST_ELEMENTS = 100;

/** `undefined` for other functions, and for arrays with elements that are no literals. */
export function positionAmongLiterals(node: Call): Definition | undefined {
  const [array] = values(node);
  if (functionName(node) !== "array_position" || node.arguments.length !== 2 || array?.kind !== "array")
    return undefined;
  const literals = array.elements.flatMap((element) => literalOf(element) ?? []);
  const { length } = array.elements;
  if (length === 0 || length > MOST_ELEMENTS || literals.length < length) return undefined;
  return definitionOf(`CASE "$2" ${literals.map((each, index) => `WHEN ${each} THEN ${index + 1}`).join(" ")} END`);
}

function literalOf(element: Expression): string | undefined {
  if (element.kind === "string") return `'${element.value.replaceAll("'", "''")}'`;
  return element.kind === "number" ? element.text : undefined;
}

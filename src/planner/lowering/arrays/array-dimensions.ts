/**
 * PostgreSQL takes an array of arrays for one array of several dimensions: `unnest(ARRAY[[1, 2], [3, 4]])` has four rows, and its
 * cardinality is 4. Other engines count the inner arrays.
 * https://www.postgresql.org/docs/current/functions-array.html
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import type { Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

const OF_ALL: ReadonlySet<string> = new Set(["unnest", "cardinality"]);

export function refuseDimensions(node: Expression): void {
  const list = listOf(node);
  const type = list && typeOrUnknown(list);
  if (type?.kind !== "array" || type.element.kind !== "array") return;
  throw unsupported("the elements of an array of arrays", node.span, "Join the inner arrays: ARRAY[1, 2, 3, 4].");
}

function listOf(node: Expression): Expression | undefined {
  if (node.kind === "quantified") return node.array;
  return node.kind === "call" && OF_ALL.has(functionName(node)) ? node.arguments[0]?.value : undefined;
}

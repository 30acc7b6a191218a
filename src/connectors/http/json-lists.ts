/**
 * Arrays that a source sends as JSON texts: where the plan has an array of texts, whole numbers or booleans, the answer has a list.
 * Snowflake has a word of its own in them: https://docs.snowflake.com/en/sql-reference/data-types-semistructured
 */
import type { SqlType } from "../../planner/plan.ts";
import type { LogicalType, Value } from "../../result/types.ts";
import { type ListType, readList as readJson } from "../json-lists.ts";

const ELEMENTS: Readonly<Partial<Record<SqlType["kind"], LogicalType>>> = {
  text: { kind: "string" },
  integer: { kind: "int64" },
  boolean: { kind: "boolean" },
};

/** The type of a list for an array of the plan; `undefined` for elements that JSON writes in forms of its own. */
export function listOf(meant: SqlType | undefined): ListType | undefined {
  const element = meant?.kind === "array" ? ELEMENTS[meant.element.kind] : undefined;
  return element && { kind: "list", element };
}

/** A text, or the word for an element that is missing, which is no JSON. */
const UNDEFINED = /"(?:[^"\\]|\\[\s\S]?)*"?|\bundefined\b/g;

/** Throws `UnreadableValue` for anything but an array of such elements. */
export function readList(text: string, type: ListType): Value {
  const isSparse = text.includes("undefined");
  return readJson(isSparse ? text.replace(UNDEFINED, (found) => (found === "undefined" ? "null" : found)) : text, type);
}

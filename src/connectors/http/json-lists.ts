/**
 * Arrays that a source sends as JSON texts: where the plan has an array of texts, whole numbers or booleans, the answer has a list.
 * Snowflake has a word of its own in them: https://docs.snowflake.com/en/sql-reference/data-types-semistructured
 */
import type { SqlType } from "../../planner/plan.ts";
import type { LogicalType, Value } from "../../result/types.ts";
import { parseExactJson } from "./exact-json.ts";
import { fail, integer } from "./json-texts.ts";

type ListType = LogicalType & { readonly kind: "list" };

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
export function readList(text: string, { element }: ListType): Value {
  const isSparse = text.includes("undefined");
  const list = parsed(isSparse ? text.replace(UNDEFINED, (found) => (found === "undefined" ? "null" : found)) : text);
  return Array.isArray(list) ? list.map((each) => readElement(each, element)) : fail("an array");
}

function parsed(json: string): unknown {
  try {
    return parseExactJson(json);
  } catch {
    return fail("an array");
  }
}

function readElement(json: unknown, { kind }: LogicalType): Value {
  if (json === null) return null;
  if (kind === "string" && typeof json === "string") return json;
  if (kind === "boolean" && typeof json === "boolean") return json;
  if (kind === "int64" && (typeof json === "bigint" || Number.isSafeInteger(json))) return integer(String(json));
  return fail("an element of the type that the array has in the model");
}

/**
 * JSON, which is stored as text. ClickHouse's functions use the first of equal keys where PostgreSQL uses the last, reformat
 * numbers, and count members of objects as elements: so the requested part is checked first. Seen on ClickHouse 26.7.
 */

import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json/json-paths.ts";
import type { JsonTexts } from "../../lowering/json/json-writing.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { integer, logical, text, values } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { TEXT, typeOrUnknown } from "../../types.ts";
import { JSON_WORDS } from "./json-spellings.ts";

export const member = (node: Binary): Expression => step(node.left, node.right, node);
export const memberText = (node: Binary): Expression => asText(step(node.left, node.right, node), node);
export const subscript = (node: Subscript): Expression => step(node.operand, node.index, node);
export const path = (node: Binary): Expression => along(node.left, pathSteps(node.right), node);
export const pathText = (node: Binary): Expression => asText(path(node), node);

export function extractedPath(node: Call): Expression {
  const [document, ...steps] = values(node);
  if (document === undefined) return node;
  const names = steps.map((each) => (each.kind === "string" ? each.value : undefined));
  return along(document, names.every((each) => each !== undefined) ? names : undefined, node);
}

export const extractedText = (node: Call): Expression => asText(extractedPath(node), node);

function step(document: Expression, key: Expression, at: Expression): Expression {
  if (typeOrUnknown(document).kind !== "json") throw unsupported("a member of what is no json", at.span);
  if (key.kind === "string") return spelled(JSON_WORDS.member, [document, key], at);
  const place = countOf(key);
  if (place === undefined) throw unsupported("a computed step into json", key.span, "Write it as a literal.");
  const { type } = document;
  if (place === 0 && type?.kind === "json" && type.binary === true) {
    // In PostgreSQL, a scalar is its own first element.
    throw unsupported("the first element of what may be a plain value", key.span, "Cast it to json: x::json -> 0.");
  }
  // ClickHouse counts from 1, and negative indexes from the end.
  return spelled(JSON_WORDS.element, [document, integer(place < 0 ? place : place + 1, at)], at);
}

/** A numeric step is a position in an array and a name in an object. */
function along(document: Expression, steps: readonly string[] | undefined, at: Expression): Expression {
  if (steps === undefined) throw unsupported("a path into json of computed steps", at.span, "Use -> step by step.");
  return steps.reduce<Expression>((found, each) => {
    const place = /^-?\d{1,9}$/.test(each) ? Number(each) : undefined;
    if (place === undefined) return step(found, text(each, at), at);
    const element = integer(place < 0 ? place : place + 1, at);
    return spelled(JSON_WORDS.part, [found, text(each, at), element], at);
  }, document);
}

/** `->>`: NULL for a JSON null. */
const asText = (value: Expression, at: Expression): Expression => spelled(JSON_WORDS.text, [value], at);

/** Whether the name is a key of an object, an element of an array, or the text itself. */
export function hasKey(node: Binary): Expression {
  const { left, right } = node;
  if (typeOrUnknown(left).kind !== "json" || right.kind !== "string") {
    throw unsupported("a key or containment operator of json", node.span, "Compare j ->> 'key'.");
  }
  return spelled(JSON_WORDS.hasKey, [left, right], node);
}

/** Whether any, or all, of several keys exist. */
export const hasKeys =
  (operator: "or" | "and") =>
  (node: Binary): Expression => {
    const keys = node.right.kind === "array" ? node.right.elements : [];
    const [first, ...others] = keys.map((right) => hasKey({ ...node, right }));
    if (first === undefined)
      throw unsupported("a key or containment operator of json", node.span, "Write the keys as literals.");
    return others.length === 0 ? first : logical(operator, [first, ...others], node);
  };

/** The function makes a text of NULL. */
const QUOTED = words("if(isNull($1), NULL, toJSONString($1))", { type: TEXT });
/** Parts of documents are texts; a column may have the type JSON. */
const SHOWN = words("toString($1)", { type: TEXT });

export const JSON_TEXTS: JsonTexts = {
  quoted: (value, at) => spelled(QUOTED, [value], at),
  shown: (value, at) => spelled(SHOWN, [value], at),
};

/** JSON by paths. Documents keep their keys sorted and numbers anew; what is said of a member is its value. */
import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json-paths.ts";
import { orRaise } from "../../lowering/raising.ts";
import { countOf } from "../../lowering/written-counts.ts";
import { call, comparison, inPlaceOf, isNull, text, typed, values, when } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, JSON_PART, TEXT } from "../../types.ts";

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
  if (key.kind === "string") return named(document, key.value, at);
  const place = countOf(key);
  if (place === undefined || place < 0) {
    const hint = "Write the name or the position as a literal.";
    throw unsupported("a computed step into json, or one from the end", key.span, hint);
  }
  const { type } = document;
  if (place === 0 && type?.kind === "json" && type.binary === true) {
    // What is no array or object is its own first element in PostgreSQL.
    throw unsupported("the first element of what may be a plain value", key.span, "Cast it to json: x::json -> 0.");
  }
  // An object may have a member of that name, which the path would find.
  return when(isOf("array", document, at), extracted(document, `$[${place}]`, at), undefined, typed(JSON_PART, at));
}

const isOf = (type: string, document: Expression, at: Expression): Expression =>
  comparison(call("json_type", [document], typed(TEXT, at)), "=", text(type, at), at);

/** A step of digits is a position in an array and a name in an object. */
function along(document: Expression, steps: readonly string[] | undefined, at: Expression): Expression {
  if (steps === undefined || steps.some((each) => /^-?\d+$/.test(each))) {
    throw unsupported("a path into json of computed steps, or of positions", at.span, "Use -> step by step.");
  }
  return steps.reduce((found, each) => named(found, each, at), document);
}

/** What a path can hold between its quotes. */
function named(document: Expression, name: string, at: Expression): Expression {
  if (name === "" || /["\\]/.test(name))
    throw unsupported("the name of this member of json", at.span, "Use another name.");
  const found = extracted(document, `$."${name}"`, at);
  // Of an array it would be a position.
  return /^-?\d+$/.test(name) ? when(isOf("object", document, at), found, undefined, typed(JSON_PART, at)) : found;
}

/** A null in a document stays one, and is no NULL. */
function extracted(document: Expression, jsonPath: string, at: Expression): Expression {
  return call("json_query", [document, text(jsonPath, at)], typed(JSON_PART, at));
}

/** Texts, words, and numbers whose text is the same wherever a document is kept. */
const PLAIN = '(?s)\\A(["tfn].*|-?[0-9]+|-?[0-9]{1,7}[.][0-9]{0,8}[1-9])\\z';

/** `->>`: NULL for null; objects, arrays and some numbers have other texts here, and raise. */
function asText(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  const isPlain = call(
    "regexp_contains",
    [call("to_json_string", [value], place), text(PLAIN, at)],
    typed(BOOLEAN, at),
  );
  const shown = call("json_value", [value, text("$", at)], place);
  return orRaise(isPlain, shown, value, "The text of a json object, array or long number");
}

export function jsonType(node: Call): Expression {
  const [value] = values(node);
  return value === undefined ? node : call("json_type", [value], inPlaceOf(node));
}

export function arrayLength(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const length = call("array_length", [call("json_query_array", [value], typed(JSON_PART, node))], typed(BIGINT, node));
  return orRaise(isNull(length, true), length, value, "The length of json that is no array");
}

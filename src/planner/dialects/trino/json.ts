/** JSON by paths. Trino keeps documents with their keys sorted and numbers as doubles; what is said of a member is its value. */

import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json-paths.ts";
import { orRaise } from "../../lowering/raising.ts";
import { countOf } from "../../lowering/written-counts.ts";
import { call, cases, comparison, inPlaceOf, integer, isNull, text, typed, values, when } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, JSON_PART, TEXT } from "../../types.ts";

export const member = (node: Binary): Expression => step(node.left, node.right, node);
export const memberText = (node: Binary): Expression => asText(step(node.left, node.right, node), node);
export const subscript = (node: Subscript): Expression => step(node.operand, node.index, node);

export function path(node: Binary): Expression {
  return along(node.left, pathSteps(node.right), node);
}

export const pathText = (node: Binary): Expression => asText(path(node), node);

export function extractedPath(node: Call): Expression {
  const [document, ...steps] = values(node);
  if (document === undefined) return node;
  const names = steps.map((each) => (each.kind === "string" ? each.value : undefined));
  return along(document, names.every((each) => each !== undefined) ? names : undefined, node);
}

export const extractedText = (node: Call): Expression => asText(extractedPath(node), node);

const lengthOf = (document: Expression, at: Expression): Expression =>
  call("json_array_length", [document], typed(BIGINT, at));

function step(document: Expression, key: Expression, at: Expression): Expression {
  if (key.kind === "string") return named(document, key.value, at);
  const place = countOf(key);
  if (place === undefined || place < 0) {
    throw unsupported(
      "a computed step into json, or one from the end",
      key.span,
      "Write the name or the position as a literal.",
    );
  }
  const { type } = document;
  if (place === 0 && type?.kind === "json" && type.binary === true) {
    // A value that is no array or object is its own first element in PostgreSQL.
    throw unsupported("the first element of what may be a plain value", key.span, "Cast it to json: x::json -> 0.");
  }
  return numbered(document, place, at);
}

function named(document: Expression, name: string, at: Expression): Expression {
  const found = extracted(document, `$["${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`, at);
  // The key of an array would be a position.
  if (!/^\d+$/.test(name)) return found;
  return when(isNull(lengthOf(document, at), false), found, undefined, typed(JSON_PART, at));
}

function numbered(document: Expression, place: number, at: Expression): Expression {
  const isArray = isNull(lengthOf(document, at), true);
  return when(isArray, extracted(document, `$[${place}]`, at), undefined, typed(JSON_PART, at));
}

/** A step of digits is a position in an array and a name in an object. */
function along(document: Expression, steps: readonly string[] | undefined, at: Expression): Expression {
  if (steps === undefined || steps.some((each) => /^-\d+$/.test(each))) {
    throw unsupported("a path into json of computed steps, or from the end", at.span, "Use -> step by step.");
  }
  return steps.reduce(
    (found, each) => (/^\d+$/.test(each) ? extracted(found, `$[${each}]`, at) : named(found, each, at)),
    document,
  );
}

function extracted(document: Expression, jsonPath: string, at: Expression): Expression {
  return call("json_extract", [document, text(jsonPath, at)], typed(JSON_PART, at));
}

/** Texts, words, and numbers whose text is the same wherever a document is kept. */
const PLAIN = '\\A(["tfn].*|-?[0-9]+([.][0-9]*[1-9])?)\\z';

/** `->>`: NULL for null; objects, arrays and some numbers have other texts here, and raise. */
function asText(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  const isPlain = call(
    "regexp_like",
    [call("json_format", [value], place), text(`(?s)${PLAIN}`, at)],
    typed(BOOLEAN, at),
  );
  const shown = call("json_extract_scalar", [value, text("$", at)], place);
  return orRaise(
    isPlain,
    shown,
    value,
    "not supported on this source: the text of a json object, array or long number",
  );
}

export function jsonType(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const at = typed(TEXT, node);
  const first = call("substr", [call("json_format", [value], at), integer(1, node), integer(1, node)], at);
  const kinds = [
    ["{", "object"],
    ["[", "array"],
    ['"', "string"],
    ["t", "boolean"],
    ["f", "boolean"],
    ["n", "null"],
  ] as const;
  const branches = kinds.map(([sign, kind]) => ({
    when: comparison(first, "=", text(sign, node), node),
    then: text(kind, node),
  }));
  return cases([...branches, { when: isNull(value, true), then: text("number", node) }], undefined, inPlaceOf(node));
}

export function arrayLength(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const length = lengthOf(value, node);
  return orRaise(isNull(length, true), length, value, "The length of json that is no array");
}

export function refuseJson(...sides: readonly Expression[]): void {
  const json = sides.find(({ type }) => type?.kind === "json");
  if (json === undefined) return;
  throw unsupported("a comparison of json", json.span, "Compare texts: j ->> 'key'.");
}

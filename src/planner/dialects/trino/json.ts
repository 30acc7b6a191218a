/** JSON by paths. Trino keeps documents with their keys sorted and numbers as doubles. */

import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json/json-paths.ts";
import type { JsonTexts } from "../../lowering/json/json-writing.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { raisingUnless } from "../../lowering/raising.ts";
import { spelled, sql, words } from "../../lowering/templates/template.ts";
import { call, text, typed, values } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { JSON_PART, TEXT } from "../../types.ts";

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
  return /^\d+$/.test(name) ? spelled(OF_OBJECT, [document, found], typed(JSON_PART, at)) : found;
}

const OF_OBJECT = sql("CASE WHEN json_array_length($1) IS NULL THEN $2 END");
const OF_ARRAY = sql("CASE WHEN json_array_length($1) IS NOT NULL THEN $2 END");

const numbered = (document: Expression, place: number, at: Expression): Expression =>
  spelled(OF_ARRAY, [document, extracted(document, `$[${place}]`, at)], typed(JSON_PART, at));

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

/**
 * Objects, arrays and some numbers have other texts on Trino, and raise. Texts, words, and numbers without an exponent or a zero at
 * the end have the same.
 */
const AS_TEXT = sql(
  raisingUnless(
    `regexp_like(json_format($1), '(?s)\\A(["tfn].*|-?[0-9]+([.][0-9]*[1-9])?)\\z')`,
    "json_extract_scalar($1, '$')",
    "not supported on this source: the text of a json object, array or long number",
  ),
  { type: TEXT },
);

/** `->>`: NULL for null. */
export const asText = (value: Expression, at: Expression): Expression => spelled(AS_TEXT, [value], at);

const KINDS = { "{": "object", "[": "array", '"': "string", t: "boolean", f: "boolean", n: "null" } as const;

export const JSON_TYPE_NAME = sql(
  `CASE ${Object.entries(KINDS)
    .map(([sign, kind]) => `WHEN substr(json_format($1), 1, 1) = '${sign}' THEN '${kind}'`)
    .join(" ")} WHEN $1 IS NOT NULL THEN 'number' END`,
);

export const ARRAY_LENGTH = sql(
  raisingUnless("json_array_length($1) IS NOT NULL", "json_array_length($1)", "The length of json that is no array"),
);

export function refuseJson(...sides: readonly Expression[]): void {
  const json = sides.find(({ type }) => type?.kind === "json");
  if (json === undefined) return;
  throw unsupported("a comparison of json", json.span, "Compare texts: j ->> 'key'.");
}

const QUOTED = words("json_format(CAST($1 AS JSON))", { type: TEXT });
const FORMATTED = words("json_format($1)", { type: TEXT });

export const JSON_TEXTS: JsonTexts = {
  quoted: (value, at) => spelled(QUOTED, [value], at),
  shown: (value, at) => spelled(FORMATTED, [value], at),
};

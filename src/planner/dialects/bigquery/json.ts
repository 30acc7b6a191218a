/** JSON by paths. */

import { jsonMembers, PLAIN_JSON } from "../../lowering/json/json-members.ts";
import type { JsonTexts } from "../../lowering/json/json-writing.ts";
import { orRaise } from "../../lowering/raising.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { call, comparison, inPlaceOf, isNull, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, JSON_PART, TEXT } from "../../types.ts";

const isOf =
  (type: string) =>
  (document: Expression, at: Expression): Expression =>
    comparison(call("json_type", [document], typed(TEXT, at)), "=", text(type, at), at);

const extracted = (document: Expression, jsonPath: string, at: Expression): Expression =>
  call("json_query", [document, text(jsonPath, at)], typed(JSON_PART, at));

/** `->>`: NULL for null; objects, arrays and some numbers have other texts here, and raise. */
export function asText(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  const isPlain = call(
    "regexp_contains",
    [call("to_json_string", [value], place), text(`(?s)\\A${PLAIN_JSON}\\z`, at)],
    typed(BOOLEAN, at),
  );
  const shown = call("json_value", [value, text("$", at)], place);
  return orRaise(isPlain, shown, value, "The text of a json object, array or long number");
}

export const { member, memberText, subscript, path, pathText, extractedPath, extractedText } = jsonMembers({
  member: (document, name, at) => extracted(document, `$."${name}"`, at),
  element: (document, place, at) => extracted(document, `$[${place}]`, at),
  isObject: isOf("object"),
  isArray: isOf("array"),
  // Names that a path can hold between its quotes.
  isSayable: (name) => name !== "" && !/["\\]/.test(name),
  text: asText,
});

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

/** The function makes a text of NULL. */
const WRITTEN = words("IF($1 IS NULL, NULL, TO_JSON_STRING($1))", { type: TEXT });

export const JSON_TEXTS: JsonTexts = {
  quoted: (value, at) => spelled(WRITTEN, [value], at),
  shown: (value, at) => spelled(WRITTEN, [value], at),
};

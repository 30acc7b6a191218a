/**
 * JSON is VARIANT, and its members are asked for one by one; a NULL of a document is no NULL of SQL
 * (https://docs.snowflake.com/en/user-guide/semistructured-considerations).
 */

import { unsupported } from "../../diagnostics.ts";
import { jsonMembers, PLAIN_JSON } from "../../lowering/json/json-members.ts";
import type { JsonTexts } from "../../lowering/json/json-writing.ts";
import { orRaise } from "../../lowering/raising.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { call, cases, cast, comparison, inPlaceOf, integer, isNull, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, JSON_PART, TEXT } from "../../types.ts";

const is =
  (name: "is_object" | "is_array") =>
  (document: Expression, at: Expression): Expression =>
    call(name, [document], typed(BOOLEAN, at));

/** `->>`: NULL for null; objects, arrays and some numbers have other texts here, and raise. */
function asText(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  const isPlain = call(
    "regexp_like",
    [call("to_json", [value], place), text(`\\A${PLAIN_JSON}\\z`, at)],
    typed(BOOLEAN, at),
  );
  return orRaise(isPlain, cast(value, "text", place), value, "The text of a json object, array or long number");
}

export const { member, memberText, subscript, path, pathText, extractedPath, extractedText } = jsonMembers({
  member: (document, name, at) => call("get", [document, text(name, at)], typed(JSON_PART, at)),
  element: (document, place, at) => call("get", [document, integer(place, at)], typed(JSON_PART, at)),
  isObject: is("is_object"),
  isArray: is("is_array"),
  isSayable: () => true,
  text: asText,
});

/** https://docs.snowflake.com/en/sql-reference/functions/typeof */
const KINDS = [
  ["OBJECT", "object"],
  ["ARRAY", "array"],
  ["VARCHAR", "string"],
  ["BOOLEAN", "boolean"],
  ["NULL_VALUE", "null"],
] as const;

export function jsonType(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const kind = call("typeof", [value], typed(TEXT, node));
  const branches = KINDS.map(([own, name]) => ({
    when: comparison(kind, "=", text(own, node), node),
    then: text(name, node),
  }));
  return cases([...branches, { when: isNull(value, true), then: text("number", node) }], undefined, inPlaceOf(node));
}

export function arrayLength(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const length = call("array_size", [value], typed(BIGINT, node));
  return orRaise(isNull(length, true), length, value, "The length of json that is no array");
}

export function refuseStructures(...sides: readonly Expression[]): void {
  for (const { type, span } of sides) {
    if (type?.kind === "json") throw unsupported("a comparison of json", span, "Compare texts: j ->> 'key'.");
    if (type?.kind === "array") throw unsupported("a comparison of arrays", span, "Compare their elements.");
  }
}

/** https://docs.snowflake.com/en/sql-reference/functions/to_json */
const QUOTED = words("TO_JSON(TO_VARIANT($1))", { type: TEXT });
const WRITTEN = words("TO_JSON($1)", { type: TEXT });

export const JSON_TEXTS: JsonTexts = {
  quoted: (value, at) => spelled(QUOTED, [value], at),
  shown: (value, at) => spelled(WRITTEN, [value], at),
};

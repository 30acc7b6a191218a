/** JSON by paths. MySQL keeps documents parsed, MariaDB as texts. */

import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json/json-paths.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { call, text, typed, values } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { partOfJson, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { matches, raisingUnless } from "./raising.ts";

/** `j -> 'a'`, `j -> 0`, `j['a']`. */
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

const ELEMENT = sql("CASE WHEN json_type($1) IN ('ARRAY') THEN $2 END");
const FIRST_ELEMENT = sql("CASE WHEN json_type($1) NOT IN ('OBJECT') THEN $2 END");

function step(document: Expression, key: Expression, at: Expression): Expression {
  // MariaDB takes a name that begins with - for a position from the end.
  if (key.kind === "string" && key.value.startsWith("-"))
    throw unsupported("a member whose name begins with -", key.span);
  if (key.kind === "string") return extracted(document, `$${memberStep(key.value)}`, at);
  if (key.kind !== "number" || typeOrUnknown(key).kind !== "integer") {
    throw unsupported("a computed step into json", key.span, "Write the name or the position as a literal.");
  }
  // `$[0]` of a scalar is the scalar itself; in PostgreSQL only for jsonb.
  const isFirst = key.text === "0" && document.type?.kind === "json" && document.type.binary === true;
  return spelled(isFirst ? FIRST_ELEMENT : ELEMENT, [document, extracted(document, `$[${key.text}]`, at)], {
    span: at.span,
    type: partOf(document),
  });
}

function along(document: Expression, steps: readonly string[] | undefined, at: Expression): Expression {
  if (steps === undefined || steps.some((each) => /^\d+$|^-/.test(each))) {
    throw unsupported("a path into json with positions or computed steps", at.span, "Use -> step by step.");
  }
  return extracted(document, `$${steps.map(memberStep).join("")}`, at);
}

function memberStep(name: string): string {
  if (/["\\]/.test(name)) return `."${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  return `."${name}"`;
}

function extracted(document: Expression, jsonPath: string, at: Expression): Expression {
  return call("json_extract", [document, text(jsonPath, at)], { span: at.span, type: partOf(document) });
}

const partOf = (document: Expression): SqlType => partOfJson([typeOrUnknown(document)]);

/**
 * Objects, arrays and some numbers have texts that differ between MySQL and MariaDB, and raise. Numbers have the same text without an
 * exponent and without a zero at the end.
 */
const AS_TEXT = sql(
  `CASE WHEN json_type($1) NOT IN ('NULL') THEN ${raisingUnless(
    "json_type($1) IN ('STRING', 'BOOLEAN') OR $2",
    "json_unquote($1)",
  )} END`,
);
const UNQUOTED = sql("json_unquote($1)", { type: TEXT });
const PLAIN_NUMBER = "^-?[0-9]+([.][0-9]*[1-9])?$";

/** `->>`: NULL for null. */
function asText(value: Expression, at: Expression): Expression {
  const shown = spelled(UNQUOTED, [value], value);
  return spelled(AS_TEXT, [value, matches(shown, PLAIN_NUMBER)], typed(TEXT, at));
}

export const JSON_TYPE_NAME = sql(`CASE
  WHEN json_type($1) = 'OBJECT' THEN 'object' WHEN json_type($1) = 'ARRAY' THEN 'array'
  WHEN json_type($1) = 'STRING' THEN 'string' WHEN json_type($1) = 'BOOLEAN' THEN 'boolean'
  WHEN json_type($1) = 'NULL' THEN 'null' WHEN json_type($1) IS NOT NULL THEN 'number'
END`);

export const ARRAY_LENGTH = sql(raisingUnless("json_type($1) = 'ARRAY'", "json_length($1)"));

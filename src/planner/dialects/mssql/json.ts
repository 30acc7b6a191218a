/**
 * JSON by paths, of documents that are texts. JSON_VALUE knows scalars of 4000 characters at most, and NULL stands for anything else;
 * so objects and arrays, whose texts differ from engine to engine, raise, and so does what is missing in a longer document.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/json-value-transact-sql
 */

import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json/json-paths.ts";
import type { JsonTexts } from "../../lowering/json/json-writing.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { call, cases, cast, comparison, integer, isNull, logical, text, typed, values } from "../../syntax/build.ts";
import type { Binary, Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, JSON_PART, TEXT, typeOrUnknown } from "../../types.ts";

/** Spelled by nobody: only its text has a value (`print.ts`). */
const PART = "json part";
/** A document within which no text is longer than JSON_VALUE's, in bytes of two for each character. */
const SHORT = 8000;

export const member = (node: Binary): Expression => part(node.left, [stepOf(node.right)], node);
export const memberText = (node: Binary): Expression => textOfPart(node.left, [stepOf(node.right)], node);
export const path = (node: Binary): Expression => part(node.left, stepsOf(node.right), node);
export const pathText = (node: Binary): Expression => textOfPart(node.left, stepsOf(node.right), node);

export function extractedPath(node: Call): Expression {
  const [document, ...steps] = values(node);
  return document === undefined ? node : part(document, steps.map(nameOf), node);
}

export function extractedText(node: Call): Expression {
  const [document, ...steps] = values(node);
  return document === undefined ? node : textOfPart(document, steps.map(nameOf), node);
}

function stepOf(key: Expression): string {
  if (key.kind === "number" && typeOrUnknown(key).kind === "integer") return `[${key.text}]`;
  if (key.kind === "string") return memberStep(key.value);
  throw unsupported("a computed step into json", key.span, "Write the name or the position as a literal.");
}

/** A number among these is a name or a position, as the document has it. */
function stepsOf(steps: Expression): readonly string[] {
  const names = pathSteps(steps);
  if (names === undefined || names.some((each) => /^-?\d+$/.test(each))) {
    throw unsupported("a path into json with positions or computed steps", steps.span, "Use -> step by step.");
  }
  return names.map(memberStep);
}

function nameOf(key: Expression): string {
  if (key.kind === "string" && !/^-?\d+$/.test(key.value)) return memberStep(key.value);
  throw unsupported("a path into json with positions or computed steps", key.span, "Use -> step by step.");
}

const memberStep = (name: string): string => `."${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** A path goes on where the one below it ends. */
function along(document: Expression, steps: readonly string[], at: Expression): readonly [Expression, string] {
  if (document.kind === "call" && document.name[0]?.name === PART) {
    const [inner, before] = values(document);
    if (inner !== undefined && before?.kind === "string") return [inner, before.value + steps.join("")];
  }
  if (document.kind !== "bound") throw unsupported("a member of json that is computed", at.span);
  return [document, `$${steps.join("")}`];
}

function part(document: Expression, steps: readonly string[], at: Expression): Expression {
  const [inner, way] = along(document, steps, at);
  return call(PART, [inner, text(way, at)], typed(JSON_PART, at));
}

function textOfPart(document: Expression, steps: readonly string[], at: Expression): Expression {
  const [inner, way] = along(document, steps, at);
  const place = typed(TEXT, at);
  const value = (mode: string): Expression => call("json_value", [inner, text(mode + way, at)], place);
  const composite = call("json_query", [inner, text(way, at)], place);
  const first = call("left", [composite, integer(1, at)], place);
  const raised = cast(cast(first, "integer", typed(INTEGER, at)), "text", place);
  const isLong = comparison(call("datalength", [inner], typed(BIGINT, at)), ">", integer(SHORT, at), at);
  return cases(
    [
      { when: isNull(composite, true), then: raised },
      { when: logical("and", [isLong, isNull(value(""), false)], at), then: value("strict ") },
    ],
    value(""),
    place,
  );
}

/** https://learn.microsoft.com/en-us/sql/t-sql/functions/string-escape-transact-sql */
const QUOTED = words(`(N'"' + STRING_ESCAPE($1, N'json') + N'"')`, { type: TEXT });
const SHOWN = words("CAST($1 AS NVARCHAR(MAX))", { type: TEXT });

export const JSON_TEXTS: JsonTexts = {
  quoted: (value, at) => spelled(QUOTED, [value], at),
  shown: (value, at) => spelled(SHOWN, [value], at),
};

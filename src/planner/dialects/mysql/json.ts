/** JSON by paths. MySQL keeps documents parsed, MariaDB as texts: what both say of a member is its value. */

import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json-paths.ts";
import { binary, call, cases, inPlaceOf, logical, text, values, when } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { BOOLEAN, INTEGER, partOfJson, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { matches, orRaise } from "./raising.ts";

/** `j -> 'a'`, `j -> 0`, `j['a']`. */
export const member = (node: Binary): Expression => step(node.left, node.right, node);
export const memberText = (node: Binary): Expression => asText(step(node.left, node.right, node), node);
export const subscript = (node: Subscript): Expression => step(node.operand, node.index, node);

export function path(node: Binary): Expression {
  return along(node.left, pathSteps(node.right), node);
}

export function pathText(node: Binary): Expression {
  return asText(path(node), node);
}

export function extractedPath(node: Call): Expression {
  const [document, ...steps] = values(node);
  if (document === undefined) return node;
  const names = steps.map((each) => (each.kind === "string" ? each.value : undefined));
  return along(document, names.every((each) => each !== undefined) ? names : undefined, node);
}

export const extractedText = (node: Call): Expression => asText(extractedPath(node), node);

function step(document: Expression, key: Expression, at: Expression): Expression {
  // MariaDB takes such a name for a position from the end.
  if (key.kind === "string" && key.value.startsWith("-"))
    throw unsupported("a member whose name begins with -", key.span);
  if (key.kind === "string") return extracted(document, `$${memberStep(key.value)}`, at);
  if (key.kind !== "number" || typeOrUnknown(key).kind !== "integer") {
    throw unsupported("a computed step into json", key.span, "Write the name or the position as a literal.");
  }
  // `$[0]` of what is no array is the value itself, which PostgreSQL says of a scalar in jsonb alone: to it that is an array.
  const isFirst = key.text === "0" && document.type?.kind === "json" && document.type.binary === true;
  const isArray: Expression = {
    kind: "in-list",
    negated: isFirst,
    operand: typeName(document, at),
    list: [text(isFirst ? "OBJECT" : "ARRAY", at)],
    span: at.span,
    type: BOOLEAN,
  };
  return when(isArray, extracted(document, `$[${key.text}]`, at), undefined, { span: at.span, type: partOf(document) });
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

function typeName(value: Expression, { span }: Expression): Expression {
  return call("json_type", [value], { span, type: TEXT });
}

/** Numbers whose text is the same wherever a document is kept: without an exponent, and without a zero at the end. */
const PLAIN_NUMBER = "^-?[0-9]+([.][0-9]*[1-9])?$";

/** `->>`: NULL for null; objects, arrays and some numbers have texts that differ from engine to engine, and raise. */
function asText(value: Expression, at: Expression): Expression {
  const place = { span: at.span, type: TEXT };
  const isOf = (negated: boolean, ...names: readonly string[]): Expression => ({
    kind: "in-list",
    negated,
    operand: typeName(value, at),
    list: names.map((name) => text(name, at)),
    span: at.span,
    type: BOOLEAN,
  });
  const shown = call("json_unquote", [value], place);
  const isPlain = logical("or", [isOf(false, "STRING", "BOOLEAN"), matches(shown, PLAIN_NUMBER)], at);
  return cases([{ when: isOf(true, "NULL"), then: orRaise(isPlain, shown, value) }], undefined, place);
}

export function jsonType(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const kinds = [
    ["object", "OBJECT"],
    ["array", "ARRAY"],
    ["string", "STRING"],
    ["boolean", "BOOLEAN"],
    ["null", "NULL"],
  ] as const;
  const name = typeName(value, node);
  const branches = kinds.map(([kind, own]) => ({
    when: binary(name, "=", text(own, node), { span: node.span, type: BOOLEAN }),
    then: text(kind, node),
  }));
  const isNumber = { kind: "is", operand: name, negated: true, test: "null", span: node.span, type: BOOLEAN } as const;
  return cases([...branches, { when: isNumber, then: text("number", node) }], undefined, inPlaceOf(node));
}

export function arrayLength(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const isArray = binary(typeName(value, node), "=", text("ARRAY", node), { span: node.span, type: BOOLEAN });
  return orRaise(isArray, call("json_length", [value], { span: node.span, type: INTEGER }), value);
}

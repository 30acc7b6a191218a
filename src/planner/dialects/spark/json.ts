/**
 * JSON is a text there, and what a member is called or where it stands is a path of `get_json_object`. That gives texts without
 * quotes, numbers anew and, where a name comes twice, the first of them, PostgreSQL the last: what cannot be told apart raises.
 */

import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json/json-paths.ts";
import type { JsonTexts } from "../../lowering/json/json-writing.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { orRaise } from "../../lowering/raising.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import {
  call,
  cases,
  cast,
  comparison,
  concatenation,
  integer,
  isNull,
  logical,
  text,
  typed,
  values,
} from "../../syntax/build.ts";
import type { Binary, Call, Expression, Template } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, JSON_PART, TEXT } from "../../types.ts";

export function refuseJson(...sides: readonly Expression[]): void {
  const json = sides.find(({ type }) => type?.kind === "json");
  if (json === undefined) return;
  throw unsupported("a comparison of json", json.span, "Compare texts: j ->> 'key'.");
}

/** A document and the steps into it: `printed` nowhere, for as a value it would need its quotes. */
export const MEMBER = "member of json";

type Step = string | number;

export const member = (node: Binary): Expression => step(node.left, node.right, node);
export const memberText = (node: Binary): Expression => asText(step(node.left, node.right, node), node);
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
  if (key.kind === "string") return within(document, [named(key.value, key)], at);
  const place = countOf(key);
  if (place !== undefined && place >= 0) return within(document, [place], at);
  const hint = "Write the name or the position as a literal.";
  throw unsupported("a computed step into json, or one from the end", key.span, hint);
}

/** A step of digits would be a position in an array and a name in an object. */
function along(document: Expression, steps: readonly string[] | undefined, at: Expression): Expression {
  if (steps === undefined || steps.some((each) => /^-?\d+$/.test(each))) {
    throw unsupported("a path into json of computed steps, or of positions", at.span, "Use -> step by step.");
  }
  return within(
    document,
    steps.map((each) => named(each, at)),
    at,
  );
}

/** Names that a path can hold between its quotes. */
function named(name: string, { span }: Expression): string {
  if (name !== "" && name !== "*" && !/['"?`\\]/.test(name)) return name;
  throw unsupported("the name of this member of json", span, "Use another name.");
}

function within(document: Expression, steps: readonly Step[], at: Expression): Expression {
  const isMember = document.kind === "call" && document.name[0]?.name === MEMBER;
  const [whole = document, known] = isMember ? values(document) : [document];
  const before = known?.kind === "string" ? (JSON.parse(known.value) as readonly Step[]) : [];
  return call(MEMBER, [whole, text(JSON.stringify([...before, ...steps]), at)], typed(JSON_PART, at));
}

function stepsOf(value: Expression): readonly [document: Expression, steps: readonly Step[]] {
  const [document, steps] = value.kind === "call" ? values(value) : [];
  if (document === undefined || steps?.kind !== "string") throw new TypeError("a member of json has a path");
  return [document, JSON.parse(steps.value) as readonly Step[]];
}

const pathOf = (steps: readonly Step[]): string =>
  steps.map((each) => (typeof each === "number" ? `[${each}]` : `['${each}']`)).join("");

const textOf = (document: Expression): Expression => cast(document, "text", typed(TEXT, document));

/** With its quotes, as the only member of an array that a wildcard finds. */
function quoted([document, steps]: ReturnType<typeof stepsOf>, at: Expression): Expression {
  const place = typed(TEXT, at);
  const array = concatenation(concatenation(text("[", at), textOf(document), at), text("]", at), at);
  return call("get_json_object", [array, text(`$[*]${pathOf(steps)}`, at)], place);
}

/** `_d` is what the step leads out of, computed once. */
const stepped = (condition: string): Template =>
  words(
    `transform(array($1), _d -> CASE ${condition} THEN coalesce(get_json_object(concat('[', _d, ']'), $2), 'null') END)[0]`,
    { type: TEXT },
  );
const BY_NAME = stepped(
  `WHEN size(filter(json_object_keys(_d), _k -> _k = $3)) > 1 ` +
    `THEN raise_error('not supported on this source: a name of json that comes twice') ` +
    `WHEN array_contains(json_object_keys(_d), $3)`,
);
const BY_PLACE = stepped("WHEN json_array_length(_d) > $3");

/** The text of a document or of a member of one: unlike its text between quotes, it is not NULL for JSON's null. */
export function wholeDocument(value: Expression): Expression {
  const isMember = value.kind === "call" && value.name[0]?.name === MEMBER;
  if (!isMember) return textOf(value);
  const [document, steps] = stepsOf(value);
  return steps.reduce((found, each) => {
    const path = text(`$[*]${pathOf([each])}`, value);
    if (typeof each === "number") return spelled(BY_PLACE, [found, path, integer(each, value)], value);
    return spelled(BY_NAME, [found, path, text(each, value)], value);
  }, textOf(document));
}

/** The type of a text at the end of the steps, and how it is got out of a value of that type. */
function schemaOf(steps: readonly Step[]): string {
  const [first, ...rest] = steps;
  if (first === undefined) return "STRING";
  return typeof first === "number" ? `ARRAY<${schemaOf(rest)}>` : `STRUCT<\`${first}\`: ${schemaOf(rest)}>`;
}

/** Texts, whole numbers and words: what is the same wherever it stands. */
const PLAIN = '(?s)\\A(".*|-?[0-9]+|true|false)\\z';

const NOT_AS_TEXT =
  "not supported on this source: the text of a json object, array or fraction, or of a name that comes twice";

/** `->>`: NULL for null; objects, arrays and numbers with a fraction have other texts there, and raise. */
function asText(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  const found = stepsOf(value);
  const [document, steps] = found;
  const shown = call("get_json_object", [textOf(document), text(`$${pathOf(steps)}`, at)], place);
  const last = call(
    "last member",
    [textOf(document), text(schemaOf(steps), at), text(JSON.stringify(steps), at)],
    place,
  );
  const own = quoted(found, at);
  const isPlain = call("regexp_like", [own, text(PLAIN, at)], typed(BOOLEAN, at));
  const isOne = comparison(shown, "is not distinct from", last, at);
  const isNothing = logical("and", [isNull(own, false), isNull(last, false)], at);
  return cases(
    [
      { when: logical("and", [isPlain, isOne], at), then: shown },
      { when: isNothing, then: { kind: "null", span: at.span, type: TEXT } },
    ],
    call("fail", [text(NOT_AS_TEXT, at)], place),
    place,
  );
}

export function arrayLength(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const isMember = value.kind === "call" && value.name[0]?.name === MEMBER;
  const document: Expression = isMember ? quoted(stepsOf(value), node) : value;
  const length = call("json_array_length", [document], typed(BIGINT, node));
  const counted = { ...length, ...(node.type && { type: node.type }) };
  return orRaise(isNull(length, true), counted, document, "The length of json that is no array");
}

/** An array is written with brackets, which no text between quotes has at its ends. */
const QUOTED = words("CASE WHEN $1 IS NOT NULL THEN trim(BOTH '[]' FROM to_json(array($1))) END", { type: TEXT });

export const JSON_TEXTS: JsonTexts = {
  quoted: (value, at) => spelled(QUOTED, [value], at),
  shown: wholeDocument,
};

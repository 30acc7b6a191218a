/**
 * Rows in FROM of the elements and members of JSON, which is a text there. They are cut out of it by their positions and names, with their
 * quotes. Numbers with a fraction would be written anew, and of members with one name the first would be found: both raise.
 */
import { jsonRows, NO_ARRAY, NO_OBJECT } from "../../lowering/json/json-rows.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { call, exactName, inPlaceOf, typed, values } from "../../syntax/build.ts";
import type { TableExpression, TableFunction, Template } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { TEXT, UNKNOWN } from "../../types.ts";
import { wholeDocument } from "./json.ts";
import { elementsOf } from "./table-functions.ts";

const raised = (what: string): string => `raise_error('${what}')`;

/** `_d` is the document, computed once. */
const ofDocument = (body: string): string => `transform(array($1), _d -> CASE ${body} END)[0]`;

/** Whether numbers outside of its texts have one of these signs. */
const hasNumbers = (signs: string): string =>
  `regexp_like(regexp_replace(_d, '"([^"\\\\\\\\]|\\\\\\\\.)*"', ''), '${signs}')`;
const FRACTION = `WHEN ${hasNumbers("[0-9][.eE]|-0")} THEN ${raised("not supported on this source: json with a fraction")}`;
const NEGATIVE_ZERO = `WHEN ${hasNumbers("-0")} THEN ${raised("not supported on this source: json with -0")}`;

/** With its quotes, as the only part of an array that a wildcard finds. JSON's null is not found. */
const partAt = (step: string): string =>
  `coalesce(get_json_object(concat('[', _d, ']'), concat('$[*][', ${step}, ']')), 'null')`;

const textOf = (part: string): string =>
  `transform(array(${part}), _e -> CASE WHEN _e = 'null' THEN NULL ` +
  `WHEN startswith(_e, '"') THEN get_json_object(concat('[', _e, ']'), '$[0]') ` +
  `WHEN regexp_like(_e, '^(-?[0-9]+|true|false)$') THEN _e ` +
  `ELSE ${raised("not supported on this source: the text of a json object, array or fraction")} END)[0]`;

const elementsBy = (refused: string, shown: (part: string) => string): Template =>
  words(
    ofDocument(
      `${refused} WHEN json_array_length(_d) > 0 THEN ` +
        `transform(sequence(0, json_array_length(_d) - 1), _i -> ${shown(partAt("_i"))}) ` +
        `WHEN _d IS NOT NULL AND json_array_length(_d) IS NULL THEN ${raised(NO_ARRAY)}`,
    ),
    { type: { kind: "array", element: TEXT } },
  );

const keysBy = (shown: string): Template =>
  words(
    ofDocument(`WHEN json_object_keys(_d) IS NOT NULL THEN ${shown} WHEN _d IS NOT NULL THEN ${raised(NO_OBJECT)}`),
    { type: { kind: "array", element: TEXT } },
  );

/** Names that a path can hold between its quotes. */
const SAYABLE = `CASE WHEN regexp_like(_k, '^[^"?\`\\\\\\\\\\']+$') AND _k != '*' THEN _k ELSE ${raised("not supported on this source: the name of a member of json")} END`;

const membersBy = (refused: string, shown: (part: string) => string): Template =>
  words(
    ofDocument(
      `WHEN size(json_object_keys(_d)) > size(array_distinct(json_object_keys(_d))) ` +
        `THEN ${raised("not supported on this source: a name of json that comes twice")} ` +
        `${refused} WHEN json_object_keys(_d) IS NOT NULL THEN transform(json_object_keys(_d), ` +
        `_k -> named_struct('k', _k, 'v', ${shown(partAt(`concat('\\'', ${SAYABLE}, '\\'')`))})) ` +
        `WHEN _d IS NOT NULL THEN ${raised(NO_OBJECT)}`,
    ),
  );

const ELEMENTS = elementsBy(FRACTION, (part) => part);
const ELEMENT_TEXTS = elementsBy(NEGATIVE_ZERO, textOf);
const KEYS = keysBy("json_object_keys(_d)");
const DISTINCT_KEYS = keysBy("array_distinct(json_object_keys(_d))");
const MEMBERS = membersBy(FRACTION, (part) => part);
const MEMBER_TEXTS = membersBy(NEGATIVE_ZERO, textOf);

const arrayBy =
  (template: Template) =>
  (table: TableFunction): TableExpression =>
    elementsOf(table, [spelled(template, values(table.call).map(wholeDocument), table)]);

const structsBy =
  (template: Template) =>
  (table: TableFunction): TableExpression => {
    const { alias, span, call: made } = table;
    const rows = spelled(template, values(made).map(wholeDocument), typed(UNKNOWN, table));
    return {
      ...table,
      lateral: someExpression(rows, ({ kind }) => kind === "bound" || kind === "column"),
      call: call("inline", [rows], inPlaceOf(made)),
      alias: { name: alias?.name ?? exactName(made.name[0]?.name ?? "", span), columns: alias?.columns ?? [] },
    };
  };

const [keys, distinctKeys] = [arrayBy(KEYS), arrayBy(DISTINCT_KEYS)];

export const JSON_ROWS = jsonRows({
  elements: arrayBy(ELEMENTS),
  elementTexts: arrayBy(ELEMENT_TEXTS),
  keys: (table) => (table.call.name[0]?.name === "jsonb_object_keys" ? distinctKeys(table) : keys(table)),
  members: structsBy(MEMBERS),
  memberTexts: structsBy(MEMBER_TEXTS),
});

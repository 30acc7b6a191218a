/**
 * Arrays that have a value: documents of JSON, because neither MySQL nor MariaDB has arrays. A column that the model declares as an array
 * of texts or whole numbers holds such documents; one that holds anything else raises where its elements are asked for.
 * https://dev.mysql.com/doc/refman/8.4/en/json-table-functions.html, https://mariadb.com/kb/en/json_table/
 */
import {
  arraysAsDocuments,
  type CutText,
  cutText,
  isCollected,
  refusedArray,
} from "../../lowering/arrays/document-arrays.ts";
import { quantifiedWithoutArrays } from "../../lowering/queries/quantified.ts";
import { isSpelled, spelled, sql, words } from "../../lowering/templates/template.ts";
import { refuseOrderedUuids } from "../../lowering/uuids.ts";
import { call, inPlaceOf, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression, Template } from "../../syntax/tree.ts";
import { BIGINT, JSON_PART, type SqlType, TEXT } from "../../types.ts";
import { textOf } from "./casts.ts";
import { compared, distinctness, equality, exact, textKey } from "./exact-text.ts";
import { NUMBERS, TEXTS } from "./json-rows.ts";
import { elementText, memberText } from "./json-texts.ts";
import { MIXED_NUMBERS } from "./mixed-numbers.ts";
import { raisingUnless } from "./raising.ts";
import { inUtf8, isJsonDocument, jsonDocument } from "./templates.ts";

function madeDocument(array: Expression): Expression | undefined {
  if (array.kind === "array") return writtenDocument(array.elements, array);
  if (isCollected(array)) return collectedDocument(array);
  const cut = cutText(array);
  return cut === undefined ? undefined : cutDocument(cut, array);
}

const between = (parts: readonly Expression[], at: Expression): Expression =>
  jsonDocument([text("[", at), ...parts, text("]", at)], at);

function writtenDocument(elements: readonly Expression[], at: Expression): Expression | undefined {
  const shown = elements.map(memberText);
  if (!shown.every((each) => each !== undefined)) return undefined;
  return between(
    shown.flatMap((each, index) => (index === 0 ? [each] : [text(", ", at), each])),
    at,
  );
}

/** Without NULLs (docs/spec/language.md), and NULL where nothing is collected. */
function collectedDocument(node: Call): Expression | undefined {
  const [value] = values(node);
  const shown = value && elementText(value);
  if (shown === undefined) return undefined;
  const { distinct, orderBy } = node;
  const joined = call("group_concat", [distinct ? exact(shown) : shown, text(", ", node)], typed(TEXT, node));
  return between([{ ...joined, distinct, orderBy }], node);
}

/** In no escape of a JSON text, and with the same letters in all collations. */
const PLAIN_SEPARATOR = /^[^\p{L}\p{N}\p{M}\p{C}"\\/]+$/u;

/** An empty text has no parts. Only such a text becomes `[""]`: within texts a quotation mark has a backslash before it. */
const PARTS = words(`REPLACE(CONCAT('[', REPLACE(JSON_QUOTE($1), $2, '", "'), ']'), '[""]', '[]')`, { type: TEXT });

function cutDocument({ whole, separator }: CutText, at: Expression): Expression | undefined {
  if (!PLAIN_SEPARATOR.test(separator.value)) return undefined;
  return spelled(PARTS, [inUtf8(whole, typed(TEXT, whole)), separator], at);
}

const listOf = (element: string): Template =>
  sql(raisingUnless(`regexp(CAST($1 AS text), '^\\s*\\[\\s*(${element}(\\s*,\\s*${element})*)?\\s*\\]\\s*$')`, "$1"), {
    type: JSON_PART,
  });

interface Reading {
  readonly rows: string;
  readonly checked: Template;
}

const READINGS: Readonly<Partial<Record<SqlType["kind"], Reading>>> = {
  text: { rows: TEXTS, checked: listOf('("([^"\\\\]|\\\\.)*"|null)') },
  integer: { rows: NUMBERS, checked: listOf("(-?[0-9]+|null)") },
};

const SIZE = words("JSON_LENGTH($1)", { type: BIGINT });
const BOTH = words("JSON_MERGE_PRESERVE($1, $2)");

export const ARRAYS = arraysAsDocuments({
  made: madeDocument,
  isMade: (array) => isJsonDocument(array) || isSpelled(array, PARTS),
  checked(array, { kind }) {
    const reading = READINGS[kind];
    return reading && spelled(reading.checked, [array], array);
  },
  rows(document, { kind }, { value, place }, table) {
    const reading = READINGS[kind];
    if (reading === undefined || table.alias === undefined) throw refusedArray(table);
    const names = [value, ...(place === undefined ? [] : [place])].map((each) => text(each, table));
    return {
      ...table,
      lateral: false,
      ordinality: false,
      call: call(reading.rows, [document, ...names], inPlaceOf(table.call)),
      alias: { ...table.alias, columns: [] },
    };
  },
  count: "count",
  size: (document, at) => spelled(SIZE, [document], at),
  both: (first, second, at) => spelled(BOTH, [first, second], at),
  ofRows(value, orderBy, query, at) {
    const shown = memberText(value);
    if (shown === undefined) return undefined;
    const all = query(joinedRows(shown, text(", ", at), orderBy, at));
    return between([call("coalesce", [all, text("", at)], typed(TEXT, at))], at);
  },
  joinedRows,
  orEmpty: (shown) => call("coalesce", [shown, text("", shown)], typed(TEXT, shown)),
  shown: textOf,
  equal: (node) => equality(node) ?? node,
  distinct: distinctness,
  quantified(node) {
    refuseOrderedUuids(node);
    return quantifiedWithoutArrays(MIXED_NUMBERS.among(node), { keyOf: textKey, compare: compared });
  },
});

function joinedRows(value: Expression, separator: Expression, orderBy: Call["orderBy"], at: Expression): Expression {
  if (separator.kind !== "string" || separator.value.includes("\\")) throw refusedArray(separator);
  return { ...call("group_concat", [value, separator], typed(TEXT, at)), orderBy };
}

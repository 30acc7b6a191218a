/**
 * Arrays that have a value: documents of JSON in NVARCHAR(MAX), because SQL Server has no arrays. A column that the model declares as an
 * array of texts or whole numbers holds such documents; one that holds anything else raises where its elements are asked for.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/openjson-transact-sql
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/string-escape-transact-sql
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/string-agg-transact-sql
 */
import { isNullable } from "../../binding/nullability.ts";
import {
  arraysAsDocuments,
  type CutText,
  cutText,
  derivedRows,
  isCollected,
  type RowNames,
  refusedArray,
} from "../../lowering/arrays/document-arrays.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { refuseOrderedUuids } from "../../lowering/uuids.ts";
import { call, concatenation, inPlaceOf, text, typed, values } from "../../syntax/build.ts";
import type { Call, DerivedTable, Expression, SortItem, TableFunction, Template } from "../../syntax/tree.ts";
import { BIGINT, JSON_PART, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf, wide } from "./casts.ts";
import { CODE_POINTS, collated, distinctness, equality, quantified, USUAL } from "./exact-text.ts";

// ------------------------------------------------------------------------------------------------------- documents

/** NULL where its text is: `+` of NULL is. */
const DOCUMENT = words("('[' + $1 + ']')");

function madeDocument(array: Expression): Expression | undefined {
  if (array.kind === "array") return writtenDocument(array.elements, array);
  if (isCollected(array)) return collectedDocument(array);
  const cut = cutText(array);
  return cut === undefined ? undefined : cutDocument(cut, array);
}

function writtenDocument(elements: readonly Expression[], at: Expression): Expression | undefined {
  const shown = elements.map(memberText);
  if (!shown.every((each) => each !== undefined)) return undefined;
  const [first = wide(text("", at)), ...others] = shown;
  const all = others.reduce((left, right) => concatenation(concatenation(left, text(",", at), at), right, at), first);
  return spelled(DOCUMENT, [all], inPlaceOf(at));
}

/** Without NULLs (docs/spec/language.md), and NULL where nothing is collected. */
function collectedDocument(node: Call): Expression | undefined {
  const [value] = values(node);
  const shown = value && elementText(value);
  // STRING_AGG has no DISTINCT.
  if (shown === undefined || node.distinct) return undefined;
  return spelled(DOCUMENT, [joinedRows(shown, text(",", node), node.orderBy, node)], inPlaceOf(node));
}

/** In no escape of a JSON text. */
const PLAIN_SEPARATOR = /^[^\p{L}\p{N}\p{M}\p{C}"\\/]+$/u;

/** An empty text has no parts. Only such a text becomes `[""]`: within texts a quotation mark has a backslash before it. */
const PARTS = words(`(REPLACE('["' + REPLACE($1, $2, '","') + '"]', '[""]', '[]')) COLLATE ${USUAL}`, { type: TEXT });

/** No text of JSON has the sign that stands between the documents. One of them may be empty. */
const BOTH = words(
  `(REPLACE(REPLACE(REPLACE(($1 + CHAR(1) + $2) COLLATE ${CODE_POINTS}, '[]' + CHAR(1), ''), CHAR(1) + '[]', ''), ']' + CHAR(1) + '[', ',')) COLLATE ${USUAL}`,
  { type: TEXT },
);

function cutDocument({ whole, separator }: CutText, at: Expression): Expression | undefined {
  if (!PLAIN_SEPARATOR.test(separator.value)) return undefined;
  return spelled(PARTS, [collated(spelled(ESCAPED, [wide(whole)], at), CODE_POINTS), separator], at);
}

// -------------------------------------------------------------------------------------------------------- elements

const ESCAPED = words("STRING_ESCAPE($1, 'json')", { type: TEXT });
const QUOTED = words(`('"' + $1 + '"')`, { type: TEXT });

/** The JSON text of an element of an array; `undefined` for types that have none. NULL is NULL. */
function elementText(value: Expression): Expression | undefined {
  const quoted = (shown: Expression): Expression => spelled(QUOTED, [shown], value);
  switch (typeOrUnknown(value).kind) {
    case "text":
      return quoted(spelled(ESCAPED, [wide(value)], value));
    case "date":
      return quoted(wide(textOf(value, value)));
    case "integer":
    case "decimal":
      return textOf(value, value);
    default:
      return undefined;
  }
}

/** The JSON text of an element, with `null` for NULL. */
function memberText(value: Expression): Expression | undefined {
  const none = wide(text("null", value));
  if (value.kind === "null") return none;
  const shown = elementText(value);
  if (shown === undefined || !isNullable(value)) return shown;
  return call("coalesce", [shown, none], typed(TEXT, value));
}

function joinedRows(
  value: Expression,
  separator: Expression,
  orderBy: readonly SortItem[],
  at: Expression,
): Expression {
  if (separator.kind !== "string") throw refusedArray(separator);
  return { ...call("string_agg", [value, separator], typed(TEXT, at)), withinGroup: orderBy };
}

// ------------------------------------------------------------------------------------------------------------ rows

/** Anything but an array raises, and its text is no part of the error; what else is no JSON raises in OPENJSON. */
const CHECKED = words(
  "CASE WHEN $1 LIKE '[[]%]' THEN $1 ELSE CAST(CAST(LEFT('no array' + $1, 8) AS INT) AS NVARCHAR(MAX)) END",
  { type: JSON_PART },
);

const numbers = (type: string): Template =>
  words(
    `CASE WHEN [type] IN (0, 2) THEN CAST([value] AS ${type}) ELSE CAST(LEFT('no number' + [value], 9) AS ${type}) END`,
  );

/** Columns of OPENJSON: `[type]` is 0 of null, 1 of a text and 2 of a number; `[key]` counts from 0. */
const TEXTS = words(
  "(CASE WHEN [type] IN (0, 1) THEN [value] ELSE CAST(CAST(LEFT('no text' + [value], 7) AS INT) AS NVARCHAR(MAX)) END) COLLATE DATABASE_DEFAULT",
);
const NUMBERS = { 8: numbers("SMALLINT"), 16: numbers("SMALLINT"), 32: numbers("INT"), 64: numbers("BIGINT") } as const;
const PLACE = words("CAST([key] AS BIGINT) + 1", { type: BIGINT });

function readingOf(type: SqlType): Template | undefined {
  if (type.kind === "text") return TEXTS;
  return type.kind === "integer" ? NUMBERS[type.bits] : undefined;
}

function rowsOf(document: Expression, type: SqlType, columns: RowNames, table: TableFunction): DerivedTable {
  const value = readingOf(type);
  if (value === undefined) throw refusedArray(table);
  return derivedRows(document, type, { name: "openjson", value, place: PLACE }, columns, table);
}

export const ARRAYS = arraysAsDocuments({
  made: madeDocument,
  isMade: (array) => isSpelled(array, DOCUMENT) || isSpelled(array, PARTS),
  checked: (array, element) => readingOf(element) && spelled(CHECKED, [wide(array)], typed(JSON_PART, array)),
  rows: rowsOf,
  count: "count_big",
  both: (first, second, at) => spelled(BOTH, [first, second], at),
  ofRows(value, orderBy, query, at) {
    const shown = memberText(value);
    if (shown === undefined) return undefined;
    const all = query(joinedRows(shown, text(",", at), orderBy, at));
    return spelled(DOCUMENT, [call("coalesce", [all, text("", at)], typed(TEXT, at))], inPlaceOf(at));
  },
  joinedRows: (value, separator, orderBy, at) => joinedRows(wide(value), separator, orderBy, at),
  orEmpty: (shown) => call("coalesce", [shown, text("", shown)], typed(TEXT, shown)),
  shown: textOf,
  equal: equality,
  distinct: distinctness,
  quantified(node) {
    refuseOrderedUuids(node);
    return quantified(node);
  },
});

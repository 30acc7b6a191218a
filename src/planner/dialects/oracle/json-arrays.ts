/**
 * Arrays that have a value: documents of JSON, as CLOBs, because Oracle's SQL has no arrays. A column that the model declares as an array
 * of texts or whole numbers holds such documents, in a VARCHAR2, a CLOB or a column of type JSON; one that holds anything else raises
 * where its elements are asked for. So does an empty text among them, which Oracle would read as NULL.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/JSON_TABLE.html
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/JSON_ARRAY.html
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/JSON_SERIALIZE.html
 */

import {
  arraysAsDocuments,
  type CutText,
  cutText,
  derivedRows,
  isCollected,
  type RowNames,
  refusedArray,
  uncollated,
} from "../../lowering/arrays/document-arrays.ts";
import { distinctnessBy } from "../../lowering/distinctness.ts";
import { quantifiedWithoutArrays } from "../../lowering/queries/quantified.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { call, comparison, inPlaceOf, isNull, logical, typed, values, when } from "../../syntax/build.ts";
import type { Call, DerivedTable, Expression, SortItem, TableFunction, Template } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BIGINT, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";
import { ELEMENTS_TEXT, mayBeEmpty, missing, PARTS } from "./empty-texts.ts";
import { compare } from "./texts.ts";

// -------------------------------------------------------------------------------------------------------- elements

const AS_JSON = words("$1 FORMAT JSON");
/** A truth value is a number there. */
const TRUTH = words("CASE $1 WHEN 1 THEN 'true' WHEN 0 THEN 'false' END FORMAT JSON");

/** The element between the parentheses of JSON_ARRAY; `undefined` for types that JSON has no form for. */
export function elementOf(value: Expression): Expression | undefined {
  if (value.kind === "null") return value;
  switch (typeOrUnknown(value).kind) {
    case "text":
    case "integer":
      return value;
    case "date":
      return textOf(value, value);
    // With all its digits.
    case "decimal":
      return spelled(AS_JSON, [textOf(value, value)], value);
    case "boolean":
      return spelled(TRUTH, [value], value);
    default:
      return undefined;
  }
}

// ------------------------------------------------------------------------------------------------------- documents

const DOCUMENT = words("$1");
const WRITTEN = words("JSON_ARRAY($* NULL ON NULL RETURNING CLOB)");
const NONE = words("TO_CLOB('[]')", { type: TEXT, nulls: "never" });
const NO_ARRAY = words("TO_CLOB(NULL)", { type: TEXT });
/** JSON_ARRAY of NULL is an array of nothing. */
const PARTS_OF_TEXT = words("TO_CLOB(NULLIF($1, '[]'))");
const PARTS_OF_ANY = words("TO_CLOB($1)");

const documentOf = (value: Expression, at: Expression): Expression => spelled(DOCUMENT, [value], inPlaceOf(at));

function madeDocument(array: Expression): Expression | undefined {
  if (array.kind === "array") return writtenDocument(array.elements, array);
  if (isCollected(array)) return documentOf(array, array);
  const cut = cutText(array);
  return cut === undefined ? undefined : cutDocument(cut, array);
}

function writtenDocument(elements: readonly Expression[], at: Expression): Expression | undefined {
  if (elements.length === 0) return documentOf(spelled(NONE, [], at), at);
  const all = elements.map(elementOf);
  return all.every((each) => each !== undefined) ? documentOf(spelled(WRITTEN, all, at), at) : undefined;
}

/** `array_agg(x ORDER BY y)`, as it is until it is printed: without NULLs (docs/spec/language.md), and NULL where nothing is collected. */
export function collected(node: Call): Call {
  const [value] = values(node);
  if (value === undefined || !isCollected(node) || elementOf(value) === undefined) throw refusedArray(node);
  return node;
}

/** Signs that JSON writes as they are, and that stand at no end of JSON_ARRAY's text. */
const PLAIN_SEPARATOR = /^[ !#$%&'()*+,.:;<=>?@^_`{|}~-]+$/;

function cutDocument({ whole, separator }: CutText, at: Expression): Expression | undefined {
  if (!PLAIN_SEPARATOR.test(separator.value)) return undefined;
  const parts = call(PARTS, [whole, separator], typed(TEXT, at));
  if (!mayBeEmpty(whole)) return documentOf(spelled(PARTS_OF_TEXT, [parts], at), at);
  // An empty text has no parts, and NULL no array.
  const leaves = missing(whole);
  if (leaves.some((each) => someExpression(each, ({ kind }) => kind === "scalar-query"))) return undefined;
  const all = spelled(PARTS_OF_ANY, [parts], at);
  const present = leaves.map((each) => isNull(each, true));
  return documentOf(present.length === 0 ? all : when(logical("and", present, at), all, undefined, inPlaceOf(at)), at);
}

/**
 * The document in one form, whatever it is kept in. The name of another type than an array's is no number, which raises ORA-01722.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/adjsn/json-path-expressions.html
 */
const CHECKED = words(
  "CASE JSON_VALUE($1, '$.type()' ERROR ON ERROR) WHEN 'array' THEN JSON_SERIALIZE($1 RETURNING CLOB ERROR ON ERROR) ELSE TO_CLOB(TO_CHAR(TO_NUMBER(JSON_VALUE($1, '$.type()')))) END",
  { type: TEXT },
);

const isNone = (array: Expression): boolean =>
  array.kind === "null" || (array.kind === "cast" && array.operand.kind === "null");

function checkedDocument(array: Expression): Expression {
  if (isNone(array)) return spelled(NO_ARRAY, [], array);
  if (array.kind === "call") return call("coalesce", values(array).map(anyDocument), typed(TEXT, array));
  return spelled(CHECKED, [array], array);
}

/** The document of an array that is made, of a column, or of the first of these that is not NULL. */
export function anyDocument(given: Expression): Expression {
  const array = uncollated(given);
  if (isSpelled(array, DOCUMENT)) return array;
  const made = madeDocument(array);
  if (made !== undefined) return made;
  const isCoalesced = array.kind === "call" && array.name[0]?.name === "coalesce";
  if (isCoalesced || isNone(array) || array.kind === "bound") return checkedDocument(array);
  throw refusedArray(array);
}

const SIZE = words("JSON_VALUE($1, '$.size()' RETURNING NUMBER ERROR ON ERROR)", { type: BIGINT });

/** No text of JSON has the sign that stands between the documents. One of them may be empty. */
const BOTH = words(
  "REPLACE(REPLACE(REPLACE($1 || CHR(1) || $2, '[]' || CHR(1)), CHR(1) || '[]'), ']' || CHR(1) || '[', ',')",
  { type: TEXT },
);

// ------------------------------------------------------------------------------------------------------------ rows

/** Tables in FROM, and the array of a query's rows (`print-arrays.ts`). */
export const TEXTS = "texts of json";
export const NUMBERS = "numbers of json";
export const ROWS_AS_ARRAY = "rows as json";

interface Reading {
  /** The table in FROM, whose columns are `n`, `k`, the name of the type, and `v`, which is NULL for what has another. */
  readonly rows: string;
  readonly value: Template;
}

/** Anything but an element of the type, or null, raises. */
const READINGS: Readonly<Partial<Record<SqlType["kind"], Reading>>> = {
  text: {
    rows: TEXTS,
    value: words(
      "COALESCE(CASE k WHEN 'string' THEN v END, CASE k WHEN 'null' THEN NULL ELSE TO_CHAR(TO_NUMBER('!' || k)) END)",
    ),
  },
  integer: {
    rows: NUMBERS,
    value: words(
      "COALESCE(CASE WHEN k = 'number' AND v = TRUNC(v) THEN v END, CASE k WHEN 'null' THEN NULL ELSE TO_NUMBER('!' || k) END)",
    ),
  },
};
const PLACE = words("n", { type: BIGINT });

function rowsOf(document: Expression, type: SqlType, columns: RowNames, table: TableFunction): DerivedTable {
  const reading = READINGS[type.kind];
  if (reading === undefined) throw refusedArray(table);
  return derivedRows(document, type, { name: reading.rows, value: reading.value, place: PLACE }, columns, table);
}

function joinedRows(
  value: Expression,
  separator: Expression,
  orderBy: readonly SortItem[],
  at: Expression,
): Expression {
  if (separator.kind !== "string") throw refusedArray(separator);
  const items = separator.value === "" ? [value] : [value, separator];
  return { ...call("listagg", items, typed(TEXT, at)), withinGroup: orderBy };
}

export const ARRAYS = arraysAsDocuments({
  made: madeDocument,
  isMade: (array) => isSpelled(array, DOCUMENT),
  checked: checkedDocument,
  rows: rowsOf,
  size: (document, at) => spelled(SIZE, [document], at),
  count: "count",
  none: (at) => spelled(NONE, [], at),
  both: (first, second, at) => documentOf(spelled(BOTH, [first, second], at), at),
  ofRows(value, orderBy, query, at) {
    const element = elementOf(value);
    if (element === undefined) return undefined;
    const all = query({ ...call(ROWS_AS_ARRAY, [element], typed(TEXT, at)), orderBy });
    return documentOf(call("coalesce", [all, spelled(NONE, [], at)], typed(TEXT, at)), at);
  },
  joinedRows,
  orEmpty: (shown) => call(ELEMENTS_TEXT, [shown], typed(TEXT, shown)),
  shown: textOf,
  equal: compare,
  distinct: distinctnessBy((left, right) => compare(comparison(left, "=", right, left))),
  quantified: (node) => quantifiedWithoutArrays(node, { keyOf: (each) => each, compare: () => undefined }),
});

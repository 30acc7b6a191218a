/**
 * Functions that give rows, from lists. A list has the order of the array or the document; jsonb's members have jsonb's:
 * the shorter names first, names of one length by their bytes, and of equal names the last. Measured on DuckDB 1.4.5.
 */

import { spelled, sql } from "../../lowering/templates/template.ts";
import {
  binary,
  call,
  exactName,
  inPlaceOf,
  integer,
  isNull,
  queryOf,
  selectItem,
  selectOf,
  text,
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type {
  Call,
  Expression,
  Identifier,
  Select,
  SortItem,
  TableExpression,
  TableFunction,
} from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, INTEGER, JSONB_TYPE, type SqlType, TEXT, typeOrUnknown, UNKNOWN } from "../../types.ts";
import { flattened } from "./arrays.ts";
import { elementOf, TEXTS } from "./calls.ts";
import type { JsonAccess } from "./json-texts.ts";
import { partsOf } from "./json-texts.ts";
import { flagsOf, regexpGroups, regexpParts, wholeMatches } from "./regular-expressions.ts";

type Values = (node: Call) => Expression;

/** A list's elements, in FROM and in the select list. */
export function elementsOf(list: Values): (node: Call) => Call {
  return (node) => call("unnest", [list(node)], inPlaceOf(node));
}

export function jsonElements(name: JsonAccess): (node: Call) => Call {
  return elementsOf((node) => ofType("ARRAY", node, (value) => partsOf(ofSort(value, node), "$[*]", name, node)));
}

export const jsonKeys = elementsOf((node) => ofType("OBJECT", node, (value) => keysOf(value, isSorted(node), node)));

const LIST_OR_ERROR = {
  ARRAY: sql("CASE WHEN json_type($1) <> 'ARRAY' THEN $2 ELSE $3 END"),
  OBJECT: sql("CASE WHEN json_type($1) <> 'OBJECT' THEN $2 ELSE $3 END"),
};

/** The list of a JSON value of this type. PostgreSQL raises an error for any other, and DuckDB gives an empty list. */
function ofType(type: "ARRAY" | "OBJECT", node: Call, list: (value: Expression) => Expression): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const rows = list(value);
  // A call, because conditions of WHERE guard it (quirks/rows-of-lists.ts).
  const wrong = call("error", [text(`the rows of JSON that is no ${type.toLowerCase()}`, node)], inPlaceOf(rows));
  return spelled(LIST_OR_ERROR[type], [value, wrong, rows], rows);
}

function isSorted(node: Call): boolean {
  const type = values(node)[0]?.type;
  return node.name[0]?.name.startsWith("jsonb_") === true || (type?.kind === "json" && type.binary === true);
}

function ofSort(value: Expression, node: Call): Expression {
  return isSorted(node) ? { ...value, type: JSONB_TYPE } : value;
}

const KEYS = sql("json_keys($1)", { type: TEXTS });
const SORTED_KEYS = sql(
  "ARRAY(SELECT _p FROM unnest(json_keys($1)) AS _u(_p) GROUP BY _p ORDER BY octet_length(encode(_p)), _p)",
  { type: TEXTS },
);

const keysOf = (value: Expression, sorted: boolean, node: Call): Expression =>
  spelled(sorted ? SORTED_KEYS : KEYS, [value], node);

const BYTES_OF_KEY = sql("octet_length(encode($1))", { type: INTEGER });

const orderOf = (key: Expression): readonly SortItem[] =>
  [spelled(BYTES_OF_KEY, [key], key), key].map((expression) => ({
    expression,
    direction: undefined,
    nulls: undefined,
    span: key.span,
  }));

function table(source: Call | Select, alias: string, columns: readonly string[], { span }: Call): TableExpression {
  const named = { name: exactName(alias, span), columns: columns.map((column) => exactName(column, span)) };
  return source.kind === "call"
    ? { kind: "function", call: source, lateral: false, ordinality: false, alias: named, span }
    : { kind: "derived", query: queryOf(source), lateral: false, alias: named, span };
}

/** Lists side by side, the shorter ones filled up with NULL. */
function sideBySide(lists: readonly Expression[], node: Call): Select {
  const items = lists.map((list) => selectItem(call("unnest", [list], typed(elementOf(list), node)), undefined, node));
  return selectOf({ items }, node);
}

/** From 1 to the length of the longest list. */
function numbersOf(lists: readonly Expression[], node: Call): Expression {
  const at = { span: node.span, type: BIGINT };
  const lengths = lists.map((list) => call("len", [list], at));
  return call("generate_series", [integer(1, node), call("greatest", lengths, at)], at);
}

function derived(source: TableFunction, select: Select): TableExpression {
  const { alias, span } = source;
  return { kind: "derived", query: queryOf(select), lateral: true, alias, span };
}

/** `unnest(a, b)`. */
export function arraysSideBySide(source: TableFunction): TableExpression {
  const { call: node, ordinality } = source;
  const lists = values(node).map(flattened);
  if (lists.length < 2) return { ...source, call: call("unnest", lists, inPlaceOf(node)) };
  return derived(source, sideBySide(ordinality ? [...lists, numbersOf(lists, node)] : lists, node));
}

/** `json_each(j)`. */
export function jsonMembers(name: JsonAccess): (source: TableFunction) => TableExpression {
  return (source) => {
    const { call: node, ordinality } = source;
    const keys = ofType("OBJECT", node, (value) => keysOf(value, false, node));
    const [value] = values(node);
    if (value === undefined) return source;
    const members = partsOf(ofSort(value, node), "$.*", name, node);
    const lists = [keys, members];
    const numbered = [...lists, numbersOf([keysOf(value, false, node)], node)];
    if (!isSorted(node)) return derived(source, sideBySide(ordinality ? numbered : lists, node));
    const [key, member, number] = [
      named("_k", TEXT, node),
      named("_v", elementOf(members), node),
      named("_n", BIGINT, node),
    ];
    const latest: SortItem = { expression: number, direction: "desc", nulls: undefined, span: node.span };
    const only = selectOf(
      {
        items: [key, member].map((item) => selectItem(item, undefined, node)),
        from: [table(sideBySide(numbered, node), "_m", ["_k", "_v", "_n"], node)],
        qualify: binary(numberOver([key], [latest], node), "=", integer(1, node), { span: node.span, type: BOOLEAN }),
      },
      node,
    );
    if (!ordinality) return derived(source, only);
    const items = [key, member, numberOver([], orderOf(key), node)].map((item) => selectItem(item, undefined, node));
    return derived(source, selectOf({ items, from: [table(only, "_d", ["_k", "_v"], node)] }, node));
  };
}

function named(name: string, type: SqlType, { span }: Call): Expression {
  const part: Identifier = { name, quoted: false, span };
  return { kind: "column", parts: [part], span, type };
}

function numberOver(partitionBy: readonly Expression[], orderBy: readonly SortItem[], { span }: Call): Expression {
  const over = { base: undefined, named: false, partitionBy, orderBy, frame: undefined, span };
  return { ...call("row_number", [], { span, type: BIGINT }), over };
}

export const splitRows = elementsOf(regexpParts);

/** A row of groups for the first match, or with `g` for every one. */
export function matchRows(source: TableFunction): TableExpression {
  const { call: node, ordinality } = source;
  const { span } = node;
  if (!flagsOf(node, 2).includes("g")) {
    const first = regexpGroups(node);
    const type: SqlType = { kind: "array", element: typeOrUnknown(first) };
    const list: Expression = { kind: "array", elements: [first], span, type };
    const found = when(isNull(first, true), list, undefined, typed(UNKNOWN, node));
    return { ...source, call: call("unnest", [found], inPlaceOf(first)) };
  }
  const lists = wholeMatches(node);
  const columns = lists.map((_, index) => `_g${index}`);
  const elements = columns.map((column) => named(column, TEXT, node));
  const row: Expression = { kind: "array", elements, span, type: TEXTS };
  const [first = row] = lists;
  const inner = sideBySide(ordinality ? [...lists, numbersOf([first], node)] : lists, node);
  const items = [row, ...(ordinality ? [named("_n", BIGINT, node)] : [])].map((item) =>
    selectItem(item, undefined, node),
  );
  const from = [table(inner, "_m", ordinality ? [...columns, "_n"] : columns, node)];
  return derived(source, selectOf({ items, from }, node));
}

/** Two columns are no value; binding says so before. */
export const asValue = (name: string) => ({ refused: `${name} as a value`, hint: "Write it in FROM." });

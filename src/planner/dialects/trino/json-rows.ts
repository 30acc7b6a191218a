/**
 * Rows in FROM of the elements and members of JSON: those of an array and of a map. Casting JSON's null to one of them gives NULL, which has no
 * rows and no error, so that the type of the document is checked first.
 */
import { jsonRows, NO_ARRAY, NO_OBJECT } from "../../lowering/json/json-rows.ts";
import { raisingUnless } from "../../lowering/raising.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { call, inPlaceOf, typed, values } from "../../syntax/build.ts";
import type { Expression, TableExpression, TableFunction, Template } from "../../syntax/tree.ts";
import { JSON_PART, TEXT, UNKNOWN } from "../../types.ts";
import { asText } from "./json.ts";
import { elementsOf } from "./table-functions.ts";

const ofArray = (rows: string): Template =>
  words(raisingUnless("json_array_length($1) IS NOT NULL", rows, NO_ARRAY), {
    type: { kind: "array", element: JSON_PART },
  });
const ofObject = (rows: string): Template =>
  words(raisingUnless("substr(json_format($1), 1, 1) = '{'", rows, NO_OBJECT));

const ELEMENTS = ofArray("CAST($1 AS ARRAY(JSON))");
const TEXTS = words("transform($1, _e -> $2)", { type: { kind: "array", element: TEXT } });
const MEMBERS = ofObject("CAST($1 AS MAP(VARCHAR, JSON))");
const MEMBER_TEXTS = words("transform_values($1, (_k, _e) -> $2)");
const KEYS = words("map_keys($1)", { type: { kind: "array", element: TEXT } });

/** The parameter of the lambdas. */
const PARAMETER = words("_e", { type: JSON_PART });

const textOfEach = ({ call: at }: TableFunction): Expression => asText(spelled(PARAMETER, [], at), at);
const elementArray = (table: TableFunction): Expression => spelled(ELEMENTS, values(table.call), table);
const memberMap = (table: TableFunction): Expression => spelled(MEMBERS, values(table.call), typed(UNKNOWN, table));

/** A map has two columns. */
const mapRows = (table: TableFunction, map: Expression): TableExpression => ({
  ...table,
  lateral: false,
  call: call("unnest", [map], inPlaceOf(table.call)),
});

export const JSON_ROWS = jsonRows({
  elements: (table) => elementsOf(table, [elementArray(table)]),
  elementTexts: (table) => elementsOf(table, [spelled(TEXTS, [elementArray(table), textOfEach(table)], table)]),
  keys: (table) => elementsOf(table, [spelled(KEYS, [memberMap(table)], table)]),
  members: (table) => mapRows(table, memberMap(table)),
  memberTexts: (table) =>
    mapRows(table, spelled(MEMBER_TEXTS, [memberMap(table), textOfEach(table)], typed(UNKNOWN, table))),
});

/** Rows in FROM of the elements of a JSON array. What is no array has none there, and no error: the type of the document decides. */
import { jsonRows, NO_ARRAY, noRows } from "../../lowering/json/json-rows.ts";
import { raisingUnless } from "../../lowering/raising.ts";
import { spelled, sql, words } from "../../lowering/templates/template.ts";
import { values } from "../../syntax/build.ts";
import type { Expression, TableFunction } from "../../syntax/tree.ts";
import { JSON_PART, TEXT } from "../../types.ts";
import { asText } from "./json.ts";
import { elementsOf } from "./table-functions.ts";

const ELEMENTS = sql(raisingUnless("json_type($1) = 'array'", "json_query_array($1)", NO_ARRAY), {
  type: { kind: "array", element: JSON_PART },
});
const TEXTS = words("ARRAY(SELECT $2 FROM UNNEST($1) AS _e WITH OFFSET AS _o ORDER BY _o)", {
  type: { kind: "array", element: TEXT },
});

/** The element in the query over an array. */
const ELEMENT = words("_e", { type: JSON_PART });

const elementArray = (table: TableFunction): Expression => spelled(ELEMENTS, values(table.call), table);

export const JSON_ROWS = jsonRows({
  elements: (table) => elementsOf(table, elementArray(table)),
  elementTexts(table) {
    const each = asText(spelled(ELEMENT, [], table), table.call);
    return elementsOf(table, spelled(TEXTS, [elementArray(table), each], table));
  },
  keys: noRows,
  members: noRows,
  memberTexts: noRows,
});

/**
 * Rows in FROM of the elements of a JSON array, by JSON_TABLE. It gives no rows of what is no array, and texts of numbers that are not
 * PostgreSQL's: the document is checked first.
 */
import { unsupported } from "../../diagnostics.ts";
import { jsonRows, noRows } from "../../lowering/json/json-rows.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { call, inPlaceOf, text, values } from "../../syntax/build.ts";
import type { Printer } from "../../syntax/printer.ts";
import type { Call, TableExpression, TableFunction, Template } from "../../syntax/tree.ts";
import { JSON_PART } from "../../types.ts";
import { raisingUnless } from "./raising.ts";

/** Elements as JSON, as texts or as whole numbers, and the names of their columns. */
export const ELEMENTS = "elements of json";
export const TEXTS = "texts of json";
export const NUMBERS = "numbers of json";

const ARRAY = sql(raisingUnless("json_type($1) = 'ARRAY'", "$1"), { type: JSON_PART });

/** Texts, words, null, and numbers without an exponent and without a zero at the end. */
const PLAIN = '("([^"\\\\]|\\\\.)*"|true|false|null|-?[0-9]+([.][0-9]*[1-9])?)';
const OF_PLAIN = sql(
  raisingUnless(
    `regexp(CAST($1 AS text), '^[[:space:]]*\\[[[:space:]]*(${PLAIN}([[:space:]]*,[[:space:]]*${PLAIN})*)?[[:space:]]*\\][[:space:]]*$')`,
    "$1",
  ),
  { type: JSON_PART },
);

const KEYS = sql(raisingUnless("json_type($1) = 'OBJECT'", "json_keys($1)"), { type: JSON_PART });

const rowsBy =
  (name: string, document: Template) =>
  (table: TableFunction): TableExpression => {
    const { alias } = table;
    if (alias === undefined) throw new TypeError("a function in FROM has an alias");
    const names = alias.columns.map((column) => text(column.name, table));
    return {
      ...table,
      lateral: false,
      ordinality: false,
      call: call(name, [spelled(document, values(table.call), table), ...names], inPlaceOf(table.call)),
      alias: { ...alias, columns: [] },
    };
  };

const keys = rowsBy(TEXTS, KEYS);

export const JSON_ROWS = jsonRows({
  elements: rowsBy(ELEMENTS, ARRAY),
  elementTexts: rowsBy(TEXTS, OF_PLAIN),
  keys(table) {
    // Where a document is a text, a name may come twice.
    if (table.call.name[0]?.name === "jsonb_object_keys") return keys(table);
    throw unsupported("the keys of json", table.span, "Use jsonb_object_keys(x::jsonb).");
  },
  members: noRows,
  memberTexts: noRows,
});

/** FROM JSON_TABLE, whose columns are declared. */
export const jsonTable =
  (type: string) =>
  (printer: Printer, { arguments: [document, name, position] }: Call): void => {
    if (document === undefined || name?.value.kind !== "string") throw new TypeError("elements have a name");
    printer.write("JSON_TABLE(");
    printer.expression(document.value);
    printer.write(
      `, '$[*]' COLUMNS (${printer.quoted(name.value.value, name.value.span)} ${type} PATH '$' ERROR ON ERROR`,
    );
    if (position?.value.kind === "string") {
      printer.write(`, ${printer.quoted(position.value.value, position.value.span)} FOR ORDINALITY`);
    }
    printer.write("))");
  };

/**
 * How the documents of `json-arrays.ts` are written, and their rows.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/JSON_ARRAYAGG.html
 */

import { isNullable } from "../../binding/nullability.ts";
import { refusedArray } from "../../lowering/arrays/document-arrays.ts";
import { call, inPlaceOf, values } from "../../syntax/build.ts";
import { printCall } from "../../syntax/print-calls.ts";
import type { NodePrinter, NodePrinters, Printer } from "../../syntax/printer.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { PARTS } from "./empty-texts.ts";
import { ARRAYS, anyDocument, collected, elementOf, NUMBERS, ROWS_AS_ARRAY, TEXTS } from "./json-arrays.ts";

/** Elements without a type of their own, as JSON_VALUE has them, with the names of their types. */
const jsonTable =
  (type: string) =>
  (printer: Printer, { arguments: [document] }: Call): void => {
    printer.write("JSON_TABLE(");
    if (document !== undefined) printer.expression(document.value);
    printer.write(`, '$[*]' COLUMNS (n FOR ORDINALITY, k VARCHAR2(20) PATH '$.type()', v ${type} PATH '$'))`);
  };

function printArrayOf(printer: Printer, element: Expression, { orderBy }: Call, ofNull: string): void {
  printer.write("JSON_ARRAYAGG(");
  printer.expression(element);
  printer.orderBy(orderBy);
  printer.write(`${ofNull} RETURNING CLOB)`);
}

/** No manual says what JSON_ARRAYAGG makes of no rows, and of NULLs alone it makes an array of nothing. */
const printCollected: NodePrinter<"call"> = (printer, node) => {
  const [value] = values(collected(node));
  const element = value && elementOf(value);
  // JSON_ARRAYAGG has no DISTINCT (`lowering/queries/ranked-aggregates.ts`).
  if (value === undefined || element === undefined || node.distinct) throw refusedArray(node);
  const counted: Call = isNullable(value)
    ? call("count", [value], inPlaceOf(node))
    : { ...call("count", [], inPlaceOf(node)), star: true };
  printer.write("CASE WHEN ");
  printer.expression(counted);
  printer.write(" > 0 THEN ");
  printArrayOf(printer, element, node, "");
  printer.write(" END");
};

const asDocument = (printer: Printer, node: Expression): void => printer.expression(ARRAYS.written(node));

export const ARRAY_FUNCTIONS: Readonly<Record<string, NodePrinter<"call">>> = {
  [TEXTS]: jsonTable("VARCHAR2(4000)"),
  [NUMBERS]: jsonTable("NUMBER"),
  [ROWS_AS_ARRAY]: (printer, node) => {
    const [element] = values(node);
    if (element !== undefined) printArrayOf(printer, element, node, " NULL ON NULL");
  },
  [PARTS]: (printer, node) => {
    const [whole, separator] = values(node);
    if (whole === undefined || separator?.kind !== "string") throw new TypeError("parts between a literal");
    printer.write("REPLACE(JSON_ARRAY(");
    printer.expression(whole);
    printer.write(" RETURNING VARCHAR2(4000)), ");
    printer.string(separator.value, separator.span);
    printer.write(`, '","')`);
  },
  array_agg: printCollected,
  string_to_array: asDocument,
  coalesce: (printer, node) => {
    if (typeOrUnknown(node).kind === "array") printer.expression(anyDocument(node));
    else printCall(printer, node, "coalesce");
  },
};

export const ARRAY_PRINTERS: Pick<NodePrinters, "array"> = { array: asDocument };

/** How Redshift is written: https://docs.aws.amazon.com/redshift/latest/dg/r_SELECT_synopsis.html */

import { unsupported } from "../../../diagnostics.ts";
import { isArrayOf } from "../../../lowering/arrays/array-values.ts";
import { MEMBER, MEMBER_AS_VALUE } from "../../../lowering/json/json-steps.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../../lowering/type-spellings.ts";
import { printCall } from "../../../syntax/print-calls.ts";
import type { NodePrinter, Printer } from "../../../syntax/printer.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";
import { defineTargetDialect } from "../../input.ts";
import { printDateAdd, printValuesAsSelects } from "../../printers.ts";
import { ELEMENTS, refused } from "./arrays.ts";
import { printRows } from "./elements.ts";
import { CODE_POINTS } from "./exact-text.ts";
import { printSuperPath, SUPER_PATH } from "./json.ts";
import { REDSHIFT_LEXICAL } from "./lexical.ts";

const UNITS = ["year", "quarter", "month", "day", "hour", "minute", "second", "microsecond"];

function written(printer: Printer, head: string, parts: readonly ({ readonly value: Expression } | undefined)[]): void {
  printer.write(head);
  for (const part of parts) {
    printer.write(", ");
    if (part !== undefined) printer.expression(part.value);
  }
  printer.write(")");
}

const datePart =
  (field: string): NodePrinter<"call"> =>
  (printer, { arguments: [value] }) => {
    printer.write(`EXTRACT(${field} FROM `);
    if (value !== undefined) printer.expression(value.value);
    printer.write(")");
  };

const between =
  (unit: string): NodePrinter<"call"> =>
  (printer, { arguments: [from, to] }) =>
    written(printer, `DATEDIFF(${unit}`, [from, to]);

/** Shifting a date returns a timestamp. https://docs.aws.amazon.com/redshift/latest/dg/r_DATEADD_function.html */
function shiftedDay(printer: Printer, node: Call): void {
  if (node.type?.kind !== "date") {
    printDateAdd(printer, node);
    return;
  }
  printer.write("CAST(");
  printDateAdd(printer, node);
  printer.write(" AS DATE)");
}

export const REDSHIFT_PRINT = defineTargetDialect({
  name: "redshift",
  lexical: REDSHIFT_LEXICAL,
  types: typeSpellings(["smallint integer bigint real boolean date timestamp", "double precision"], {
    // Without a length it has 256 bytes, and longer texts are cut off.
    text: "VARCHAR(65535)",
    numeric: (printer, { parameters, span }) => {
      // Without parameters it has eighteen digits, and none behind the point.
      if (parameters.length === 0) throw unsupported("a decimal of any length", span, "Write numeric(18, 2).");
      printer.write(`DECIMAL(${parameters.join(", ")})`);
    },
    "timestamp with time zone": "TIMESTAMPTZ",
    varchar: UNSUPPORTED.valueOfType,
    char: UNSUPPORTED.valueOfType,
    bytea: UNSUPPORTED.valueOfType,
    time: "TIME",
    uuid: UNSUPPORTED.valueOfType,
    json: UNSUPPORTED.valueOfType,
    jsonb: UNSUPPORTED.valueOfType,
    interval: UNSUPPORTED.valueOfType,
    "time with time zone": UNSUPPORTED.valueOfType,
  }),
  functions: {
    ...Object.fromEntries([...UNITS, "dow", "doy"].map((unit) => [`${unit} of`, datePart(unit.toUpperCase())])),
    ...Object.fromEntries(UNITS.map((unit) => [`${unit}s between`, between(unit.toUpperCase())])),
    position: (printer, node) => {
      const [needle, value] = node.arguments;
      printCall(printer, { ...node, arguments: value && needle ? [value, needle] : [] }, "STRPOS");
    },
    [SUPER_PATH]: printSuperPath,
    [MEMBER]: (_, { span }) => {
      throw unsupported(MEMBER_AS_VALUE.refused, span, MEMBER_AS_VALUE.hint);
    },
    sysdate: (printer) => printer.write("SYSDATE"),
    date_add: shiftedDay,
    datediff: (printer, { arguments: [to, from] }) => written(printer, "DATEDIFF(DAY", [from, to]),
  },
  printers: {
    interval: (_, { span }) => {
      throw unsupported("an interval as a value", span, "Add it to a date or a timestamp.");
    },
    function: printRows,
    array: (printer, node) => {
      if (!isArrayOf(node, ELEMENTS)) throw refused(node);
      if (node.elements.length === 0) return printer.write("JSON_PARSE('[]')");
      printer.write("ARRAY(");
      printer.expressions(node.elements);
      printer.write(")");
    },
    row: (_, { span }) => {
      throw unsupported("a row as a value", span);
    },
    // A row of VALUES is no query there.
    values: printValuesAsSelects,
    collate: (printer, { operand, collation: [name] }) => {
      if (name?.name !== CODE_POINTS) throw new TypeError("a collation of ours");
      printer.write("COLLATE(");
      printer.expression(operand);
      printer.write(`, '${CODE_POINTS}')`);
    },
  },
});

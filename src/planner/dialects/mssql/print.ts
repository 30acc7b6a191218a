/** How SQL Server is written: https://learn.microsoft.com/en-us/sql/t-sql/queries/select-transact-sql */

import { unsupported } from "../../diagnostics.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { operatorLevels } from "../../syntax/precedence.ts";
import { APPLY_PRINTERS } from "../../syntax/print-apply.ts";
import { printCall } from "../../syntax/print-calls.ts";
import { QUERY_PRINTERS } from "../../syntax/print-queries.ts";
import type { Printer } from "../../syntax/printer.ts";
import type { Expression } from "../../syntax/tree.ts";
import { defineTargetDialect } from "../input.ts";
import { printDateAdd, printValuesAsSelects } from "../printers.ts";
import { CHARACTERS, CODE_POINTS, USUAL } from "./exact-text.ts";
import { ARRAYS } from "./json-arrays.ts";
import { MSSQL_LEXICAL } from "./lexical.ts";

const COLLATIONS: readonly string[] = [CHARACTERS, CODE_POINTS, USUAL];

function written(printer: Printer, head: string, parts: readonly ({ readonly value: Expression } | undefined)[]): void {
  printer.write(head);
  for (const part of parts) {
    printer.write(", ");
    if (part !== undefined) printer.expression(part.value);
  }
  printer.write(")");
}

/** An array that is left over. */
function asDocument(printer: Printer, node: Expression): void {
  printer.expression(ARRAYS.written(node));
}

export const MSSQL_PRINT = defineTargetDialect({
  name: "mssql",
  lexical: MSSQL_LEXICAL,
  // Where they stand as values they are bits (`lowering/queries/conditions.ts`).
  booleans: ["1 = 0", "1 = 1"],
  operators: { "||": "+", "#": "^" },
  levels: { "||": operatorLevels("+") },
  types: typeSpellings(["smallint bigint real date"], {
    text: "NVARCHAR(MAX)",
    boolean: "BIT",
    integer: "INT",
    numeric: (printer, { parameters }) => printer.write(`DECIMAL(${parameters.join(", ")})`),
    "double precision": "FLOAT",
    timestamp: "DATETIME2(6)",
    "timestamp with time zone": "DATETIMEOFFSET(6)",
    time: "TIME(6)",
    uuid: "UNIQUEIDENTIFIER",
    bytea: "VARBINARY(MAX)",
    varchar: "NVARCHAR",
    char: "NCHAR",
    json: UNSUPPORTED.valueOfType,
    jsonb: UNSUPPORTED.valueOfType,
    interval: UNSUPPORTED.valueOfType,
    "time with time zone": UNSUPPORTED.valueOfType,
  }),
  functions: {
    array_agg: asDocument,
    string_to_array: asDocument,
    // Calls of `lowering/times/whole-months.ts`.
    "day of": (printer, { arguments: [value] }) => written(printer, "DATEPART(DAY", [value]),
    "months between": (printer, { arguments: [from, to] }) => written(printer, "DATEDIFF_BIG(MONTH", [from, to]),
    "microseconds between": (printer, { arguments: [from, to] }) =>
      written(printer, "DATEDIFF_BIG(MICROSECOND", [from, to]),
    position: (printer, node) => printCall(printer, node, "charindex"),
    date_add: printDateAdd,
    datediff: (printer, { arguments: [to, from] }) => written(printer, "DATEDIFF(DAY", [from, to]),
    "json part": (_, { span }) => {
      throw unsupported("a member of json as json", span, "Take its text: ->> or #>>.");
    },
  },
  printers: {
    // Without N a text is in the code page of the database; with it, a column of that code page would be converted.
    string: (printer, { value, span }) => {
      if (/[^ -~\t-\r]/.test(value)) printer.write("N");
      printer.string(value, span);
    },
    interval: (_, { span }) => {
      throw unsupported("an interval as a value", span, "Add it to a date or a timestamp.");
    },
    array: asDocument,
    row: (_, { span }) => {
      throw unsupported("a row as a value", span);
    },
    collate: (printer, { operand, collation: [name] }) => {
      if (name === undefined || !COLLATIONS.includes(name.name)) throw new TypeError("a collation of ours");
      printer.write("(");
      printer.expression(operand);
      printer.write(`) COLLATE ${name.name}`);
    },
    query: (printer, node) => {
      QUERY_PRINTERS.query(printer, node);
      // More than a hundred steps would be an error.
      if (node.with?.recursive === true) printer.write(" OPTION (MAXRECURSION 0)");
    },
    with: (printer, node) => QUERY_PRINTERS.with(printer, { ...node, recursive: false }),
    ...APPLY_PRINTERS,
    limit: (printer, { limit, offset }) => {
      if (offset === undefined) return;
      printer.write(" OFFSET ");
      printer.expression(offset);
      printer.write(" ROWS");
      if (limit === undefined) return;
      printer.write(" FETCH NEXT ");
      printer.expression(limit.count);
      printer.write(" ROWS ONLY");
    },
    // A row of VALUES is no query there.
    values: printValuesAsSelects,
  },
});

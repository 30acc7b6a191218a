/** How MySQL and MariaDB are written. Where one knows a word that the other has not, it stands in a comment that only one of them reads. */

import { unsupported } from "../../diagnostics.ts";
import { BOUND_ONCE } from "../../lowering/bound-operands.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { COMPARISON_OPERATORS } from "../../syntax/comparisons.ts";
import { LEVEL, type OperatorLevels } from "../../syntax/precedence.ts";
import { printCall } from "../../syntax/print-calls.ts";

import type { Printer } from "../../syntax/printer.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { boundInDerivedTable } from "../bound-once.ts";
import { defineTargetDialect } from "../input.ts";
import { printWith, shiftOf } from "../printers.ts";
import { ARRAYS } from "./json-arrays.ts";
import { ELEMENTS, jsonTable, NUMBERS, TEXTS } from "./json-rows.ts";
import { MYSQL_LEXICAL } from "./lexical.ts";
import { printKeyedWindow } from "./quirks/bare-windows.ts";

/** `utf8mb4_bin`, which both have, takes blanks at the end for none. */
const FOLDING_NOTHING = "/*!80017 utf8mb4_0900_bin */ /*M! utf8mb4_nopad_bin */";

/** More rows than any table has: OFFSET needs a LIMIT. */
const ALL_ROWS = "18446744073709551615";

/** Operands of a comparison that are conditions themselves need parentheses: BETWEEN binds looser here, LIKE and IN alike. */
const COMPARISON: OperatorLevels = { self: LEVEL.comparison, left: LEVEL.operator, right: LEVEL.operator };

/** By `left`. */

export const MYSQL_PRINT = defineTargetDialect({
  name: "mysql",
  lexical: MYSQL_LEXICAL,
  operators: { "//": "DIV", "is not distinct from": "<=>", "#": "^" },
  levels: Object.fromEntries(
    [...COMPARISON_OPERATORS, "is not distinct from"].map((operator) => [operator, COMPARISON]),
  ),
  types: typeSpellings(["date"], {
    text: (printer, { parameters }) => printer.write(parameters.length > 0 ? `CHAR(${parameters.join("")})` : "CHAR"),
    bigint: "SIGNED",
    numeric: (printer, { parameters }) => printer.write(`DECIMAL(${parameters.join(", ")})`),
    "double precision": "DOUBLE",
    real: "FLOAT",
    timestamp: "DATETIME(6)",
    "timestamp with time zone": "DATETIME(6)",
    time: "TIME(6)",
    bytea: "BINARY",
    varchar: UNSUPPORTED.castToLength,
    char: UNSUPPORTED.castToLength,
    // The type of NULL alone.
    boolean: "SIGNED",
    // Ranges are tested (`casts.ts`), and the values are of the widest type.
    smallint: UNSUPPORTED.castToType,
    integer: UNSUPPORTED.castToType,
    // MariaDB has no cast to them, and MySQL none but to JSON.
    uuid: UNSUPPORTED.castToType,
    json: UNSUPPORTED.castToType,
    jsonb: UNSUPPORTED.castToType,
    interval: UNSUPPORTED.castToType,
    "time with time zone": UNSUPPORTED.castToType,
  }),
  functions: {
    [BOUND_ONCE]: boundInDerivedTable("LIMIT 1"),
    array_agg: asDocument,
    string_to_array: asDocument,
    // Numbers from 1 on, one more than asked for, so that there is one for no places.
    places: (printer, { arguments: [count] }) => {
      printer.write("JSON_TABLE(CONCAT('[0', REPEAT(',0', ");
      if (count !== undefined) printer.expression(count.value);
      printer.write("), ']'), '$[*]' COLUMNS (n FOR ORDINALITY))");
    },
    [ELEMENTS]: jsonTable("JSON"),
    [TEXTS]: jsonTable("LONGTEXT CHARACTER SET utf8mb4"),
    [NUMBERS]: jsonTable("BIGINT"),
    regexp: (printer, node) => infix(printer, node, "REGEXP"),
    date_add: (printer, node) => shifted(printer, node),
    group_concat: printGroupConcat,
    position: (printer, node) => printCall(printer, node, "LOCATE"),
  },
  printers: {
    window: printKeyedWindow,
    with: printWith,
    // A collation is one of a character set, and the column's may be another.
    collate: (printer, { operand }) => {
      printer.write("CONVERT(");
      printer.expression(operand);
      printer.write(` USING utf8mb4) COLLATE ${FOLDING_NOTHING}`);
    },
    typed: (printer, node) => {
      printer.write(`${node.typeName.name.toUpperCase()} `);
      printer.string(node.value, node.span);
    },
    array: asDocument,
    interval: (_, { span }) => {
      throw unsupported("an interval as a value", span, "Add it to a date or a timestamp.");
    },
    extract: (printer, node) => {
      printer.write(`EXTRACT(${node.field.toUpperCase()} FROM `);
      printer.expression(node.operand);
      printer.write(")");
    },
    limit: (printer, { limit, offset }) => {
      if (limit === undefined && offset === undefined) return;
      printer.write(" LIMIT ");
      if (limit === undefined) printer.write(ALL_ROWS);
      else printer.expression(limit.count);
      if (offset !== undefined) {
        printer.write(" OFFSET ");
        printer.expression(offset);
      }
    },
    values: (printer, node) => {
      printer.write("VALUES ");
      printer.each(node.rows, (row) => {
        printer.write("/*!80019 ROW*/(");
        printer.expressions(row);
        printer.write(")");
      });
    },
  },
});

/** An array that is left over. */
function asDocument(printer: Printer, node: Expression): void {
  printer.expression(ARRAYS.written(node));
}

function infix(printer: Printer, { arguments: [left, right] }: Call, word: string): void {
  if (left === undefined || right === undefined) throw new TypeError(`${word} has two operands`);
  printer.write("(");
  printer.expression(left.value, LEVEL.operator);
  printer.write(` ${word} `);
  printer.expression(right.value, LEVEL.operator);
  printer.write(")");
}

/** `DATE_ADD(x, INTERVAL n UNIT)`: the only place where an interval may stand. */
function shifted(printer: Printer, node: Call): void {
  const { base, value, unit } = shiftOf(node);
  printer.write("DATE_ADD(");
  printer.expression(base);
  printer.write(", INTERVAL ");
  printer.expression(value, LEVEL.additive);
  printer.write(` ${unit.toUpperCase()})`);
}

function printGroupConcat(printer: Printer, node: Call): void {
  const [value, separator] = node.arguments;
  printer.write(`GROUP_CONCAT(${node.distinct ? "DISTINCT " : ""}`);
  if (value !== undefined) printer.expression(value.value);
  printer.orderBy(node.orderBy);
  printer.write(" SEPARATOR ");
  // Grammar wants a string here, and no introducer in front of it.
  if (separator?.value.kind === "string") printer.string(separator.value.value, separator.value.span);
  printer.write(")");
}

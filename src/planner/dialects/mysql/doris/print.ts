/** How Doris is written: https://doris.apache.org/docs/dev/sql-manual/sql-statements/data-query/SELECT */

import { unsupported } from "../../../diagnostics.ts";
import { COPY_OF_VALUE } from "../../../expand/fence.ts";
import { isArrayOf } from "../../../lowering/arrays/array-values.ts";
import { MEMBER, MEMBER_AS_VALUE } from "../../../lowering/json/json-steps.ts";
import { arrayOf } from "../../../lowering/numbers/named-casts.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../../lowering/type-spellings.ts";
import { LEVEL } from "../../../syntax/precedence.ts";
import { EXPRESSION_PRINTERS } from "../../../syntax/print-expressions.ts";
import type { Printer } from "../../../syntax/printer.ts";
import type { ArrayLiteral, Call, Cast } from "../../../syntax/tree.ts";
import { defineTargetDialect } from "../../input.ts";
import { printValuesAsSelects, printWith, shiftOf } from "../../printers.ts";
import { MYSQL_LEXICAL } from "../lexical.ts";
import { MYSQL_PRINT } from "../print.ts";
import { refused } from "./arrays.ts";
import { printJoin } from "./elements.ts";
import { MADE } from "./made-arrays.ts";
import { NUMBERS } from "./table-functions.ts";

/** OFFSET needs a LIMIT. */
const ALL_ROWS = "9223372036854775807";

/** The only places where an interval may stand; one of microseconds is a function. */
function shifted(printer: Printer, node: Call): void {
  const { base, value, unit } = shiftOf(node);
  // A date stays a date.
  const name = unit === "microsecond" ? "MICROSECONDS_ADD" : node.type?.kind === "date" ? "DAYS_ADD" : undefined;
  printer.write(`${name ?? "DATE_ADD"}(`);
  printer.expression(base);
  printer.write(name === undefined ? ", INTERVAL " : ", ");
  printer.expression(value, LEVEL.additive);
  printer.write(name === undefined ? ` ${unit.toUpperCase()})` : ")");
}

function printGroupConcat(printer: Printer, { arguments: [value, separator], distinct, orderBy }: Call): void {
  printer.write(`GROUP_CONCAT(${distinct ? "DISTINCT " : ""}`);
  if (value !== undefined) printer.expression(value.value);
  printer.write(", ");
  if (separator !== undefined) printer.expression(separator.value);
  printer.orderBy(orderBy);
  printer.write(")");
}

/** An array without a value that tells its type is cast to it. */
function printArray(printer: Printer, node: ArrayLiteral): void {
  const { elements, span, type } = node;
  if (!isArrayOf(node, MADE) || type?.kind !== "array") throw refused(node);
  const isUntyped = elements.every(({ kind }) => kind === "null");
  if (isUntyped) printer.write("CAST(");
  printer.write("ARRAY(");
  printer.expressions(elements);
  printer.write(")");
  if (!isUntyped) return;
  const { typeName } = arrayOf(type, { span }) as Cast;
  printer.write(" AS ");
  printer.type(typeName);
  printer.write(")");
}

export const DORIS_PRINT = defineTargetDialect({
  name: "doris",
  lexical: MYSQL_LEXICAL,
  operators: { "//": "DIV", "is not distinct from": "<=>" },
  levels: MYSQL_PRINT.levels,
  types: typeSpellings(
    ["smallint bigint boolean date"],
    {
      text: "STRING",
      integer: "INT",
      real: "FLOAT",
      "double precision": "DOUBLE",
      numeric: (printer, { parameters, span }) => {
        // Without parameters Doris takes nine digits behind the point.
        if (parameters.length === 0) throw unsupported("a decimal of any length", span, "Write numeric(18, 2).");
        printer.write(`DECIMAL(${parameters.join(", ")})`);
      },
      timestamp: "DATETIME(6)",
      "timestamp with time zone": "DATETIME(6)",
      varchar: UNSUPPORTED.valueOfType,
      char: UNSUPPORTED.valueOfType,
      bytea: UNSUPPORTED.valueOfType,
      time: UNSUPPORTED.valueOfType,
      uuid: UNSUPPORTED.valueOfType,
      json: UNSUPPORTED.valueOfType,
      jsonb: UNSUPPORTED.valueOfType,
      interval: UNSUPPORTED.valueOfType,
      "time with time zone": UNSUPPORTED.valueOfType,
    },
    // A name of our own: whole numbers that are computed in it are none of the language's.
    { "long integer": "LARGEINT" },
  ),
  functions: {
    [COPY_OF_VALUE]: "first_value",
    date_add: shifted,
    [NUMBERS]: (printer, { arguments: [count] }) => {
      if (count?.value.kind !== "string") throw new TypeError("rows of numbers have a literal count");
      printer.write(`numbers("number" = "${count.value.value}")`);
    },
    group_concat: printGroupConcat,
    [MEMBER]: (_, { span }) => {
      throw unsupported(MEMBER_AS_VALUE.refused, span, MEMBER_AS_VALUE.hint);
    },
  },
  printers: {
    with: printWith,
    interval: (_, { span }) => {
      throw unsupported("an interval as a value", span, "Add it to a date or a timestamp.");
    },
    array: printArray,
    join: printJoin,
    type: (printer, node) => {
      if (node.dimensions === 0) return EXPRESSION_PRINTERS.type(printer, node);
      printer.write("ARRAY<");
      printer.type({ ...node, dimensions: node.dimensions - 1 });
      printer.write(">");
    },
    row: (_, { span }) => {
      throw unsupported("a row as a value", span, "Compare the members of rows.");
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
    values: printValuesAsSelects,
  },
});

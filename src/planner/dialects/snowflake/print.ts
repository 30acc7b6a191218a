/** How Snowflake is written: https://docs.snowflake.com/en/sql-reference/constructs */

import { unsupported } from "../../diagnostics.ts";
import { isArrayOf } from "../../lowering/arrays/array-values.ts";
import { LONG_NUMERIC } from "../../lowering/numbers/long-decimals.ts";
import { refuseMixedSides } from "../../lowering/numbers/rounded-reals.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { LEVEL } from "../../syntax/precedence.ts";
import { QUERY_PRINTERS } from "../../syntax/print-queries.ts";
import type { NodePrinter, Printer } from "../../syntax/printer.ts";
import type { Call } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { defineTargetDialect } from "../input.ts";
import { printValuesAsSelects, printWith, shiftOf } from "../printers.ts";
import { refused } from "./arrays.ts";
import { PARTS, PARTS_ALONE, PLACES } from "./elements.ts";
import { SNOWFLAKE_LEXICAL } from "./lexical.ts";
import { COLLECTED } from "./made-arrays.ts";
import { RANGE_ROWS } from "./table-functions.ts";

/** The words of a call around its values, which stand where `$1`, `$2` and so on do. */
const worded =
  (words: string): NodePrinter<"call"> =>
  (printer, node) => {
    for (const part of words.split(/(\$\d)/)) {
      const place = /^\$(\d)$/.exec(part)?.[1];
      const value = place === undefined ? undefined : node.arguments[Number(place) - 1]?.value;
      if (value === undefined) printer.write(part);
      else printer.expression(value);
    }
  };

export const SNOWFLAKE_PRINT = defineTargetDialect({
  name: "snowflake",
  lexical: SNOWFLAKE_LEXICAL,
  types: typeSpellings(
    ["boolean smallint integer bigint date"],
    {
      "double precision": "DOUBLE",
      real: UNSUPPORTED.reals,
      numeric: (printer, { parameters }) => printer.write(`NUMBER(${parameters.join(", ")})`),
      text: "VARCHAR",
      varchar: "VARCHAR",
      char: UNSUPPORTED.castToLength,
      bytea: "BINARY",
      uuid: UNSUPPORTED.uuids,
      json: "VARIANT",
      jsonb: "VARIANT",
      interval: UNSUPPORTED.intervals,
      time: "TIME",
      "time with time zone": UNSUPPORTED.zonedTimes,
      timestamp: "TIMESTAMP_NTZ",
      "timestamp with time zone": "TIMESTAMP_TZ",
    },
    { [LONG_NUMERIC]: "NUMBER(38, 18)" },
  ),
  functions: {
    "months between": worded("DATEDIFF(month, $1, $2)"),
    "microseconds between": worded("DATEDIFF(microsecond, $1, $2)"),
    "day of": worded("DATE_PART(day, $1)"),
    to_base64: "BASE64_ENCODE",
    from_base64: "BASE64_DECODE_BINARY",
    from_hex: "HEX_DECODE_BINARY",
    truncate: "TRUNC",
    date_format: "TO_CHAR",
    position: "CHARINDEX",
    "a number by chance": worded("UNIFORM(CAST(0 AS DOUBLE), CAST(1 AS DOUBLE), RANDOM())"),
    regexp_like: wholeMatch,
    [RANGE_ROWS]: worded("TABLE(FLATTEN(INPUT => ARRAY_GENERATE_RANGE($1, $2, $3)))"),
    [PARTS_ALONE]: worded("TABLE(FLATTEN(INPUT => SPLIT(NULLIF($1, ''), $2)))"),
    [PARTS]: worded("FLATTEN(INPUT => SPLIT(NULLIF($1, ''), $2))"),
    [PLACES]: worded("FLATTEN(INPUT => ARRAY_GENERATE_RANGE(0, ARRAY_SIZE($1)))"),
    [COLLECTED]: "ARRAY_AGG",
    fail: raised,
    date_add: shifted,
    datediff: worded("DATEDIFF(day, $2, $1)"),
  },
  printers: {
    array: (printer, node) => {
      if (!isArrayOf(node, ["text", "integer", "boolean"])) throw refused(node);
      printer.write("ARRAY_CONSTRUCT(");
      printer.expressions(node.elements);
      printer.write(")");
    },
    row: (printer, node) => {
      printer.write("(");
      printer.expressions(node.elements);
      printer.write(")");
    },
    bits: (printer, { digits }) => printer.write(`TO_BINARY('${digits}', 'HEX')`),
    typed: (printer, { value, type, span }) => {
      const kind = type?.kind;
      const [, format, name] = READ.find(([own]) => own === kind) ?? [];
      if (format === undefined || name === undefined) throw unsupported(`a literal of type ${kind}`, span);
      printer.write(`${name}(`);
      printer.string(value, span);
      printer.write(`, '${format}${value.includes(".") ? ".FF" : ""}')`);
    },
    interval: (_, { span }) => {
      throw unsupported(UNSUPPORTED.intervals.refused, span, UNSUPPORTED.intervals.hint);
    },
    with: printWith,
    // The first row is a SELECT already.
    set: (printer, node) => {
      refuseMixedSides(node);
      QUERY_PRINTERS.set(printer, node);
    },
    values: printValuesAsSelects,
    limit: (printer, node) => {
      // Snowflake takes OFFSET only after LIMIT: https://docs.snowflake.com/en/sql-reference/constructs/limit
      if (node.limit === undefined && node.offset !== undefined) printer.write(" LIMIT NULL");
      QUERY_PRINTERS.limit(printer, node);
    },
  },
});

const READ = [
  ["date", "YYYY-MM-DD", "TO_DATE"],
  ["time", "HH24:MI:SS", "TO_TIME"],
  ["timestamp", "YYYY-MM-DD HH24:MI:SS", "TO_TIMESTAMP_NTZ"],
] as const;

/** `DATEADD(unit, n, x)`: the only place where an interval may stand. */
function shifted(printer: Printer, node: Call): void {
  const { base, value, unit } = shiftOf(node);
  printer.write(`DATEADD(${unit}, `);
  printer.expression(value, LEVEL.operator);
  printer.write(", ");
  printer.expression(base);
  printer.write(")");
}

/** The pattern is one of a whole text by itself. */
function wholeMatch(printer: Printer, { arguments: [subject, pattern] }: Call): void {
  if (subject === undefined || pattern?.value.kind !== "string") throw new TypeError("a pattern is a literal");
  printer.write("REGEXP_LIKE(");
  printer.expression(subject.value);
  printer.write(", ");
  printer.string(pattern.value.value.replace(/^\\A(.*)\\z$/s, "$1"), pattern.value.span);
  printer.write(", 's')");
}

/** A text that is no number cannot be cast to one; as a text it may become the type of its neighbours. */
function raised(printer: Printer, node: Call): void {
  const [what, value] = node.arguments;
  const { kind } = typeOrUnknown(node);
  if (what?.value.kind !== "string") throw new TypeError("an error says something");
  const isNumber = kind === "integer" || kind === "decimal" || kind === "float";
  const type = isNumber ? undefined : TYPES[kind];
  printer.write(type === undefined ? "" : "CAST(CAST(");
  printer.write("CAST(");
  printer.string(`${what.value.value}: `, what.value.span);
  if (value !== undefined) {
    printer.write(" || CAST(");
    printer.expression(value.value);
    printer.write(" AS VARCHAR)");
  }
  // A number of one digit, so that what stands beside it has room for its own.
  printer.write(" AS NUMBER(1, 0))");
  printer.write(type === undefined ? "" : ` AS VARCHAR) AS ${type})`);
}

const TYPES: Readonly<Record<string, string>> = {
  boolean: "BOOLEAN",
  text: "VARCHAR",
  date: "DATE",
  time: "TIME",
  timestamp: "TIMESTAMP_NTZ",
  binary: "BINARY",
  json: "VARIANT",
};

/** Prints ClickHouse SQL (https://clickhouse.com/docs/sql-reference). Function names are case-sensitive. */

import { unsupported } from "../../diagnostics.ts";
import { COPY_OF_VALUE } from "../../expand/fence.ts";
import { BOUND_ONCE, boundOnce, isLarge } from "../../lowering/bound-operands.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { exactName } from "../../syntax/build.ts";
import { printCall } from "../../syntax/print-calls.ts";
import { QUERY_PRINTERS } from "../../syntax/print-queries.ts";
import { printSpelled } from "../../syntax/print-spelled.ts";
import type { Printer } from "../../syntax/printer.ts";
import type { Call, Expression, QueryBody, SetOperation, Spelled } from "../../syntax/tree.ts";
import { defineTargetDialect } from "../input.ts";
import { printValuesAsSelects, printWith, shiftOf } from "../printers.ts";
import { isArrayJoin, nameOf } from "./array-joins.ts";
import { CLICKHOUSE_LEXICAL } from "./lexical.ts";

function written(printer: Printer, head: string, parts: readonly (Expression | undefined)[], tail = ")"): void {
  printer.write(head);
  parts.forEach((part, index) => {
    if (index > 0) printer.write(", ");
    if (part !== undefined) printer.expression(part);
  });
  printer.write(tail);
}

/**
 * Binds a large part that occurs more than once by a lambda, unless the text has other lambdas around parts: they may evaluate it for
 * some rows only, or contain expressions that a lambda cannot.
 */
function printTemplate(printer: Printer, node: Spelled): void {
  const { template, parts } = node;
  const isWritten = (part: Expression, place: number): boolean =>
    template.repeated.includes(place) || part.kind === "number" || part.kind === "string";
  const bound = parts.every(isWritten)
    ? [...new Set(template.repeated)].filter((place) => {
        const part = parts[place];
        return part !== undefined && isLarge(part, () => true);
      })
    : [];
  if (bound.length === 0) {
    printSpelled(printer, node);
    return;
  }
  const nameOf = (place: number): string => `_part${place + 1}`;
  printer.write(`arrayMap((${bound.map(nameOf).join(", ")}) -> `);
  printSpelled(printer, node, (_, place) => {
    const isBound = bound.includes(place);
    if (isBound) printer.write(nameOf(place));
    return isBound;
  });
  for (const place of bound) written(printer, ", [", [parts[place]], "]");
  printer.write(")[1]");
}

const ADDED: Readonly<Record<string, string>> = {
  microsecond: "addMicroseconds",
  second: "addSeconds",
  minute: "addMinutes",
  hour: "addHours",
  day: "addDays",
  week: "addWeeks",
  month: "addMonths",
  quarter: "addQuarters",
  year: "addYears",
};

function shifted(printer: Printer, node: Call): void {
  const { base, value, unit } = shiftOf(node);
  const name = ADDED[unit];
  if (name === undefined) throw unsupported(`an interval of ${unit}s`, node.span);
  // The result of a `Date`, which has the range 1970 to 2149, would be a `Date` too.
  const isDay = base.type?.kind === "date";
  printer.write(`${name}(`);
  if (isDay) printer.write("toDate32(");
  printer.expression(base);
  printer.write(isDay ? "), " : ", ");
  printer.expression(value);
  printer.write(")");
}

const isOneSelect = (body: QueryBody): boolean =>
  body.kind === "select" || (body.kind === "values" && body.rows.length === 1);

/** EXCEPT and INTERSECT bind tighter than UNION; equal operators are left-associative. */
const isChained = ({ left, operator, all }: SetOperation): boolean =>
  left.kind === "set" && left.operator === operator && left.all === all;

function operand(printer: Printer, body: QueryBody, isBare = isOneSelect(body) || body.kind === "nested"): void {
  if (!isBare) printer.write("(");
  printer.body(body);
  if (!isBare) printer.write(")");
}

function beginsInParentheses(body: QueryBody): boolean {
  if (body.kind !== "set") return body.kind === "nested";
  return isOneSelect(body.left) ? false : !isChained(body) || beginsInParentheses(body.left);
}

export const CLICKHOUSE_PRINT = defineTargetDialect({
  name: "clickhouse",
  lexical: CLICKHOUSE_LEXICAL,
  types: typeSpellings([], {
    text: "String",
    boolean: "Bool",
    smallint: "Int16",
    integer: "Int32",
    bigint: "Int64",
    numeric: (printer, { parameters }) => printer.write(`Decimal(${parameters.join(", ")})`),
    "double precision": "Float64",
    real: "Float32",
    date: "Date32",
    timestamp: "DateTime64(6)",
    "timestamp with time zone": "DateTime64(6, 'UTC')",
    uuid: "UUID",
    time: "Time64(6)",
    bytea: UNSUPPORTED.valueOfType,
    varchar: UNSUPPORTED.valueOfType,
    char: UNSUPPORTED.valueOfType,
    json: UNSUPPORTED.valueOfType,
    jsonb: UNSUPPORTED.valueOfType,
    interval: UNSUPPORTED.valueOfType,
    "time with time zone": UNSUPPORTED.valueOfType,
  }),
  functions: {
    [BOUND_ONCE]: printBoundOnce,
    quantileexactinclusive: (printer, node) => {
      const [fraction, ...others] = node.arguments;
      if (fraction?.value.kind !== "number") throw new TypeError("a fraction is a number");
      printCall(printer, { ...node, arguments: others }, `quantileExactInclusive(${fraction.value.text})`);
    },
    tonullable: "toNullable",
    ifnull: "ifNull",
    nullif: "nullIf",
    datediff: (printer, { arguments: parts }) => {
      const [first, second, third] = parts.map(({ value }) => value);
      // Days from the later to the earlier date.
      if (third === undefined) written(printer, "dateDiff('day', ", [second, first]);
      else written(printer, "dateDiff(", [first, second, third]);
    },
    date_add: shifted,
    upper: "upperUTF8",
    lower: "lowerUTF8",
    reverse: "reverseUTF8",
    length: "lengthUTF8",
    substring: "substringUTF8",
    strpos: (printer, { arguments: [whole, part] }) => {
      written(printer, "toInt64(positionUTF8(", [whole?.value, part?.value], "))");
    },
    position: (printer, { arguments: [part, whole] }) => {
      written(printer, "toInt64(positionUTF8(", [whole?.value, part?.value], "))");
    },
    replaceall: "replaceAll",
    startswith: "startsWith",
    left: "leftUTF8",
    right: "rightUTF8",
    leftpad: "leftPadUTF8",
    rightpad: "rightPadUTF8",
    any_value: "any",
    [COPY_OF_VALUE]: "any",
  },
  printers: {
    spelled: printTemplate,
    // After WITH, ClickHouse does not accept a parenthesis.
    query: (printer, node) => {
      const isApart = node.with !== undefined && beginsInParentheses(node.body);
      if (!isApart) return QUERY_PRINTERS.query(printer, node);
      printer.dispatch("with", node.with);
      printer.write(" SELECT * FROM ");
      printer.subquery({ ...node, with: undefined });
    },
    set: (printer, node) => {
      const { left, right, operator, all } = node;
      operand(printer, left, isOneSelect(left) || left.kind === "nested" || isChained(node));
      printer.write(` ${operator.toUpperCase()}${all ? " ALL" : ""} `);
      operand(printer, right);
    },
    // Without an alias, a column that several tables have would get a qualified name.
    select: (printer, node) => {
      const isOne = node.from.length < 2 && node.from[0]?.kind !== "join";
      const items = node.items.map((item) =>
        item.kind === "item" && item.alias === undefined && item.expression.kind === "bound" && !isOne
          ? { ...item, alias: exactName(item.expression.column.printedName, item.span) }
          : item,
      );
      QUERY_PRINTERS.select(printer, { ...node, items });
    },
    join: (printer, node) => {
      if (!isArrayJoin(node.right)) return QUERY_PRINTERS.join(printer, node);
      const { call: made, alias } = node.right;
      printer.table(node.left);
      printer.write(" ARRAY JOIN ");
      made.arguments.forEach(({ value }, index) => {
        const column = alias?.columns[index];
        if (alias === undefined || column === undefined) throw new TypeError("the columns of arrays have names");
        printer.write(index === 0 ? "" : ", ");
        printer.expression(value);
        printer.write(" AS ");
        printer.exactName(nameOf(alias.name.name, column.name), column.span);
      });
    },
    with: printWith,
    // On ClickHouse, a row of VALUES is not a query.
    values: printValuesAsSelects,
    typed: (printer, node) => {
      const { name } = node.typeName;
      printer.write(name === "date" ? "toDate32(" : name === "time" ? "toTime64(" : "toDateTime64(");
      printer.string(node.value, node.span);
      printer.write(name === "date" ? ")" : ", 6)");
    },
    interval: (_, { span }) => {
      throw unsupported("an interval as a value", span, "Add it to a date or a timestamp.");
    },
    array: (printer, { elements }) => {
      printer.write("[");
      printer.expressions(elements);
      printer.write("]");
    },
    row: (_, { span }) => {
      throw unsupported("a row as a value", span);
    },
  },
});

/** `arrayMap(_once1 -> body, [operand])[1]` */
function printBoundOnce(printer: Printer, node: Call): void {
  const { operand, variable, body } = boundOnce(node);
  printer.write("arrayMap(");
  printer.expression(variable);
  printer.write(" -> ");
  printer.expression(body);
  printer.write(", [");
  printer.expression(operand);
  printer.write("])[1]");
}

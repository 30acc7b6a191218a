/** How Trino is written. */

import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { BOUND_ONCE, boundOnce } from "../../lowering/bound-operands.ts";
import { sortedBy } from "../../lowering/hidden-tables.ts";
import { LONG_NUMERIC } from "../../lowering/numbers/long-decimals.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { call, exactName, typed } from "../../syntax/build.ts";
import { LEVEL, type OperatorLevels } from "../../syntax/precedence.ts";
import { printCall, printWindow } from "../../syntax/print-calls.ts";
import { EXPRESSION_PRINTERS } from "../../syntax/print-expressions.ts";
import { QUERY_PRINTERS } from "../../syntax/print-queries.ts";
import type { Printer } from "../../syntax/printer.ts";
import type { Call, CommonTable, Expression, FrameBound, Identifier } from "../../syntax/tree.ts";
import { INTERVAL } from "../../types.ts";
import { defineTargetDialect } from "../input.ts";
import { TRINO_LEXICAL } from "./lexical.ts";

/** An interval where it is the step of a series or a part of a frame. */
const SPELLED = "interval of";

const spelled = (value: Expression): Expression =>
  value.kind === "interval" ? call(SPELLED, [value], typed(INTERVAL, value)) : value;

/** Operands of a comparison that are conditions themselves need parentheses. */
const COMPARISON: OperatorLevels = { self: LEVEL.comparison, left: LEVEL.operator, right: LEVEL.operator };
const COMPARISONS = ["=", "<>", "<", "<=", ">", ">=", "is distinct from", "is not distinct from"];

export const TRINO_PRINT = defineTargetDialect({
  name: "trino",
  lexical: TRINO_LEXICAL,
  levels: Object.fromEntries(COMPARISONS.map((operator) => [operator, COMPARISON])),
  types: typeSpellings(
    ["boolean smallint integer bigint real varchar uuid json date"],
    {
      numeric: "DECIMAL",
      "double precision": "DOUBLE",
      text: "VARCHAR",
      char: UNSUPPORTED.castToLength,
      bytea: "VARBINARY",
      jsonb: "JSON",
      interval: UNSUPPORTED.intervals,
      time: "TIME(6)",
      "time with time zone": UNSUPPORTED.zonedTimes,
      timestamp: "TIMESTAMP(6)",
      "timestamp with time zone": "TIMESTAMP(6) WITH TIME ZONE",
    },
    { [LONG_NUMERIC]: "DECIMAL(38, 18)" },
  ),
  functions: {
    [BOUND_ONCE]: printBoundOnce,
    date_add: shifted,
    datediff: (printer, { arguments: [later, earlier] }) => {
      called(printer, "date_diff('day', ", [earlier?.value, later?.value]);
    },
    left: (printer, { arguments: [value, count] }) => {
      printer.write("substr(");
      if (value !== undefined) printer.expression(value.value);
      printer.write(", 1, ");
      if (count !== undefined) printer.expression(count.value);
      printer.write(")");
    },
    sequence: (printer, { arguments: [from, to, step] }) => {
      called(printer, "sequence(", [from?.value, to?.value], () => {
        printer.write(", ");
        if (step !== undefined) printer.expression(spelled(step.value));
      });
    },
    [SPELLED]: (printer, { arguments: [value] }) => {
      if (value?.value.kind === "interval") interval(printer, value.value);
    },
    unnest: (printer, node) => printCall(printer, node, "UNNEST"),
  },
  printers: {
    // Whether it is kept is for the optimizer; one that names itself must say what its columns are called.
    with: (printer, node) => {
      const tables = node.tables.map((table) => ({
        ...table,
        columns: table.columns.length > 0 || !node.recursive ? table.columns : columnsOf(table),
        materialized: undefined,
      }));
      QUERY_PRINTERS.with(printer, { ...node, tables });
    },
    query: (printer, node) => QUERY_PRINTERS.query(printer, { ...node, orderBy: sortedBy(node, printer.dialect) }),
    limit: (printer, node) => {
      const { limit, offset } = node;
      // Trino takes OFFSET before LIMIT.
      if (offset !== undefined) QUERY_PRINTERS.limit(printer, { ...node, limit: undefined });
      if (limit !== undefined) QUERY_PRINTERS.limit(printer, { ...node, offset: undefined });
    },
    typed: (printer, { value, type, span, typeName }) => {
      const zone = type?.kind === "timestamp" && type.zoned ? " UTC" : "";
      const [day, fraction = ""] = value.split(".");
      // With six digits of a second: it keeps those that its literal has.
      const digits = type?.kind === "timestamp" || type?.kind === "time" ? `.${fraction.padEnd(6, "0")}` : "";
      printer.write(`${type?.kind === "timestamp" ? "TIMESTAMP" : typeName.name.toUpperCase()} `);
      printer.string(`${day}${digits}${zone}`, span);
    },
    interval: (_, { span }) => {
      throw unsupported(UNSUPPORTED.intervals.refused, span, UNSUPPORTED.intervals.hint);
    },
    window: (printer, node) => {
      const { frame } = node;
      const bound = (each: FrameBound): FrameBound =>
        "offset" in each ? { ...each, offset: spelled(each.offset) } : each;
      const said = frame && { ...frame, start: bound(frame.start), end: frame.end && bound(frame.end) };
      printWindow(printer, { ...node, frame: said });
    },
    bits: (printer, { digits }) => printer.write(`X'${digits}'`),
    type: (printer, node) => {
      if (node.dimensions === 0) return EXPRESSION_PRINTERS.type(printer, node);
      printer.write("ARRAY(");
      printer.type({ ...node, dimensions: node.dimensions - 1 });
      printer.write(")");
    },
  },
});

function columnsOf({ query, span }: CommonTable): readonly Identifier[] {
  return outputColumnsOf(query.body).map(({ name }) => exactName(name, span));
}

function called(printer: Printer, start: string, values: readonly (Expression | undefined)[], last?: () => void): void {
  printer.write(start);
  printer.expressions(values.filter((value) => value !== undefined));
  last?.();
  printer.write(")");
}

/** `date_add('day', n, x)`; microseconds are too short for it. */
function shifted(printer: Printer, { arguments: [base, step] }: Call): void {
  if (base === undefined || step?.value.kind !== "interval") throw new TypeError("a time is shifted by an interval");
  const { value, unit = "day", span } = step.value;
  if (unit === "microsecond" && !(value.kind === "number" && value.text.endsWith("000"))) {
    const negative = value.kind === "unary" && value.operand.kind === "number" && value.operand.text.endsWith("000");
    if (!negative) throw unsupported("an interval of microseconds", span, "Use milliseconds.");
  }
  printer.write(`date_add('${unit === "microsecond" ? "millisecond" : unit}', `);
  printer.expression(value, LEVEL.multiplicative);
  printer.write(`${unit === "microsecond" ? " / 1000" : ""}, `);
  printer.expression(base.value);
  printer.write(")");
}

/** Months are an interval of another type than days and seconds, and each has its word. */
function interval(printer: Printer, node: Expression & { readonly kind: "interval" }): void {
  const parts = intervalParts(node);
  if (parts === undefined) throw unsupported(UNSUPPORTED.intervals.refused, node.span, UNSUPPORTED.intervals.hint);
  const { months, days, microseconds } = parts;
  const [amount, unit] =
    months !== 0 ? [BigInt(months), "MONTH"] : days !== 0 ? [BigInt(days), "DAY"] : [microseconds / 1000n, "SECOND"];
  if (unit === "SECOND" && microseconds % 1000n !== 0n) throw unsupported("an interval of microseconds", node.span);
  const size = amount < 0n ? -amount : amount;
  const written = unit === "SECOND" ? `${size / 1000n}.${String(size % 1000n).padStart(3, "0")}` : String(size);
  printer.write(`INTERVAL ${amount < 0n ? "-" : ""}'${written}' ${unit}`);
}

/** `element_at(transform(ARRAY[operand], _once1 -> body), 1)` */
function printBoundOnce(printer: Printer, node: Call): void {
  const { operand, variable, body } = boundOnce(node);
  printer.write("element_at(transform(ARRAY[");
  printer.expression(operand);
  printer.write("], ");
  printer.expression(variable);
  printer.write(" -> ");
  printer.expression(body);
  printer.write("), 1)");
}

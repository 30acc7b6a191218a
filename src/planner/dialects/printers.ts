/** Printers that several dialects share. */
import { QUERY_PRINTERS } from "../syntax/print-queries.ts";
import type { NodePrinter, Printer } from "../syntax/printer.ts";
import type { Call, Expression } from "../syntax/tree.ts";

/** WITH without MATERIALIZED, for engines whose optimizer decides whether the rows of a table are kept. */
export const printWith: NodePrinter<"with"> = (printer, node) => {
  const tables = node.tables.map((table) => ({ ...table, materialized: undefined }));
  QUERY_PRINTERS.with(printer, { ...node, tables });
};

/** VALUES as `SELECT … UNION ALL SELECT …`, for engines on which VALUES is no query. */
export const printValuesAsSelects: NodePrinter<"values"> = (printer, node) => {
  node.rows.forEach((row, index) => {
    printer.write(index === 0 ? "SELECT " : " UNION ALL SELECT ");
    printer.expressions(row);
  });
};

/** The time and the number of units of a `date_add` that `lowering/times/time-arithmetic.ts` makes. */
export function shiftOf({ arguments: [base, step] }: Call) {
  if (base === undefined || step?.value.kind !== "interval") throw new TypeError("a time is shifted by an interval");
  const { value, unit = "day" } = step.value;
  return { base: base.value, value, unit } as const;
}

/** `DATEADD(unit, n, x)` with a number of 32 bits. */
export function printDateAdd(printer: Printer, node: Call): void {
  const { base, value, unit } = shiftOf(node);
  const amount = unit === "microsecond" ? constantOf(value) : undefined;
  if (amount === undefined || Math.abs(amount) < 2 ** 31) {
    printer.write(`DATEADD(${unit.toUpperCase()}, `);
    printer.expressions([value, base]);
    printer.write(")");
    return;
  }
  printer.write(`DATEADD(MICROSECOND, ${amount % 1_000_000}, DATEADD(SECOND, ${Math.trunc(amount / 1_000_000)}, `);
  printer.expression(base);
  printer.write("))");
}

function constantOf(value: Expression): number | undefined {
  if (value.kind === "number") return Number(value.text);
  const inner = value.kind === "unary" && value.operator === "-" ? constantOf(value.operand) : undefined;
  return inner === undefined ? undefined : -inner;
}

/**
 * `generate_series`. DuckDB loses rows after an empty range when the table function's bounds are of times and come from another table;
 * the list of the same name does not. Seen on 1.4.4; mended for 1.6 by https://github.com/duckdb/duckdb/pull/23811, for 1.5 by
 * https://github.com/duckdb/duckdb/pull/23879. The list gives no values for a step of zero, which is an error in PostgreSQL.
 */

import { unsupported } from "../../../diagnostics.ts";
import { intervalParts } from "../../../intervals.ts";
import { binary, call, inPlaceOf, integer, interval, text, values, when } from "../../../syntax/build.ts";
import type { Call, Expression, TableFunction } from "../../../syntax/tree.ts";
import { someExpression } from "../../../syntax/walk.ts";
import { BOOLEAN, typeOrUnknown } from "../../../types.ts";

/** In FROM: of whole numbers the table function, which keeps no list, of times the list's rows. */
export function seriesRows(table: TableFunction): TableFunction {
  const isOfTimes = refuseFractions(table.call);
  // Rows of the table function whose bounds come from another table would be in no order.
  const isOfRows = values(table.call).some((value) => someExpression(value, ({ kind }) => kind === "bound"));
  return isOfTimes || isOfRows
    ? { ...table, call: call("unnest", [withStep(table.call, isOfTimes)], inPlaceOf(table.call)) }
    : table;
}

/** In the select list. */
export function seriesValues(node: Call): Call {
  return call("unnest", [withStep(node, refuseFractions(node))], inPlaceOf(node));
}

/** Whether the series is one of times; there is none of decimals or doubles. */
function refuseFractions(node: Call): boolean {
  const types = values(node).map((value) => value.type);
  const fraction = types.find((type) => type?.kind === "decimal" || type?.kind === "float");
  if (fraction !== undefined) {
    throw unsupported("a series of numbers with fractions", node.span, "Divide a series of integers.");
  }
  return types.some((type) => type?.kind === "date" || type?.kind === "timestamp");
}

/** The series as a list. */
function withStep(node: Call, isOfTimes: boolean): Expression {
  const list: Call = { ...node, type: { kind: "array", element: typeOrUnknown(node) } };
  const [, , step] = values(list);
  if (step === undefined || isMoving(step)) return list;
  const none: Expression = isOfTimes ? interval("0 days", step) : integer(0, step);
  const stands = binary(step, "=", none, { span: step.span, type: BOOLEAN });
  return when(
    stands,
    call("error", [text("step size cannot equal zero", step)], inPlaceOf(list)),
    list,
    inPlaceOf(list),
  );
}

function isMoving(step: Expression): boolean {
  if (step.kind === "unary") return isMoving(step.operand);
  if (step.kind === "number") return Number(step.text) !== 0;
  const parts = step.kind === "interval" ? intervalParts(step) : undefined;
  return parts !== undefined && Object.values(parts).some((part) => part !== 0 && part !== 0n);
}

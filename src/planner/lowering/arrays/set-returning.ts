/** Set-returning functions in FROM, for targets without them: the elements of an array literal, and series by recursion. */

import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import {
  binary,
  cast,
  columnOf,
  comparison,
  exactName,
  integer,
  queryOf,
  selectItem,
  selectOf,
  typed,
  values,
} from "../../syntax/build.ts";
import type {
  DerivedTable,
  Expression,
  Query,
  QueryBody,
  SelectExpression,
  Span,
  TableExpression,
  TableFunction,
} from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BIGINT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { timeArithmetic } from "../times/time-arithmetic.ts";

/** `unnest(ARRAY[…])`, with or without ordinality. */
export function elementRows(table: TableFunction): TableExpression {
  const [array, ...others] = values(table.call);
  if (array?.kind !== "array" || others.length > 0) {
    throw unsupported("the elements of an array", table.span, "Write the array out: unnest(ARRAY['a', 'b']).");
  }
  if (array.elements.some((each) => someExpression(each, isOther))) {
    throw unsupported("elements for each row", table.span, "Select each of them, and put UNION ALL between.");
  }
  const [name = "unnest", position = "ordinality"] = columnNamesOf(table);
  const row = (element: Expression, index: number): SelectExpression[] => [
    item(element, name),
    ...(table.ordinality ? [item({ ...integer(index + 1, table), type: BIGINT }, position)] : []),
  ];
  const selects = array.elements.map((element, index): QueryBody => selectOf({ items: row(element, index) }, table));
  const none = { kind: "null", span: table.span, type: typeOrUnknown(table.call) } as const;
  const nothing: Expression = { kind: "boolean", value: false, span: table.span, type: { kind: "boolean" } };
  const [first = selectOf({ items: row(none, 0), where: nothing }, table), ...rest] = selects;
  return derived(queryOf(rest.reduce((left, right) => union(left, right, table), first)), table, name);
}

/** `generate_series(from, to, step)` of integers, dates and timestamps; the arguments cannot depend on a row. */
export function seriesRows(table: TableFunction): TableExpression {
  const [from, to, step = integer(1, table)] = values(table.call);
  if (from === undefined || to === undefined || table.ordinality)
    throw unsupported("generate_series with these arguments", table.span);
  if ([from, to].some((each) => someExpression(each, isOther))) {
    throw unsupported("a series for each row", table.span, "Make one series and join it on a condition.");
  }
  const isOfTimes = ["date", "timestamp"].includes(typeOrUnknown(from).kind);
  if (!isOfTimes && typeOrUnknown(from).kind !== "integer") throw unsupported("a series of fractions", table.span);
  const forwards = isAscending(step, table);
  const type = isOfTimes ? TIMESTAMP : BIGINT;
  const place = typed(type, table);
  const [series, value] = [`${aliasOf(table)}_series`, "n"];
  const last = columnOf(series, value, place);
  const sum = binary(last, "+", step, place);
  const next = (isOfTimes ? timeArithmetic(sum) : undefined) ?? sum;
  const within = (each: Expression): Expression => comparison(each, forwards ? "<=" : ">=", to, table);
  const own = { kind: "bound-common", table: { printedName: series }, alias: undefined, span: table.span } as const;
  const start = selectOf({ items: [item(cast(from, isOfTimes ? "timestamp" : "bigint", place), value)] }, table);
  const more = selectOf({ items: [item(next, value)], from: [own], where: within(next) }, table);
  const common = {
    name: exactName(series, table.span),
    columns: [exactName(value, table.span)],
    materialized: undefined,
    query: queryOf(union(start, more, table)),
    span: table.span,
  };
  const [name = "generate_series"] = columnNamesOf(table);
  const all = selectOf({ items: [item(last, name)], from: [own], where: within(last) }, table);
  return derived(queryOf(all, { with: { recursive: true, tables: [common] } }), table, name);
}

/** A column of an earlier table in FROM, which MariaDB's derived tables cannot refer to. */
const isOther = ({ kind }: Expression): boolean => kind === "bound" || kind === "column";

export function isAscending(step: Expression, { span }: { readonly span: Span }): boolean {
  if (step.kind === "number" && Number(step.text) > 0) return true;
  if (step.kind === "unary" && step.operand.kind === "number") return false;
  const parts = step.kind === "interval" ? intervalParts(step) : undefined;
  const amounts = parts === undefined ? [] : [parts.months, parts.days, Number(parts.microseconds)];
  if (amounts.some((each) => each > 0) && amounts.every((each) => each >= 0)) return true;
  if (amounts.some((each) => each < 0) && amounts.every((each) => each <= 0)) return false;
  throw unsupported("a series with this step", span, "Write the step as a literal that is not zero.");
}

function union(left: QueryBody, right: QueryBody, { span }: TableFunction): QueryBody {
  return { kind: "set", operator: "union", all: true, left, right, span };
}

const item = (expression: Expression, name: string): SelectExpression =>
  selectItem(expression, exactName(name, expression.span), expression);

function aliasOf({ alias, call }: TableFunction): string {
  return alias?.name.name ?? call.name[0]?.name ?? "";
}

/** A column without a name has the table's name. */
export function columnNamesOf(table: TableFunction): readonly string[] {
  const columns = table.alias?.columns ?? [];
  return columns.length > 0 ? columns.map(({ name }) => name) : [aliasOf(table)];
}

function derived(query: Query, { alias, span }: TableFunction, name: string): DerivedTable {
  return {
    kind: "derived",
    query,
    lateral: false,
    alias: { name: alias?.name ?? exactName(name, span), columns: [] },
    span,
  };
}

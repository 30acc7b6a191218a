/**
 * Recursive common tables, for targets that require UNION ALL of a part without a self-reference and a part that reads the table
 * once, row by row, with identical column types.
 */

import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { cast, exactName, typed } from "../../syntax/build.ts";
import type {
  CommonTable,
  Expression,
  Query,
  QueryBody,
  Select,
  SelectItem,
  TableExpression,
} from "../../syntax/tree.ts";
import { someExpression, walk } from "../../syntax/walk.ts";
import { NUMERIC, type SqlType, typeOrUnknown } from "../../types.ts";

type DecimalType = Extract<SqlType, { readonly kind: "decimal" }>;

/** The facts of such a target. */
export interface DeclaredRecursion {
  readonly scaleOf: (node: Expression) => number | undefined;
  /** Precision and scale of a decimal column with this many fraction digits, whose first rows have this type. */
  readonly lengthsOf: (scale: number, type: DecimalType) => readonly number[];
  /** The target's names of aggregates. */
  readonly aggregates: ReadonlySet<string>;
  /** Reals are a type of their own; otherwise they are doubles that are rounded. */
  readonly hasReals?: true;
  /** Whether a later row's array may hold NULLs where the first rows' arrays have none is unknown: arrays are refused. */
  readonly refusesArrays?: true;
}

/** For a statement whose common tables are all in its outermost WITH. */
export function withRecursiveTables(statement: Query, facts: DeclaredRecursion): Query {
  const { with: common } = statement;
  if (common === undefined || !common.tables.some(namesItself)) return statement;
  const tables = common.tables.map((table) => (namesItself(table) ? alike(table, facts) : table));
  return { ...statement, with: { ...common, recursive: true, tables } };
}

export const namesItself = (table: CommonTable): boolean => countOf(table.query.body, table) > 0;

function countOf(body: QueryBody, { name }: CommonTable): number {
  let count = 0;
  walk(body, (node) => {
    if (node.kind === "bound-common" && node.table.printedName === name.name) count++;
    return true;
  });
  return count;
}

function alike(table: CommonTable, facts: DeclaredRecursion): CommonTable {
  const { body } = table.query;
  const isPlain = table.query.limit === undefined && table.query.orderBy.length === 0;
  if (body.kind !== "set" || body.operator !== "union" || !body.all || !isPlain || countOf(body.left, table) > 0) {
    throw unsupported("a common table that names itself but by UNION ALL", table.name.span);
  }
  const [start, step] = [selectOf(body.left, table), selectOf(body.right, table)];
  refuseOtherSteps(step, table, facts);
  const types = start.items.map((item, index) => columnType(item, step.items[index], facts));
  const declared = (select: Select): Select => ({
    ...select,
    items: select.items.map((item, index) => ofType(item, types[index])),
  });
  return { ...table, query: { ...table.query, body: { ...body, left: declared(start), right: declared(step) } } };
}

function selectOf(body: QueryBody, { name }: CommonTable): Select {
  if (body.kind === "nested" && body.query.with === undefined)
    return selectOf(body.query.body, { name } as CommonTable);
  if (body.kind === "select") return body;
  throw unsupported("a common table that names itself in a set operation", name.span, "Use one SELECT on each side.");
}

function refuseOtherSteps(step: Select, table: CommonTable, { aggregates }: DeclaredRecursion): void {
  const reads = step.from.map((each) => readsOf(each, table)).reduce((sum, count) => sum + count, 0);
  const isGrouped = step.distinct !== undefined || step.groupBy !== undefined || step.having !== undefined;
  if (
    reads !== 1 ||
    countOf(step, table) !== 1 ||
    isGrouped ||
    step.items.some((item) => isComputedOverRows(item, aggregates))
  ) {
    throw unsupported(
      "a common table that names itself in an outer join, a subquery or a grouped query",
      table.name.span,
      "Read it once, in FROM or an inner join.",
    );
  }
}

/** Counts references in FROM and inner joins. */
function readsOf(from: TableExpression, table: CommonTable): number {
  if (from.kind === "bound-common") return from.table.printedName === table.name.name ? 1 : 0;
  if (from.kind !== "join" || (from.join !== "inner" && from.join !== "cross")) return 0;
  return readsOf(from.left, table) + readsOf(from.right, table);
}

function isComputedOverRows(item: SelectItem, aggregates: ReadonlySet<string>): boolean {
  if (item.kind !== "item") return true;
  return someExpression(
    item.expression,
    (node) => node.kind === "call" && (node.over !== undefined || aggregates.has(functionName(node))),
  );
}

interface ColumnType {
  readonly name: string;
  readonly lengths: readonly number[];
}

function columnType(
  first: SelectItem,
  later: SelectItem | undefined,
  { scaleOf, lengthsOf, hasReals, refusesArrays }: DeclaredRecursion,
): ColumnType | undefined {
  if (first.kind !== "item" || later?.kind !== "item") return undefined;
  const [own, other] = [typeOrUnknown(first.expression), typeOrUnknown(later.expression)];
  switch (own.kind) {
    case "text":
      return { name: "text", lengths: [] };
    case "integer": {
      const isLong = own.bits === 64 || (other.kind === "integer" && other.bits === 64);
      return { name: isLong ? "bigint" : "integer", lengths: [] };
    }
    case "decimal": {
      const scales = [first, later].map(({ expression }) => scaleOf(expression));
      const scale = scales.reduce((a, b) => (a === undefined || b === undefined ? undefined : Math.max(a, b)), 0);
      if (scale === undefined) throw unsupported("a recursive table whose digits are unknown", first.span);
      return { name: "numeric", lengths: lengthsOf(scale, own) };
    }
    case "date":
    case "timestamp":
      return own.kind === "timestamp" && own.zoned ? undefined : { name: own.kind, lengths: [] };
    case "float":
      return { name: hasReals === true && own.bits === 32 ? "real" : "double precision", lengths: [] };
    case "array":
      if (refusesArrays === true) throw unsupported("an array in a recursive table", first.span);
      return undefined;
    default:
      return undefined;
  }
}

function ofType(item: SelectItem, type: ColumnType | undefined): SelectItem {
  if (item.kind !== "item" || type === undefined) return item;
  const { expression } = item;
  const alias =
    item.alias ?? (expression.kind === "bound" ? exactName(expression.column.printedName, item.span) : undefined);
  return { ...item, alias, expression: declaredAs(expression, type) };
}

function declaredAs(expression: Expression, { name, lengths }: ColumnType): Expression {
  const type = name === "numeric" ? NUMERIC : typeOrUnknown(expression);
  return cast(expression, name, typed(type, expression), lengths);
}

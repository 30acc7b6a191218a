/**
 * A join with a lateral table as one derived table with the columns of both sides. Where rows of the lateral table are numbered or
 * aggregated for each row of the left side, the rows of the left side get numbers first, which tell equal rows apart:
 *
 *     SELECT … FROM (SELECT …, row_number() OVER () AS k FROM t) AS o LEFT JOIN (SELECT … FROM u) AS x ON …
 *     QUALIFY row_number() OVER (PARTITION BY o.k ORDER BY …) <= n
 */
import { isNullable } from "../../binding/nullability.ts";
import { functionName } from "../../functions/calls.ts";
import { all, integer, isNull, queryOf, selectOf, typed, when } from "../../syntax/build.ts";
import { expressionsOnly, mapCall, mapExpression } from "../../syntax/rewrite.ts";
import type {
  BoundColumn,
  Call,
  DerivedTable,
  Expression,
  GroupingElement,
  Join,
  Select,
  TableExpression,
} from "../../syntax/tree.ts";
import { someNode, walk } from "../../syntax/walk.ts";
import { BOOLEAN, typeOrUnknown } from "../../types.ts";
import { aliasOf } from "./correlation.ts";
import { DerivedRows } from "./derived-rows.ts";
import {
  type Fresh,
  holdsQuery,
  isAggregate,
  isFirst,
  isKept,
  type LateralSelect,
  numberOver,
  refused,
  writtenOut,
} from "./lateral-parts.ts";
import { outputColumnsOf } from "./output-columns.ts";

/** Replaces a join with a lateral table, and the columns of both sides in the query around it. */
export interface LateralRows {
  /** The column of the derived table for one of either side; `undefined` for other columns. */
  readonly column: (column: BoundColumn) => BoundColumn | undefined;
  /** To be made after all columns. `where`: conditions of the query around that concern the left side alone. */
  readonly table: (where: readonly Expression[]) => DerivedTable;
}

/** The column of `rows` for what `column` stands for. */
export function carried(rows: DerivedRows, value: Expression, column: BoundColumn): BoundColumn {
  const held = rows.holding(value, column.column.printedName, isNullable(column));
  return { ...held, span: column.span, type: typeOrUnknown(column) };
}

export class RowsOfLateral implements LateralRows {
  readonly #lateral: LateralSelect;
  /** The numbered rows of the left side, where they need numbers. */
  readonly #left: DerivedRows | undefined;
  readonly #right: DerivedRows;
  readonly #all: DerivedRows;
  readonly #names: readonly string[];
  /** A row of the left side without one of the right side has NULLs for its columns. */
  readonly #isPadded: boolean;

  constructor(lateral: LateralSelect, fresh: Fresh) {
    const { body, limit, isAggregated, isLeftJoin, table } = lateral;
    refuseUnknown(lateral);
    this.#lateral = lateral;
    const isNumbered = limit !== undefined || body.distinct !== undefined || isAggregated;
    this.#left = isNumbered ? new DerivedRows(fresh("_o")) : undefined;
    this.#right = new DerivedRows(fresh("_x"));
    this.#all = new DerivedRows(fresh("_l"));
    this.#isPadded = isLeftJoin || isAggregated;
    const named = table.alias?.columns ?? [];
    this.#names = (named.length > 0 ? named : outputColumnsOf(body)).map(({ name }) => name);
  }

  readonly column = (column: BoundColumn): BoundColumn | undefined => {
    const { isOuter, alias } = this.#lateral;
    if (isOuter(column)) return carried(this.#all, this.#over(column), column);
    return aliasOf(column) === alias ? carried(this.#all, this.#value(column), column) : undefined;
  };

  readonly table = (where: readonly Expression[]): DerivedTable => {
    const { body, table, join, on, correlated, local, isAggregated, isLeftJoin } = this.#lateral;
    const conditions = correlated.map(this.#over);
    const numbers = this.#numbers();
    const met = on === undefined ? [] : [this.#condition(on)];
    if (this.#all.items.length === 0) this.#all.holding(integer(1, table), "n");
    const groupBy = isAggregated ? this.#leftKeys(met) : undefined;
    const left = this.#leftTable(where);
    if (this.#right.items.length === 0) this.#right.holding(integer(1, table), "n");
    const own = selectOf({ items: this.#right.items, from: body.from, where: all(local, body) }, body);
    const right = this.#right.table({ ...queryOf(own), with: table.query.with });
    const joinsOn = isLeftJoin && numbers.length === 0 && !isAggregated ? [...conditions, ...met] : conditions;
    const both = this.#join(left, right, all(joinsOn, join));
    const filters = !isLeftJoin && !isAggregated && numbers.length === 0 ? met : [];
    const select: Select = selectOf(
      {
        items: this.#all.items,
        from: [both],
        where: all(this.#left === undefined ? [...where, ...filters] : filters, join),
        groupBy,
        having: isAggregated ? all(met, join) : undefined,
        qualify: numbers.length === 0 ? undefined : all([...numbers, ...met], join),
      },
      join,
    );
    return this.#all.table(queryOf(select));
  };

  #leftTable(where: readonly Expression[]): TableExpression {
    const { join } = this.#lateral;
    if (this.#left === undefined) return join.left;
    const select = selectOf({ items: this.#left.items, from: [join.left], where: all(where, join) }, join);
    return this.#left.table(queryOf(select));
  }

  #join(left: TableExpression, right: DerivedTable, on: Expression | undefined): Join {
    const { join } = this.#lateral;
    if (!this.#isPadded) return { ...join, join: on === undefined ? "cross" : "inner", left, right, on };
    const always: Expression = { kind: "boolean", value: true, span: join.span, type: BOOLEAN };
    return { ...join, join: "left", left, right, on: on ?? always };
  }

  /** The number of a row of the left side. */
  #key(): Expression {
    const { join } = this.#lateral;
    if (this.#left === undefined) throw new TypeError("the rows of the left side have no numbers");
    return this.#left.holding(numberOver("row_number", [], [], join), "k", false);
  }

  /** A column that is not NULL where the right side has a row. */
  #marker(): BoundColumn {
    return this.#right.holding(integer(1, this.#lateral.table), "m", this.#isPadded);
  }

  /** The conditions on the numbers of rows. */
  #numbers(): readonly Expression[] {
    const { body, items, limit, table } = this.#lateral;
    const keys = (): readonly Expression[] => [this.#key()];
    const orderBy = writtenOut(table.query.orderBy, items);
    const sorted = (): typeof orderBy => orderBy.map((item) => ({ ...item, expression: this.#over(item.expression) }));
    if (limit !== undefined) return [isKept(numberOver(limit.function, keys(), sorted(), table), limit)];
    if (body.distinct === undefined) return [];
    return [isFirst([...keys(), ...body.distinct.map(this.#over)], sorted(), table)];
  }

  /** The number of the left side's row, and all columns of it that are selected. */
  #leftKeys(having: readonly Expression[]): readonly GroupingElement[] {
    const keys = new Map<unknown, Expression>();
    const key = this.#key();
    if (key.kind === "bound") keys.set(key.column, key);
    for (const each of [...this.#all.items.map(({ expression }) => expression), ...having]) {
      walk(each, (node) => {
        if (node.kind === "bound" && this.#left?.has(node) === true) keys.set(node.column, node);
        return true;
      });
    }
    return [...keys.values()].map((expression) => ({ kind: "expression", expression }));
  }

  /** The condition of the join over values of both sides. */
  #condition(on: Expression): Expression {
    if (holdsQuery(on)) throw refused("a subquery in the condition of its join", on);
    const over = (each: Expression): Expression => {
      if (each.kind !== "bound") return mapExpression(each, expressionsOnly(over));
      return aliasOf(each) === this.#lateral.alias ? this.#value(each) : this.#over(each);
    };
    return over(on);
  }

  /** The value of a column of the lateral table. */
  #value(column: BoundColumn): Expression {
    const { items, isAggregated, isLeftJoin } = this.#lateral;
    const item = items[this.#names.indexOf(column.column.printedName)];
    if (item === undefined) throw new TypeError(`LATERAL selects no "${column.column.printedName}"`);
    if (isAggregated) return this.#aggregated(item.expression);
    const value = this.#over(item.expression);
    if (!isLeftJoin || (value.kind === "bound" && this.#right.has(value))) return value;
    return when(isNull(this.#marker(), true), value, undefined, typed(typeOrUnknown(column), column));
  }

  /** An expression over columns of the two derived tables. */
  readonly #over = (expression: Expression): Expression => {
    const { isOuter } = this.#lateral;
    if (holdsQuery(expression)) {
      if (someNode(expression, isOuter)) throw refused("a subquery beside columns of the tables before it", expression);
      return this.#right.holding(expression, "v", this.#isPadded || isNullable(expression));
    }
    if (expression.kind !== "bound") return mapExpression(expression, expressionsOnly(this.#over));
    const { printedName } = expression.column;
    if (isOuter(expression)) return this.#left?.holding(expression, printedName) ?? expression;
    return this.#right.holding(expression, printedName, this.#isPadded || isNullable(expression));
  };

  /** An aggregate of the rows of the right side, which leaves out the NULLs where there are none. */
  readonly #aggregated = (expression: Expression): Expression => {
    if (!isAggregate(expression)) {
      return expression.kind === "bound" || holdsQuery(expression)
        ? this.#ofLeft(expression)
        : mapExpression(expression, expressionsOnly(this.#aggregated));
    }
    const { isOuter } = this.#lateral;
    const isOwn =
      !someNode(expression, isOuter) || someNode(expression, (node) => node.kind === "bound" && !isOuter(node));
    if (!isOwn) throw refused("an aggregate of columns of the tables before it", expression);
    if (expression.withinGroup.length > 0) throw refused("an aggregate of sorted rows", expression);
    const call = mapCall(expression, this.#over);
    if (call.star) return { ...call, star: false, arguments: [{ name: undefined, value: this.#marker() }] };
    if (this.#skipsMissing(call)) return call;
    const isThere = isNull(this.#marker(), true);
    return { ...call, filter: call.filter === undefined ? isThere : all([isThere, call.filter], call) };
  };

  #ofLeft(expression: Expression): Expression {
    if (expression.kind === "bound" && this.#lateral.isOuter(expression)) return this.#over(expression);
    throw refused("a subquery beside aggregates", expression);
  }

  /** It leaves out NULLs, and its value is a column. */
  #skipsMissing(call: Call): boolean {
    const value = call.arguments[0]?.value;
    return SKIPS_NULLS.has(functionName(call)) && value?.kind === "bound" && this.#right.has(value);
  }
}

const SKIPS_NULLS: ReadonlySet<string> = new Set("count sum avg min max bool_and bool_or".split(" "));

function refuseUnknown({ body, items, limit, on, isAggregated, isLeftJoin, table }: LateralSelect): void {
  if (isAggregated && body.distinct !== undefined) throw refused("DISTINCT and aggregates", table);
  if (body.groupBy !== undefined) throw refused("GROUP BY and a condition but equalities of columns", table);
  if (body.distinct?.length === 0) throw refused("DISTINCT and a condition but equalities of columns", table);
  if (body.distinct !== undefined && limit !== undefined) throw refused("DISTINCT and LIMIT", table);
  if (!isLeftJoin) return;
  const isNumbered = limit !== undefined || body.distinct !== undefined || isAggregated;
  if (on !== undefined && isNumbered) throw refused("a condition of a left join", on);
  if (limit !== undefined && (limit.after > 0 || limit.last === 0))
    throw refused("OFFSET in a left join", items[0] ?? table);
}

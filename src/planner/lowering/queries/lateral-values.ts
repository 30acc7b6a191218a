/**
 * LATERAL over rows of written values: `LATERAL (VALUES ('a', t.a), ('b', t.b)) AS v(name, value)`, or one SELECT without FROM for each row.
 * The rows before it are joined with the numbers of its rows, and each of its columns is the value of that row.
 */
import { unify } from "../../binding/coercion.ts";
import { ListedRelation } from "../../binding/relation.ts";
import { makesRows } from "../../functions/calls.ts";
import { all, cases, comparison, exactName, integer, queryOf, selectOf, typed } from "../../syntax/build.ts";
import { transformExpression } from "../../syntax/rewrite.ts";
import type { BoundColumn, DerivedTable, Expression, Join, QueryBody, TableExpression } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { INTEGER, typeOrUnknown } from "../../types.ts";
import { aliasOf } from "./correlation.ts";
import { DerivedRows } from "./derived-rows.ts";
import { type Fresh, isAggregate, type Lateral, refused } from "./lateral-parts.ts";
import { carried, type LateralRows } from "./lateral-rows.ts";
import { outputColumnsOf } from "./output-columns.ts";

type Row = readonly Expression[];

/** The rows of the body, if they are written out. */
export function writtenRows({ table: { query } }: Lateral): readonly Row[] | undefined {
  const { limit, offset } = query;
  return limit === undefined && offset === undefined && query.with === undefined ? rowsOf(query.body) : undefined;
}

function rowsOf(body: QueryBody): readonly Row[] | undefined {
  if (body.kind === "values") return body.rows;
  if (body.kind === "set") {
    if (body.operator !== "union" || !body.all) return undefined;
    const [left, right] = [rowsOf(body.left), rowsOf(body.right)];
    return left === undefined || right === undefined ? undefined : [...left, ...right];
  }
  if (body.kind !== "select" || body.from.length > 0) return undefined;
  const { where, groupBy, having, qualify, windows, items } = body;
  if ([where, groupBy, having, qualify].some((clause) => clause !== undefined) || windows.length > 0) return undefined;
  if (body.distinct !== undefined) return undefined;
  const values = items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  const isOverRows = (node: Expression): boolean =>
    (node.kind === "call" && node.over !== undefined) || isAggregate(node) || makesRows(node);
  return values.some((each) => someExpression(each, isOverRows)) ? undefined : [values];
}

export class RowsOfValues implements LateralRows {
  readonly #lateral: Lateral;
  readonly #rows: readonly Row[];
  readonly #names: readonly string[];
  readonly #all: DerivedRows;
  readonly #number: BoundColumn;

  constructor(lateral: Lateral, rows: readonly Row[], fresh: Fresh) {
    const { table, on, isLeftJoin } = lateral;
    if (isLeftJoin && on !== undefined) throw refused("a condition of a left join", on);
    this.#lateral = lateral;
    this.#rows = rows;
    const named = table.alias?.columns ?? [];
    this.#names = (named.length > 0 ? named : outputColumnsOf(table.query.body)).map(({ name }) => name);
    this.#all = new DerivedRows(fresh("_l"));
    const numbers = new ListedRelation(fresh("_n"), []);
    const names = { name: "n", printedName: "n", implicitName: undefined };
    const column = numbers.add({ ...names, type: INTEGER, notNull: true, origins: [] });
    this.#number = { kind: "bound", column, span: table.span, type: INTEGER };
  }

  readonly column = (column: BoundColumn): BoundColumn | undefined => {
    const { isOuter, alias } = this.#lateral;
    if (isOuter(column)) return carried(this.#all, column, column);
    return aliasOf(column) === alias ? carried(this.#all, this.#value(column), column) : undefined;
  };

  readonly table = (where: readonly Expression[]): DerivedTable => {
    const { join, on, table } = this.#lateral;
    const met = on === undefined ? [] : [this.#condition(on)];
    if (this.#all.items.length === 0) this.#all.holding(integer(1, table), "n");
    const conditions = all([...where, ...met], join);
    return this.#all.table(
      queryOf(selectOf({ items: this.#all.items, from: [this.#from()], where: conditions }, join)),
    );
  };

  #from(): TableExpression {
    const { join, table } = this.#lateral;
    if (this.#rows.length === 1) return join.left;
    const { span } = table;
    const rows = this.#rows.map((_, index) => [integer(index + 1, table)]);
    const alias = { name: exactName(aliasOf(this.#number), span), columns: [exactName("n", span)] };
    const query = queryOf({ kind: "values", rows, span });
    const numbers: DerivedTable = { kind: "derived", query, lateral: false, alias, span };
    const crossed: Join = { ...join, join: "cross", right: numbers, on: undefined };
    return crossed;
  }

  #condition(on: Expression): Expression {
    const { alias } = this.#lateral;
    return transformExpression(on, {
      expression: (node) => (node.kind === "bound" && aliasOf(node) === alias ? this.#value(node) : node),
    });
  }

  #value(column: BoundColumn): Expression {
    const index = this.#names.indexOf(column.column.printedName);
    const written = this.#rows.map((row) => row[index]).filter((value) => value !== undefined);
    if (written.length < this.#rows.length) throw new TypeError(`LATERAL has no "${column.column.printedName}"`);
    const values = unify(written, "VALUES").expressions;
    const last = values.at(-1);
    const branches = values.slice(0, -1).map((then, at) => {
      const number = integer(at + 1, column);
      return { when: comparison(this.#number, "=", number, column), then };
    });
    if (branches.length === 0 && last !== undefined) return last;
    return cases(branches, last, typed(typeOrUnknown(column), column));
  }
}

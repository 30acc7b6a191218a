/**
 * Rows of arrays for each row of the tables before them. ClickHouse has no LATERAL: ARRAY JOIN behind all tables makes them, whose columns
 * have names without a table. Outer joins keep rows that it would drop, or are made before it, and are refused unless neither matters.
 */
import type { RelationColumn } from "../../binding/relation.ts";
import { unsupported } from "../../diagnostics.ts";
import { call, exactName, inPlaceOf, logical, queryOf } from "../../syntax/build.ts";
import { transformExpression, transformQuery } from "../../syntax/rewrite.ts";
import type { Expression, Join, Query, QueryBody, Select, TableExpression, TableFunction } from "../../syntax/tree.ts";
import { type SyntaxNode, someNode } from "../../syntax/walk.ts";

/** Arrays of one length, one for each column of the alias. */
const ARRAYS = "arrays side by side";

export const isArrayJoin = (node: SyntaxNode): node is TableFunction =>
  node.kind === "function" && node.call.name[0]?.name === ARRAYS;

/** The table of arrays, one for each column of its alias. */
export const arrayJoin = (table: TableFunction, arrays: readonly Expression[]): TableFunction => ({
  ...table,
  lateral: false,
  ordinality: false,
  call: call(ARRAYS, arrays, inPlaceOf(table.call)),
});

const refused = ({ span }: SyntaxNode) => unsupported("elements for each row", span, "Join a table that holds them.");

/** The name of a column, which has no table: no other one has blanks. */
export const nameOf = (alias: string, column: string): string => `${column} of ${alias}`;

export function withArrayJoins(statement: Query): Query {
  if (!someNode(statement, isArrayJoin)) return statement;
  const aliases = new Map<QueryBody, ReadonlySet<string>>();
  return transformQuery(statement, {
    body(node) {
      if (node.kind !== "select" || !node.from.some((table) => someTable(table, isArrayJoin))) return node;
      const made = new ArrayJoins(node);
      aliases.set(made.select, made.aliases);
      return made.select;
    },
    query(node) {
      const own = aliases.get(node.body);
      if (own === undefined) return node;
      const orderBy = node.orderBy.map((item) => ({ ...item, expression: renamed(item.expression, own) }));
      return { ...node, orderBy };
    },
  });
}

/** Whether the table or one that it joins is such. */
function someTable(table: TableExpression, is: (table: TableExpression) => boolean): boolean {
  return is(table) || (table.kind === "join" && (someTable(table.left, is) || someTable(table.right, is)));
}

const aliasOf = ({ alias }: TableFunction): string => alias?.name.name ?? "";

const isOf = (node: SyntaxNode, aliases: ReadonlySet<string>): boolean =>
  node.kind === "bound" && aliases.has((node.column as RelationColumn).relation.printedAlias);

function renamed(expression: Expression, aliases: ReadonlySet<string>): Expression {
  return transformExpression(expression, { expression: (node) => plainName(node, aliases) });
}

function plainName(node: Expression, aliases: ReadonlySet<string>): Expression {
  if (node.kind !== "bound" || !isOf(node, aliases)) return node;
  const { span, type, column } = node;
  const name = nameOf((column as RelationColumn).relation.printedAlias, column.printedName);
  return { kind: "column", parts: [exactName(name, span)], span, ...(type && { type }) };
}

class ArrayJoins {
  readonly select: Select;
  readonly aliases: ReadonlySet<string>;
  readonly #made: TableFunction[] = [];
  readonly #conditions: Expression[] = [];

  constructor(written: Select) {
    const names = new Set<string>();
    for (const table of written.from) {
      someTable(table, (each) => {
        if (isArrayJoin(each)) names.add(aliasOf(each));
        return false;
      });
    }
    this.aliases = names;
    const tables = written.from.flatMap((table) => this.#kept(table) ?? []);
    const [first, ...others] = [...tables, ...this.#made];
    if (first === undefined || isArrayJoin(first)) throw refused(first ?? written);
    const from = [others.reduce((left, right) => crossed(left, right), first)];
    const conditions = [...this.#conditions, ...(written.where === undefined ? [] : [written.where])];
    const where = conditions.length > 1 ? logical("and", conditions, written) : conditions[0];
    const items = written.items.map((item) => {
      if (item.kind !== "item" || item.alias !== undefined || !isOf(item.expression, names)) return item;
      const name = item.expression.kind === "bound" ? item.expression.column.printedName : "";
      return { ...item, alias: exactName(name, item.span) };
    });
    const { body } = transformQuery(queryOf({ ...written, items, from, where }), {
      expression: (node) => plainName(node, names),
    });
    if (body.kind !== "select") throw new TypeError("a select stays a select");
    this.select = body;
  }

  /** The table without those of arrays; `undefined` if it is one. */
  #kept(table: TableExpression): TableExpression | undefined {
    if (isArrayJoin(table)) {
      this.#made.push(table);
      return undefined;
    }
    if (table.kind !== "join" || !someTable(table, isArrayJoin)) return table;
    return table.join === "inner" || table.join === "cross" ? this.#inner(table) : this.#outer(table);
  }

  #inner(table: Join): TableExpression | undefined {
    if (table.natural || table.using.length > 0) throw refused(table);
    const [left, right] = [this.#kept(table.left), this.#kept(table.right)];
    const { on } = table;
    if (left !== undefined && right !== undefined && (on === undefined || !this.#names(on))) {
      return { ...table, left, right };
    }
    if (on !== undefined) this.#conditions.push(on);
    return left === undefined || right === undefined ? (left ?? right) : crossed(left, right);
  }

  #outer(table: Join): TableExpression {
    const isBefore = table.join === "left" && !table.natural && table.using.length === 0;
    const left = isBefore && !someTable(table.right, isArrayJoin) ? this.#kept(table.left) : undefined;
    if (left === undefined || table.on === undefined || this.#names(table.on)) throw refused(table);
    return { ...table, left };
  }

  #names(condition: Expression): boolean {
    return someNode(condition, (node) => isOf(node, this.aliases));
  }
}

const crossed = (left: TableExpression, right: TableExpression): Join => ({
  kind: "join",
  join: "cross",
  natural: false,
  left,
  right,
  on: undefined,
  using: [],
  span: right.span,
});

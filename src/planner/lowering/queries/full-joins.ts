/**
 * FULL JOIN as one derived table: the left join, and the unmatched rows of the right side. All outside references to columns of
 * either side become references to the derived table, so their printed names are changed before anything is lowered.
 */
import { uniqueName } from "../../binding/output.ts";
import { UniqueNames } from "../../binding/printable-name.ts";
import { ListedRelation, type Relation, type RelationColumn, relationColumn } from "../../binding/relation.ts";
import { exactName, integer, not, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import { type Rewrite, transformExpression, transformQuery } from "../../syntax/rewrite.ts";
import { NOWHERE } from "../../syntax/spans.ts";
import type {
  BoundColumn,
  DerivedTable,
  Expression,
  Join,
  PrintableColumn,
  Query,
  Select,
  SelectExpression,
  TableExpression,
} from "../../syntax/tree.ts";
import { type SyntaxNode, walk } from "../../syntax/walk.ts";
import { BOOLEAN } from "../../types.ts";

/** The relations on either side of a full join, from binding. */
export interface JoinedSides {
  readonly left: readonly Relation[];
  readonly right: readonly Relation[];
}

/** A referenced column: its name inside the derived table, and its name as a column of it. */
interface Carried {
  readonly inside: BoundColumn;
  readonly name: string;
}

interface Prepared {
  readonly alias: string;
  readonly left: readonly Carried[];
  readonly right: readonly Carried[];
  readonly rewrite: Rewrite;
}

export class FullJoins {
  readonly #prepared = new Map<TableExpression, Prepared>();

  /** `joins` from the inside out; `trees` contain everything that is printed; `fresh` returns unused table names. */
  constructor(
    joins: ReadonlyMap<TableExpression, JoinedSides>,
    trees: Iterable<SyntaxNode>,
    fresh: (prefix: string) => string,
  ) {
    if (joins.size === 0) return;
    const named = namedColumns(trees);
    for (const [join, sides] of joins) this.#prepared.set(join, prepared(sides, named, fresh("_j")));
  }

  /** The replacement of the join, in the input language. */
  derived(join: Join): DerivedTable {
    const own = this.#prepared.get(join);
    if (own === undefined) throw new TypeError("binding notes every full join");
    const [left, right] = [this.#inside(join.left, own.rewrite), this.#inside(join.right, own.rewrite)];
    const on = join.on && transformExpression(join.on, own.rewrite);
    const { span } = join;
    const items = [...own.left, ...own.right].map(({ inside, name }) => item(inside, name));
    const missing = own.left.map(({ inside, name }) => item({ kind: "null", span, type: typeOf(inside) }, name));
    const one = item(integer(1, join), "_x");
    const met: Join = { ...join, join: "left", left, right, on };
    const partner = selectOf({ items: [one], from: [left], where: on }, join);
    const unmet = selectOf(
      {
        items: atLeast([...missing, ...own.right.map(({ inside, name }) => item(inside, name))], one),
        from: [right],
        where: not({ kind: "exists", query: queryOf(partner), span, type: BOOLEAN }),
      },
      join,
    );
    const all: Select = selectOf({ items: atLeast(items, one), from: [met] }, join);
    const query: Query = queryOf({ kind: "set", operator: "union", all: true, left: all, right: unmet, span });
    return { kind: "derived", query, lateral: false, alias: { name: exactName(own.alias, span), columns: [] }, span };
  }

  /** A side of the join, whose own conditions refer to the inner names. */
  #inside(table: TableExpression, rewrite: Rewrite): TableExpression {
    switch (table.kind) {
      case "join":
        // Another full join on this side has its own names.
        if (this.#prepared.has(table)) return table;
        return {
          ...table,
          left: this.#inside(table.left, rewrite),
          right: this.#inside(table.right, rewrite),
          on: table.on && transformExpression(table.on, rewrite),
        };
      case "derived":
        return table.lateral ? { ...table, query: transformQuery(table.query, rewrite) } : table;
      case "function": {
        const call = transformExpression(table.call, rewrite);
        return call.kind === "call" ? { ...table, call } : table;
      }
      default:
        return table;
    }
  }
}

function namedColumns(trees: Iterable<SyntaxNode>): ReadonlyMap<unknown, ReadonlySet<RelationColumn>> {
  const named = new Map<unknown, Set<RelationColumn>>();
  for (const tree of trees) {
    walk(tree, (node) => {
      if (node.kind !== "bound") return true;
      const column = relationColumn(node);
      const known = named.get(column.relation);
      if (known === undefined) named.set(column.relation, new Set([column]));
      else known.add(column);
      return true;
    });
  }
  return named;
}

function prepared(
  sides: JoinedSides,
  named: ReadonlyMap<unknown, ReadonlySet<RelationColumn>>,
  alias: string,
): Prepared {
  const taken = new UniqueNames();
  const below = new Map<PrintableColumn, RelationColumn>();
  const carried = (relations: readonly Relation[]): readonly Carried[] =>
    relations.flatMap((relation) => {
      const inner = new ListedRelation(relation.printedAlias, []);
      // A column of a side may already be NULL: full joins may contain others.
      inner.outer = true;
      relation.printedAlias = alias;
      return [...(named.get(relation) ?? [])].map((column, index): Carried => {
        const { name, type, notNull, printedName, origins } = column;
        const copy = inner.add({ name, type, notNull, printedName, origins, implicitName: undefined });
        below.set(column, copy);
        column.printedName = uniqueName(printedName, index, taken);
        return { inside: { kind: "bound", column: copy, span: NOWHERE, type }, name: column.printedName };
      });
    });
  const [left, right] = [carried(sides.left), carried(sides.right)];
  return {
    alias,
    left,
    right,
    rewrite: {
      expression: (each) => {
        const column = each.kind === "bound" ? below.get(each.column) : undefined;
        return each.kind !== "bound" || column === undefined ? each : { ...each, column };
      },
    },
  };
}

function item(expression: Expression, name: string): SelectExpression {
  return selectItem(expression, exactName(name, expression.span), expression);
}

function atLeast(items: readonly SelectExpression[], one: SelectExpression): readonly SelectExpression[] {
  return items.length === 0 ? [one] : items;
}

function typeOf(bound: BoundColumn) {
  return relationColumn(bound).type;
}

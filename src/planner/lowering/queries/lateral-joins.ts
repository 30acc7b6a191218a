/**
 * A lateral table as a plain derived table with more columns, joined on the conditions of its WHERE. What LIMIT, GROUP BY and DISTINCT
 * take together are the rows that meet one row of the left side. Where they meet it by equalities alone, these are the rows with
 * the same values, so the derived table can number and group them by itself.
 */
import { ListedRelation } from "../../binding/relation.ts";
import { ExpressionMap } from "../../binding/same.ts";
import { all, exactName, selectItem } from "../../syntax/build.ts";
import { expressionsOnly, mapExpression } from "../../syntax/rewrite.ts";
import type {
  BoundColumn,
  DerivedTable,
  Expression,
  GroupingElement,
  Join,
  Query,
  Select,
  SelectExpression,
} from "../../syntax/tree.ts";
import { type SyntaxNode, someNode } from "../../syntax/walk.ts";
import { BOOLEAN, type SqlType, typeOrUnknown } from "../../types.ts";
import { type Fresh, isFirst, isKept, type LateralSelect, numberOver, refused, writtenOut } from "./lateral-parts.ts";
import { outputColumnsOf } from "./output-columns.ts";

/** The join, or `undefined` if the lateral table needs the rows of the left side. */
export function asJoin(lateral: LateralSelect, fresh: Fresh): Join | undefined {
  const { body, items, limit, isAggregated, isOuter, table } = lateral;
  const { orderBy } = table.query;
  const values: readonly SyntaxNode[] = [
    ...items,
    ...(body.distinct ?? []),
    ...(body.having === undefined ? [] : [body.having]),
    ...(limit === undefined && (body.distinct?.length ?? 0) === 0 ? [] : orderBy.map(({ expression }) => expression)),
  ];
  const keys = body.groupBy?.map((each) => (each.kind === "expression" ? each.expression : undefined)) ?? [];
  if (isAggregated || [...values, ...keys].some((each) => each !== undefined && someNode(each, isOuter)))
    return undefined;
  const isPlain = limit === undefined && body.distinct === undefined && body.groupBy === undefined;
  const columns = new AddedColumns(lateral, fresh);
  if (isPlain) return joined(lateral, body, columns, lateral.correlated.map(columns.over));
  const pairs = lateral.correlated.map((each) => pairOf(each, lateral));
  if (!pairs.every((each) => each !== undefined)) return undefined;
  const on = pairs.map(({ condition, inner }): Expression => {
    const column = columns.holding(inner);
    return condition.left === inner ? { ...condition, left: column } : { ...condition, right: column };
  });
  return joined(
    lateral,
    grouped(
      lateral,
      pairs.map(({ inner }) => inner),
    ),
    columns,
    on,
  );
}

/** The SELECT with its rows numbered and grouped for each value of the keys. */
function grouped({ body, items, limit, table }: LateralSelect, keys: readonly Expression[]): Select {
  const { distinct } = body;
  const orderBy = writtenOut(table.query.orderBy, items);
  const isOfFirsts = distinct !== undefined && distinct.length > 0;
  if (isOfFirsts && (limit !== undefined || body.groupBy !== undefined))
    throw refused("DISTINCT ON and LIMIT or GROUP BY", table);
  if (distinct !== undefined && limit !== undefined && body.groupBy !== undefined)
    throw refused("DISTINCT, GROUP BY and LIMIT", table);
  if (body.groupBy?.some(({ kind }) => kind !== "expression") === true) throw refused("grouping sets", table);
  // Different rows are numbered after they are grouped.
  const isGroupedFirst = distinct !== undefined && limit !== undefined;
  const groupBy = isGroupedFirst ? items.map(keyOf) : body.groupBy;
  const numbers = limit === undefined ? [] : [isKept(numberOver(limit.function, keys, orderBy, table), limit)];
  const firsts = isOfFirsts ? [isFirst([...keys, ...distinct], orderBy, table)] : [];
  return {
    ...body,
    distinct: isOfFirsts || isGroupedFirst ? undefined : distinct,
    groupBy: groupBy && [...groupBy, ...keys.map((expression) => keyOf({ expression }))],
    qualify: all([...firsts, ...numbers], table),
  };
}

const keyOf = ({ expression }: Pick<SelectExpression, "expression">): GroupingElement => ({
  kind: "expression",
  expression,
});

function joined(lateral: LateralSelect, body: Select, columns: AddedColumns, on: readonly Expression[]): Join {
  const { join, local, table, isLeftJoin } = lateral;
  const select = { ...body, items: [...body.items, ...columns.items], where: all(local, body) };
  const query: Query = { ...table.query, body: select, orderBy: [], limit: undefined, offset: undefined };
  const { alias } = table;
  const names = columns.items.flatMap((item) => item.alias ?? []);
  const isNamed = alias !== undefined && alias.columns.length > 0;
  const right: DerivedTable = {
    ...table,
    lateral: false,
    query,
    alias: isNamed ? { ...alias, columns: [...alias.columns, ...names] } : alias,
  };
  const condition = all(lateral.on === undefined ? on : [...on, lateral.on], join);
  if (isLeftJoin)
    return { ...join, right, on: condition ?? { kind: "boolean", value: true, span: join.span, type: BOOLEAN } };
  return { ...join, join: condition === undefined ? "cross" : "inner", right, on: condition };
}

/** The columns that the conditions need beside those of the select list. */
class AddedColumns {
  readonly items: SelectExpression[] = [];
  readonly #lateral: LateralSelect;
  readonly #fresh: Fresh;
  readonly #relation: ListedRelation;
  readonly #columns = new ExpressionMap<BoundColumn>();
  readonly #taken: ReadonlySet<string>;

  constructor(lateral: LateralSelect, fresh: Fresh) {
    this.#lateral = lateral;
    const named = [...(lateral.table.alias?.columns ?? []), ...outputColumnsOf(lateral.body)];
    this.#taken = new Set(named.map(({ name }) => name.toLowerCase()));
    this.#fresh = fresh;
    this.#relation = new ListedRelation(lateral.alias, []);
    this.#relation.outer = lateral.isLeftJoin;
  }

  holding(expression: Expression): BoundColumn {
    const known = this.#columns.get(expression);
    if (known !== undefined) return { ...known, span: expression.span };
    const name = this.#freeName();
    const { span } = expression;
    const type = typeOrUnknown(expression);
    this.items.push(selectItem(expression, exactName(name, span), expression));
    const added = { name, printedName: name, implicitName: undefined, type, notNull: false, origins: [expression] };
    const column: BoundColumn = { kind: "bound", column: this.#relation.add(added), span, type };
    this.#columns.add(expression, column);
    return column;
  }

  #freeName(): string {
    for (;;) {
      const name = this.#fresh("_k");
      if (!this.#taken.has(name)) return name;
    }
  }

  /** A condition over columns of both sides. */
  readonly over = (expression: Expression): Expression => {
    if (expression.kind !== "bound") return mapExpression(expression, expressionsOnly(this.over));
    return this.#lateral.isOuter(expression) ? expression : this.holding(expression);
  };
}

interface Pair {
  readonly condition: Expression & { readonly kind: "binary" };
  readonly inner: Expression;
}

/** An equality that holds for one row of the left side and all rows with one value, and for no others. */
function pairOf(condition: Expression, { isOuter }: LateralSelect): Pair | undefined {
  if (condition.kind !== "binary" || condition.operator !== "=") return undefined;
  const { left, right } = condition;
  const isInner = (node: SyntaxNode): boolean => node.kind === "bound" && !isOuter(node);
  const [inner, outer] = someNode(left, isOuter) ? [right, left] : [left, right];
  const isApart = someNode(inner, isInner) && !someNode(inner, isOuter) && !someNode(outer, isInner);
  return isApart && areOfOneKind(typeOrUnknown(inner), typeOrUnknown(outer)) ? { condition, inner } : undefined;
}

/** Two different numbers may both be equal to a double, and two texts to one that is filled up. */
function areOfOneKind(a: SqlType, b: SqlType): boolean {
  const isExact = ({ kind }: SqlType): boolean => kind === "integer" || kind === "decimal";
  if (isExact(a) && isExact(b)) return true;
  if (a.kind === "text" && b.kind === "text") return a.converted === undefined && b.converted === undefined;
  if (a.kind === "timestamp" && b.kind === "timestamp") return a.zoned === b.zoned && a.converted === b.converted;
  return a.kind === b.kind && (a.kind === "date" || a.kind === "uuid" || a.kind === "boolean");
}

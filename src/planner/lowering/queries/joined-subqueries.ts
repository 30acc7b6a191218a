/**
 * Correlated subqueries as LATERAL, for targets that refuse some of them where they stand: a subquery of one row is joined to each row of
 * the query around it, and EXISTS is a count of rows. LATERAL then becomes a plain join (`lateral-tables.ts`).
 */
import { ListedRelation } from "../../binding/relation.ts";
import { ExpressionMap, sameExpression } from "../../binding/same.ts";
import { call, comparison, exactName, integer, selectItem, typed } from "../../syntax/build.ts";
import { expressionsOnly, mapExpression } from "../../syntax/rewrite.ts";
import type {
  BoundColumn,
  DerivedTable,
  Exists,
  Expression,
  GroupingElement,
  Join,
  Query,
  ScalarQuery,
  Select,
  SelectExpression,
  SortItem,
  TableExpression,
} from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BIGINT, BOOLEAN, type SqlType, typeOrUnknown } from "../../types.ts";
import { aliasOf, outerColumns } from "./correlation.ts";
import { aliasesIn, computesGroups, type Fresh, inOneItem, isAggregate } from "./lateral-parts.ts";
import { replaced } from "./output-columns.ts";

/** The query with its correlated subqueries in FROM, but for those that have no form there. */
export function withSubqueriesJoined(query: Query, fresh: Fresh): Query {
  const { body } = query;
  if (body.kind !== "select" || body.from.length === 0) return query;
  const joins = new JoinedSubqueries(body, fresh);
  const value = computesGroups(body, query.orderBy) ? joins.inAggregates : joins.anywhere;
  const keys = new ExpressionMap<Expression>();
  const items = body.items.map((item, index) => {
    if (item.kind !== "item") return item;
    const isKey = body.groupBy?.some((key) => isKeyOf(key, item.expression, index)) === true;
    const expression = isKey ? joins.anywhere(item.expression) : value(item.expression);
    if (isKey) keys.add(item.expression, expression);
    return expression === item.expression ? item : replaced(item, expression);
  });
  const inKeys = (key: GroupingElement): GroupingElement =>
    key.kind === "expression" ? { ...key, expression: keys.get(key.expression) ?? key.expression } : key;
  const orderBy = query.orderBy.map(
    (item): SortItem => ({ ...item, expression: keys.get(item.expression) ?? value(item.expression) }),
  );
  const where = body.where && joins.anywhere(body.where);
  const having = body.having && value(body.having);
  if (joins.count === 0) return query;
  const groupBy = body.groupBy?.map(inKeys);
  return { ...query, body: { ...body, items, where, groupBy, having, from: [joins.from()] }, orderBy };
}

function isKeyOf(key: GroupingElement, value: Expression, index: number): boolean {
  if (key.kind !== "expression") return false;
  const { expression } = key;
  return expression.kind === "number" ? Number(expression.text) === index + 1 : sameExpression(expression, value);
}

class JoinedSubqueries {
  readonly #tables: DerivedTable[] = [];
  readonly #select: Select;
  readonly #fresh: Fresh;
  readonly #aliases: ReadonlySet<string>;
  readonly #known = new ExpressionMap<Expression>();

  constructor(select: Select, fresh: Fresh) {
    this.#select = select;
    this.#fresh = fresh;
    this.#aliases = new Set(select.from.flatMap(aliasesIn));
  }

  get count(): number {
    return this.#tables.length;
  }

  /** FROM with all of the subqueries. */
  from(): TableExpression {
    return this.#tables.reduce<TableExpression>((joined, right): Join => {
      const { span } = right;
      const on: Expression = { kind: "boolean", value: true, span, type: BOOLEAN };
      return { kind: "join", join: "left", natural: false, left: joined, right, on, using: [], span };
    }, inOneItem(this.#select.from));
  }

  readonly anywhere = (expression: Expression): Expression => {
    if (expression.kind === "scalar-query" || expression.kind === "exists") return this.#joined(expression);
    return mapExpression(expression, expressionsOnly(this.anywhere));
  };

  readonly inAggregates = (expression: Expression): Expression =>
    isAggregate(expression) ? this.anywhere(expression) : mapExpression(expression, expressionsOnly(this.inAggregates));

  #joined(node: Exists | ScalarQuery): Expression {
    const known = this.#known.get(node) ?? this.#made(node);
    if (known !== node) this.#known.add(node, known);
    return known;
  }

  #made(node: Exists | ScalarQuery): Expression {
    const outer = outerColumns(node.query);
    if (outer.length === 0 || !outer.every((column) => this.#aliases.has(aliasOf(column)))) return node;
    if (node.kind === "scalar-query") {
      const item = onlyItem(node.query);
      if (item === undefined) return node;
      return this.#column(node.query, item.expression, typeOrUnknown(node), node);
    }
    const rows = rowsCounted(node);
    if (rows === undefined) return node;
    const [query, count] = rows;
    return comparison(this.#column(query, count, BIGINT, node), ">", integer(0, node), node);
  }

  #column(query: Query, value: Expression, type: SqlType, { span }: Expression): BoundColumn {
    const { body } = query;
    if (body.kind !== "select") throw new TypeError("it is a SELECT");
    const relation = new ListedRelation(this.#fresh("_v"), []);
    relation.outer = true;
    const names = { name: "v", printedName: "v", implicitName: undefined };
    const column = relation.add({ ...names, type, notNull: false, origins: [value] });
    const items = [selectItem(value, exactName("v", span), { span })];
    const alias = { name: exactName(relation.printedAlias, span), columns: [] };
    this.#tables.push({ kind: "derived", query: { ...query, body: { ...body, items } }, lateral: true, alias, span });
    return { kind: "bound", column, span, type };
  }
}

/** The value of a query that has one row at most. */
function onlyItem({ body, limit }: Query): SelectExpression | undefined {
  if (body.kind !== "select" || body.from.length === 0) return undefined;
  const [item, ...others] = body.items;
  if (item?.kind !== "item" || others.length > 0) return undefined;
  const isAggregated = body.groupBy === undefined && someExpression(item.expression, isAggregate);
  const isFirst = limit?.count.kind === "number" && Number(limit.count.text) <= 1 && !limit.withTies;
  return (isAggregated && body.having === undefined) || isFirst ? item : undefined;
}

/** The query that counts the rows of EXISTS. */
function rowsCounted({ query, span }: Exists): readonly [Query, Expression] | undefined {
  const { body, limit, offset } = query;
  if (body.kind !== "select" || body.from.length === 0 || limit !== undefined || offset !== undefined) return undefined;
  if (body.qualify !== undefined || computesGroups(body, query.orderBy)) return undefined;
  const count: Expression = { ...call("count", [], typed(BIGINT, { span })), star: true };
  return [{ ...query, body: { ...body, distinct: undefined, windows: [] }, orderBy: [] }, count];
}

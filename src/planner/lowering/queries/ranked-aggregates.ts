/**
 * percentile_cont, percentile_disc, mode, and string_agg and array_agg of different values, for targets without these aggregates: a derived table
 * numbers the rows of each group in the order of the value, and plain aggregates take the values at the places.
 */
import { hasGroupingSets } from "../../binding/grouping.ts";
import { ExpressionSet, sameExpression } from "../../binding/same.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import {
  binary,
  call,
  cast,
  comparison,
  inPlaceOf,
  integer,
  queryOf,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import { mapBody, mapExpression } from "../../syntax/rewrite.ts";
import type { BoundColumn, Call, Expression, Query, QueryBody, Select, SortItem } from "../../syntax/tree.ts";
import { groupedBy, someExpression, someNode } from "../../syntax/walk.ts";
import { BIGINT, DOUBLE, typeOrUnknown } from "../../types.ts";
import { isCorrelated } from "./correlation.ts";
import { DerivedRows } from "./derived-rows.ts";

const RANKED: ReadonlySet<string> = new Set(["percentile_cont", "percentile_disc", "mode"]);

/** Aggregates that gather the values of a group. */
const GATHERED: ReadonlySet<string> = new Set(["string_agg", "array_agg"]);

/** Whether the aggregate takes values at places of numbered rows; one that gathers them only where the target lacks its DISTINCT. */
function isRanked(node: Expression, names: ReadonlySet<string>): node is Call {
  if (node.kind !== "call") return false;
  const name = functionName(node);
  return RANKED.has(name) || (GATHERED.has(name) && node.distinct && names.has(name));
}

/** The same query, unless it aggregates by one of `names`, a percentile by a literal fraction. */
export function withRankedRows(query: Query, names: ReadonlySet<string>, fresh: (prefix: string) => string): Query {
  const { body, orderBy } = query;
  if (body.kind !== "select" || names.size === 0 || hasGroupingSets(body)) return query;
  const items = body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  const clauses = [...items, ...orderBy.map(({ expression }) => expression), ...(body.having ? [body.having] : [])];
  const ranked: Call[] = [];
  for (const clause of clauses) {
    someExpression(clause, (node) => {
      if (isRanked(node, names)) ranked.push(node);
      return false;
    });
  }
  if (!ranked.some((node) => names.has(functionName(node)))) return query;
  const keys = (body.groupBy ?? []).flatMap(groupedBy);
  const isPlain =
    items.length === body.items.length &&
    body.qualify === undefined &&
    keys.every(({ kind }) => kind !== "number") &&
    !clauses.some((clause) => someNode(clause, ({ kind }) => kind === "query"));
  if (!isPlain || !ranked.every(isOfPlace) || isCorrelated(query)) return query;
  const rows = new RankedRows(keys, names, fresh);
  const mapped = mapBody({ ...body, from: [], where: undefined }, rows.mapper);
  const sorted = orderBy.map((item) => ({ ...item, expression: rows.outside(item.expression) }));
  if (mapped.kind !== "select") throw new TypeError("a select stays a select");
  return { ...query, body: { ...mapped, from: [rows.table(body)] }, orderBy: sorted };
}

/** `fraction` is a literal from 0 to 1, and the value a number, or for mode and percentile_disc a date, a time or a text. */
function isOfPlace(node: Call): boolean {
  if (GATHERED.has(functionName(node))) return gathersDifferentValues(node);
  const [fraction, ...others] = values(node);
  const [sort, ...further] = node.withinGroup;
  if (sort === undefined || others.length + further.length > 0 || node.over !== undefined || node.distinct)
    return false;
  const { kind } = typeOrUnknown(sort.expression);
  const isNumber = kind === "integer" || kind === "decimal" || kind === "float";
  const name = functionName(node);
  if (name === "mode") return fraction === undefined && (isNumber || /^(?:text|date|timestamp)$/.test(kind));
  if (fraction?.kind !== "number" || Number(fraction.text) > 1) return false;
  return isNumber || (name === "percentile_disc" && /^(?:date|timestamp)$/.test(kind));
}

/** Texts by a literal separator, or elements of an array, in their own order. */
function gathersDifferentValues(node: Call): boolean {
  const [value, separator] = values(node);
  if (value === undefined || node.over !== undefined || node.withinGroup.length > 0) return false;
  const { kind } = typeOrUnknown(value);
  const isGathered = functionName(node) === "array_agg" ? kind === "text" || kind === "integer" : kind === "text";
  if (!isGathered || (functionName(node) === "string_agg" && separator?.kind !== "string")) return false;
  return node.orderBy.every(({ expression }) => sameExpression(expression, value));
}

const isAggregate = (node: Expression): node is Call =>
  node.kind === "call" && isAggregateCall(node, findFunction(functionName(node)));

class RankedRows {
  readonly #keys: readonly Expression[];
  readonly #names: ReadonlySet<string>;
  readonly #set: ExpressionSet;
  readonly #values: DerivedRows;
  readonly #ranks: DerivedRows;
  readonly #carried = new Map<BoundColumn["column"], BoundColumn>();

  constructor(keys: readonly Expression[], names: ReadonlySet<string>, fresh: (prefix: string) => string) {
    this.#keys = keys;
    this.#names = names;
    this.#set = new ExpressionSet(keys);
    this.#values = new DerivedRows(fresh("_v"));
    this.#ranks = new DerivedRows(fresh("_p"));
  }

  /** The expression over groups as one over the groups of numbered rows. */
  readonly outside = (expression: Expression): Expression => {
    if (this.#set.has(expression)) return this.#carry(expression, "k");
    if (isAggregate(expression)) {
      const name = functionName(expression);
      if (name === "mode") return this.#mostFrequent(expression);
      if (name === "percentile_cont" || name === "percentile_disc") return this.#percentile(expression);
      if (isRanked(expression, this.#names)) return this.#differentValues(expression);
      return mapExpression(expression, { ...this.mapper, expression: (each) => this.#inside(each) });
    }
    if (expression.kind === "bound") return this.#carry(expression, "c");
    return mapExpression(expression, this.mapper);
  };

  readonly mapper = {
    expression: this.outside,
    query: (query: Query): Query => query,
    body: (body: QueryBody): QueryBody => body,
    table: <T>(table: T): T => table,
    item: <T extends Select["items"][number]>(item: T): T =>
      item.kind === "item" ? { ...item, expression: this.outside(item.expression) } : item,
  };

  #inside(expression: Expression): Expression {
    const isConstant = !someExpression(expression, ({ kind }) => kind === "bound");
    return isConstant ? expression : this.#carry(expression, "a");
  }

  /** A value of each row, through both derived tables. */
  #carry(expression: Expression, name: string): BoundColumn {
    const own = expression.kind === "bound" ? expression.column.printedName : name;
    const inner = this.#values.holding(expression, own);
    const known = this.#carried.get(inner.column);
    if (known !== undefined) return { ...known, span: expression.span };
    const outer = this.#ranks.holding(inner, inner.column.printedName);
    this.#carried.set(inner.column, outer);
    return outer;
  }

  /** The values of the rows that FILTER lets through. */
  #valueOf(node: Call, sort: SortItem): Expression {
    const { expression } = sort;
    const value =
      functionName(node) === "percentile_cont"
        ? cast(expression, "double precision", typed(DOUBLE, expression))
        : expression;
    return node.filter === undefined ? value : when(node.filter, value, undefined, inPlaceOf(value));
  }

  /** `row_number()` in the groups, NULLs last, and the number of values. */
  #numbered(node: Call): { readonly value: Expression; readonly row: Expression; readonly count: Expression } {
    const [sort] = node.withinGroup;
    if (sort === undefined) throw new TypeError("an ordered-set aggregate has an order");
    const value = this.#carry(this.#valueOf(node, sort), "x");
    const inner = this.#values.holding(this.#valueOf(node, sort), "x");
    const partitionBy = this.#keys.map((key) => this.#values.holding(key, "k"));
    const orderBy = [{ ...sort, expression: inner, nulls: "last" as const }];
    const at = typed(BIGINT, node);
    const window = { base: undefined, named: false, partitionBy, orderBy, frame: undefined, span: node.span };
    const number = { ...call("row_number", [], at), over: window };
    const counted = { ...call("count", [inner], at), over: { ...window, orderBy: [] } };
    return { value, row: this.#ranks.holding(number, "r"), count: counted };
  }

  #percentile(node: Call): Expression {
    const [fraction] = values(node);
    const { value, row, count } = this.#numbered(node);
    if (fraction === undefined) throw new TypeError("a percentile has a fraction");
    const at = typed(DOUBLE, node);
    const share = cast(fraction, "double precision", typed(DOUBLE, fraction));
    const one = integer(1, node);
    const valueAt = (place: Expression): Expression =>
      call("max", [when(comparison(row, "=", place, node), value, undefined, inPlaceOf(value))], inPlaceOf(value));
    if (functionName(node) === "percentile_disc") {
      const place = call("ceil", [binary(share, "*", count, at)], at);
      const counted = when(comparison(place, "<", one, node), cast(one, "double precision", at), place, at);
      return valueAt(this.#ranks.holding(counted, "q"));
    }
    const before = binary(share, "*", binary(count, "-", one, typed(BIGINT, node)), at);
    const place = this.#ranks.holding(before, "q");
    const [low, high] = ["floor", "ceil"].map((name) => valueAt(binary(call(name, [place], at), "+", one, at)));
    if (low === undefined || high === undefined) throw new TypeError("a percentile has two places");
    const rest = call("max", [binary(place, "-", call("floor", [place], at), at)], at);
    return binary(low, "+", binary(rest, "*", binary(high, "-", low, at), at), at);
  }

  /** Among values that are equally frequent, PostgreSQL takes the first in the order. */
  #mostFrequent(node: Call): Expression {
    const [sort] = node.withinGroup;
    if (sort === undefined) throw new TypeError("an ordered-set aggregate has an order");
    const inner = this.#valueOf(node, sort);
    const counted: Call = {
      ...call("count", [inner], typed(BIGINT, node)),
      over: {
        base: undefined,
        named: false,
        partitionBy: [...this.#keys, inner],
        orderBy: [],
        frame: undefined,
        span: node.span,
      },
    };
    const value = this.#carry(inner, "x");
    const frequency = this.#values.holding(counted, "f");
    const held = this.#values.holding(inner, "x");
    const partitionBy = this.#keys.map((key) => this.#values.holding(key, "k"));
    const orderBy: readonly SortItem[] = [
      { expression: frequency, direction: "desc", nulls: undefined, span: node.span },
      { ...sort, expression: held, nulls: "last" },
    ];
    const row = {
      ...call("row_number", [], typed(BIGINT, node)),
      over: { base: undefined, named: false, partitionBy, orderBy, frame: undefined, span: node.span },
    };
    const isFirst = comparison(this.#ranks.holding(row, "r"), "=", integer(1, node), node);
    return call("max", [when(isFirst, value, undefined, inPlaceOf(value))], inPlaceOf(node));
  }

  /** The first row of each value has it, and all others have NULL, which is not gathered. An array of them is in their order. */
  #differentValues(node: Call): Expression {
    const [gathered, ...others] = values(node);
    if (gathered === undefined) throw new TypeError("an aggregate has an operand");
    const inner = node.filter === undefined ? gathered : when(node.filter, gathered, undefined, inPlaceOf(gathered));
    const value = this.#carry(inner, "x");
    const held = this.#values.holding(inner, "x");
    const partitionBy = [...this.#keys.map((key) => this.#values.holding(key, "k")), held];
    const orderBy: readonly SortItem[] = [
      { expression: held, direction: undefined, nulls: undefined, span: node.span },
    ];
    const row = {
      ...call("row_number", [], typed(BIGINT, node)),
      over: { base: undefined, named: false, partitionBy, orderBy, frame: undefined, span: node.span },
    };
    const isFirst = comparison(this.#ranks.holding(row, "r"), "=", integer(1, node), node);
    const once = when(isFirst, value, undefined, inPlaceOf(value));
    const own: SortItem = { expression: value, direction: undefined, nulls: undefined, span: node.span };
    const isUnordered = node.orderBy.length === 0 && functionName(node) === "array_agg";
    const sorted = isUnordered ? [own] : node.orderBy.map((item): SortItem => ({ ...item, expression: value }));
    return { ...withArguments(node, [once, ...others]), distinct: false, filter: undefined, orderBy: sorted };
  }

  /** The rows with their values, and around them their places. */
  table({ from, where, span }: Select) {
    const plain: Select = {
      kind: "select",
      distinct: undefined,
      items: this.#values.items,
      from,
      where,
      groupBy: undefined,
      having: undefined,
      windows: [],
      qualify: undefined,
      span,
    };
    const values = this.#values.table(queryOf(plain));
    return this.#ranks.table(queryOf({ ...plain, items: this.#ranks.items, from: [values], where: undefined }));
  }
}

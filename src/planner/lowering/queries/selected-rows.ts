/**
 * `SELECT f(x) FROM t` with a set-returning function, for targets whose select list has none: the function moves into FROM, as in
 * `SELECT u.x FROM t, LATERAL f(t.x) AS u(x)`. PostgreSQL evaluates it after groups, windows and HAVING, so that these move into a
 * derived table, and before DISTINCT, ORDER BY and LIMIT.
 */
import { ListedRelation } from "../../binding/relation.ts";
import { sameExpression } from "../../binding/same.ts";
import { functionName, isAggregateCall, makesRows } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { exactName, queryOf, selectOf } from "../../syntax/build.ts";
import { expressionsOnly, mapExpression } from "../../syntax/rewrite.ts";
import type {
  BoundColumn,
  Call,
  Expression,
  Query,
  Select,
  SelectExpression,
  SortItem,
  TableFunction,
} from "../../syntax/tree.ts";
import { groupedBy, someExpression } from "../../syntax/walk.ts";
import { BIGINT, typeOrUnknown } from "../../types.ts";
import { isAscending } from "../arrays/set-returning.ts";
import { DerivedRows } from "./derived-rows.ts";

/** Functions with one column. */
const OF_ONE_COLUMN: ReadonlySet<string> = new Set([
  "unnest",
  "generate_series",
  "regexp_split_to_table",
  "string_to_table",
  "json_array_elements",
  "jsonb_array_elements",
  "json_array_elements_text",
  "jsonb_array_elements_text",
  "json_object_keys",
  "jsonb_object_keys",
]);

/** The same query, unless its select list calls exactly one set-returning function. */
export function withSelectedRowsInFrom(query: Query, fresh: (prefix: string) => string): Query {
  const { body, orderBy } = query;
  if (body.kind !== "select" || (body.distinct?.length ?? 0) > 0) return query;
  const items = body.items.flatMap((item) => (item.kind === "item" ? [item] : []));
  const made = madeIn(items);
  if (made === undefined || items.length < body.items.length) return query;
  const keys = (body.groupBy ?? []).flatMap(groupedBy);
  if (keys.some((key) => key.kind === "number" || someExpression(key, makesRows))) return query;
  const computed = [...items, ...orderBy].map(({ expression }) => expression);
  const isApart =
    body.groupBy !== undefined ||
    body.having !== undefined ||
    body.qualify !== undefined ||
    computed.some((each) => someExpression(each, isOverRows));
  const rows = new MadeRows(made, fresh("_u"), isApart ? new DerivedRows(fresh("_g")) : undefined);
  const selected = items.map((item) => ({ ...item, expression: rows.outside(item.expression) }));
  const sorted = orderBy.map((item): SortItem => ({ ...item, expression: rows.key(item.expression) }));
  const last = rows.lastKeys(query);
  return { ...query, body: rows.select(body, selected), orderBy: [...sorted, ...last] };
}

/** The only such function, which may be repeated: PostgreSQL advances equal calls together. */
function madeIn(items: readonly SelectExpression[]): Call | undefined {
  const found: Call[] = [];
  for (const { expression } of items) {
    someExpression(expression, (node) => {
      if (node.kind === "call" && makesRows(node)) found.push(node);
      return false;
    });
  }
  const [first, ...others] = found;
  if (first === undefined || first.over !== undefined || !OF_ONE_COLUMN.has(functionName(first))) return undefined;
  // A call within another one is never equal to it.
  return others.every((each) => sameExpression(each, first)) ? first : undefined;
}

/** Aggregates and windows. */
const isOverRows = (node: Expression): boolean =>
  node.kind === "call" && (node.over !== undefined || isAggregateCall(node, findFunction(functionName(node))));

class MadeRows {
  readonly #made: Call;
  readonly #alias: string;
  readonly #grouped: DerivedRows | undefined;
  readonly #column: BoundColumn;
  readonly #position: BoundColumn;
  #isNumbered = false;

  constructor(made: Call, alias: string, grouped: DerivedRows | undefined) {
    this.#made = made;
    this.#alias = alias;
    this.#grouped = grouped;
    const relation = new ListedRelation(alias, []);
    const columnOf = (name: string, at: Expression, notNull: boolean): BoundColumn => {
      const type = typeOrUnknown(at);
      const names = { name, printedName: name, implicitName: undefined };
      return {
        kind: "bound",
        column: relation.add({ ...names, type, notNull, origins: [made] }),
        span: made.span,
        type,
      };
    };
    this.#column = columnOf("x", made, functionName(made) === "generate_series");
    this.#position = columnOf("n", { ...made, type: BIGINT }, true);
  }

  /** The expression over the function's rows, and over the derived table if the query needs one. */
  readonly outside = (expression: Expression): Expression => {
    if (makesRows(expression)) return { ...this.#column, span: expression.span };
    if (!someExpression(expression, makesRows)) return this.#held(expression);
    return mapExpression(expression, expressionsOnly(this.outside));
  };

  readonly key = (expression: Expression): Expression =>
    expression.kind === "number" ? expression : this.outside(expression);

  #held(expression: Expression): Expression {
    if (this.#grouped === undefined || isConstant(expression)) return expression;
    const name = expression.kind === "bound" ? expression.column.printedName : "v";
    return this.#grouped.holding(expression, name);
  }

  /** LIMIT takes the rows of each row in their order, as PostgreSQL makes them after it has sorted the rows. */
  lastKeys({ body, orderBy, limit, offset, span }: Query): readonly SortItem[] {
    const isCut = (limit !== undefined || offset !== undefined) && limit?.withTies !== true;
    if (!isCut || orderBy.length === 0 || body.kind !== "select" || body.distinct !== undefined) return [];
    const items = body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
    const isSorted = orderBy.some(({ expression }) => {
      const key = expression.kind === "number" ? items[Number(expression.text) - 1] : expression;
      return key !== undefined && someExpression(key, makesRows);
    });
    if (isSorted) return [];
    if (functionName(this.#made) === "generate_series") {
      const step = this.#made.arguments[2]?.value;
      const direction = step === undefined || isAscending(step, this.#made) ? "asc" : "desc";
      return [{ expression: this.#column, direction, nulls: undefined, span }];
    }
    this.#isNumbered = true;
    return [{ expression: this.#position, direction: undefined, nulls: undefined, span }];
  }

  select(body: Select, items: readonly SelectExpression[]): Select {
    const { span } = this.#made;
    const call = mapExpression(
      this.#made,
      expressionsOnly((each) => this.#held(each)),
    );
    if (call.kind !== "call") throw new TypeError("a call stays a call");
    const names = [exactName("x", span), ...(this.#isNumbered ? [exactName("n", span)] : [])];
    const table: TableFunction = {
      kind: "function",
      call,
      lateral: false,
      ordinality: this.#isNumbered,
      alias: { name: exactName(this.#alias, span), columns: names },
      span,
    };
    if (this.#grouped === undefined) return { ...body, items, from: [...body.from, table] };
    const inner = { ...body, items: this.#grouped.items, distinct: undefined };
    const from = [this.#grouped.table(queryOf(inner)), table];
    return selectOf({ items, from, ...(body.distinct && { distinct: body.distinct }) }, body);
  }
}

const isConstant = ({ kind }: Expression): boolean => /^(?:number|string|boolean|null|typed|interval)$/.test(kind);

/**
 * SQL as data: one record per SELECT, common tables first, then the branches of the query (docs/spec/contract.md#analysis-of-sql).
 *
 * Names are looked up in the models without validation: an unknown column simply has no source. Errors in a model that
 * the query names are still reported.
 */
import { PlannerError } from "../diagnostics.ts";
import type { PlannerLimits } from "../limits.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { Parameters } from "../syntax/parameters.ts";
import { parseQuery, parseTypeName } from "../syntax/parser.ts";
import type { Expression, Query, QueryBody, Select, SortItem } from "../syntax/tree.ts";
import { groupedBy } from "../syntax/walk.ts";
import { BlockScope, type CommonNames, commonKey } from "./block-scope.ts";
import { AnalysisBudget } from "./budget.ts";
import { ExpressionAnalyst } from "./expressions.ts";
import { analyseItems, ItemList } from "./items.ts";
import { Places } from "./places.ts";
import type { FilterAnalysis, KeyAnalysis, QueryAnalysis, SortAnalysis } from "./records.ts";
import { RelationAnalyst } from "./relations.ts";

export interface AnalyseRequest {
  readonly sql: string;
  /** Values for `$1` … in the SQL. */
  readonly parameters?: readonly unknown[] | undefined;
  readonly manifest: Manifest;
  readonly limits: PlannerLimits;
  /** Shared by the statements of one call. */
  readonly budget?: AnalysisBudget;
}

/** @throws PlannerError of the parser, of the models that are named, LIMIT_SIZE, LIMIT_DEPTH */
export function analyse(request: AnalyseRequest): readonly QueryAnalysis[] {
  const { sql, manifest, limits, budget = new AnalysisBudget() } = request;
  const parameters = new Parameters(request.parameters ?? [], limits, (text) => parseTypeName(text, limits));
  const query = parseQuery(sql, { limits, parameters });
  parameters.refuseUnused();
  const expressions = new ExpressionAnalyst(new Places(sql), budget);
  return new QueryAnalyst(manifest, expressions, limits.joins).whole(query);
}

/** One SELECT during the analysis; the ORDER BY of a query around it comes last. */
interface Block {
  readonly scope: BlockScope;
  readonly items: ItemList;
  readonly parts: Pick<QueryAnalysis, "relation" | "filter" | "groupByKeys">;
  readonly nested: boolean;
  sortings: readonly SortAnalysis[];
}

class QueryAnalyst {
  readonly #expressions: ExpressionAnalyst;
  readonly #relations: RelationAnalyst;

  constructor(manifest: Manifest, expressions: ExpressionAnalyst, mostTables: number) {
    this.#expressions = expressions;
    this.#relations = new RelationAnalyst(manifest, expressions, mostTables, (query, commonNames, outer) =>
      this.#query(query, commonNames, outer, true).map(recordOf),
    );
  }

  whole(query: Query): readonly QueryAnalysis[] {
    return this.#query(query, new Set(), undefined, false).map(recordOf);
  }

  #query(query: Query, outerNames: CommonNames, outer: BlockScope | undefined, nested: boolean): Block[] {
    const names = new Set(outerNames);
    const blocks: Block[] = [];
    const tables = query.with?.tables ?? [];
    if (query.with?.recursive === true) for (const { name } of tables) names.add(commonKey(name));
    for (const table of tables) {
      blocks.push(...this.#query(table.query, new Set(names), outer, true));
      names.add(commonKey(table.name));
    }
    const own = this.#body(query.body, names, outer, nested);
    const last = own.at(-1);
    if (last !== undefined && query.orderBy.length > 0) {
      last.sortings = query.orderBy.map((item) => this.#sorting(item, last));
    }
    return [...blocks, ...own];
  }

  #body(body: QueryBody, names: CommonNames, outer: BlockScope | undefined, nested: boolean): Block[] {
    switch (body.kind) {
      case "select":
        return [this.#select(body, names, outer, nested)];
      case "set":
        return [...this.#body(body.left, names, outer, nested), ...this.#body(body.right, names, outer, nested)];
      case "nested":
        return this.#query(body.query, names, outer, nested);
      case "values": {
        const scope = new BlockScope(outer);
        return [{ scope, items: new ItemList([], true), parts: { groupByKeys: [] }, nested, sortings: [] }];
      }
      default:
        return body satisfies never;
    }
  }

  #select(select: Select, names: CommonNames, outer: BlockScope | undefined, nested: boolean): Block {
    const scope = new BlockScope(outer);
    const relation = this.#relations.from(select.from, scope, names);
    const items = analyseItems(select.items, scope, this.#expressions);
    const block = { scope, items, nested, sortings: [] };
    const groupByKeys = (select.groupBy ?? []).map((element) =>
      groupedBy(element).map((key) => this.#key(key, block, "column")),
    );
    const filter = select.where === undefined ? undefined : this.#filter(select.where, scope);
    return {
      ...block,
      parts: { ...(relation !== undefined && { relation }), ...(filter !== undefined && { filter }), groupByKeys },
    };
  }

  #filter(expression: Expression, scope: BlockScope): FilterAnalysis {
    const expressions = this.#expressions;
    const nodeLocation = expressions.placeOf(expression);
    if (expression.kind !== "logical") {
      const node = expressions.text(expression);
      return { type: "EXPR", node, nodeLocation, exprSources: expressions.sources(expression, scope) };
    }
    if (expression.operands.length > MOST_OPERANDS) {
      throw new PlannerError("LIMIT_DEPTH", `a filter of more than ${MOST_OPERANDS} conditions`, {
        span: expression.span,
      });
    }
    const type = expression.operator === "and" ? "AND" : "OR";
    return expression.operands
      .map((operand) => this.#filter(operand, scope))
      .reduce((left, right) => ({ type, left, right, nodeLocation }));
  }

  #sorting(item: SortItem, block: Pick<Block, "scope" | "items">): SortAnalysis {
    const { expression, nodeLocation, exprSources } = this.#key(item.expression, block, "alias");
    return {
      expression,
      ordering: item.direction === "desc" ? "DESCENDING" : "ASCENDING",
      nodeLocation,
      exprSources,
    };
  }

  /** `first`: what a bare name means if it is both a column of FROM and an alias. */
  #key(key: Expression, { scope, items }: Pick<Block, "scope" | "items">, first: "column" | "alias"): KeyAnalysis {
    const expressions = this.#expressions;
    const nodeLocation = expressions.placeOf(key);
    const isColumn = first === "column" && key.kind === "column" && scope.resolve(key.parts) !== undefined;
    const item = isColumn ? undefined : items.find(key);
    if (item === undefined) {
      return { expression: expressions.text(key), nodeLocation, exprSources: expressions.sources(key, scope) };
    }
    const expression = item.alias ?? item.expression;
    expressions.again(expression, item.exprSources);
    return { expression, nodeLocation, exprSources: item.exprSources };
  }
}

/** Records nest as deep as a chain of conditions is long, and readers of JSON have limits. */
const MOST_OPERANDS = 1000;

function recordOf({ items, parts, sortings, nested }: Block): QueryAnalysis {
  return { selectItems: items.items, ...parts, sortings, isSubqueryOrCte: nested };
}

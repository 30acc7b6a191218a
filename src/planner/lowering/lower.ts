/**
 * From the bound tree to what the target can say, in one pass: models become tables, common tables get their printed
 * names, and every node is offered to the target's rewrites with its children already lowered.
 */
import type { BindingContext } from "../binding/context.ts";
import { startsWithSelect } from "../binding/output.ts";
import type { RelationColumn } from "../binding/relation.ts";
import { expandModel, type ModelRead } from "../expand/model.ts";
import { renamed } from "../syntax/build.ts";
import type {
  Call,
  Expression,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SortItem,
  TableExpression,
} from "../syntax/tree.ts";
import { lowerSortItem, nullFreeColumns } from "./nulls.ts";
import { withoutQualify } from "./qualify.ts";
import { type ChildRewrites, rebuildCall, rebuildChildren, rebuildGrouping, rebuildWindow } from "./rebuild.ts";
import type { Target } from "./target.ts";
import { withoutTies } from "./ties.ts";

export interface Lowered {
  readonly query: Query;
  readonly reads: readonly ModelRead[];
}

const NO_COLUMNS: ReadonlySet<RelationColumn> = new Set();

/** Lowers a bound query for `target`; throws UNSUPPORTED_ON_SOURCE and what is wrong with the models it reads. */
export function lowerQuery(query: Query, context: BindingContext, target: Target): Lowered {
  const lowering = new Lowering(context, target);
  lowering.expandModels();
  return { query: lowering.query(query), reads: lowering.reads };
}

class Lowering {
  readonly #context: BindingContext;
  readonly #target: Target;
  readonly #tables = new Map<TableExpression, TableExpression>();
  readonly reads: ModelRead[] = [];

  constructor(context: BindingContext, target: Target) {
    this.#context = context;
    this.#target = target;
  }

  /** Before anything is printed: expansion settles the names that bound columns print. */
  expandModels(): void {
    const physical = new Set<string>();
    for (const [placeholder, relation] of this.#context.models) {
      const { table, reads } = expandModel(relation, placeholder.span, this.#context, this.#target.native);
      this.#tables.set(placeholder, table);
      this.reads.push(...reads);
      for (const { model } of reads) {
        const { tableReference, refSql } = model.data;
        if (tableReference !== undefined && tableReference.schema === undefined)
          physical.add(tableReference.table.toLowerCase());
        for (const word of refSql?.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []) physical.add(word);
      }
    }
    this.#separateCommonTables(physical);
  }

  /** A common table named like an unqualified physical table would capture it. */
  #separateCommonTables(physical: ReadonlySet<string>): void {
    for (const table of this.#context.commonTableDefinitions.values()) {
      while (physical.has(table.printedName.toLowerCase())) {
        table.printedName = this.#context.freeTableName(`${table.printedName}_cte`);
      }
    }
  }

  query(query: Query): Query {
    const withTies = query.limit?.withTies === true && !this.#target.withTies;
    const plain = withTies ? withoutTies(query) : query;
    const excluded = plain.body.kind === "select" ? nullFreeColumns(plain.body) : NO_COLUMNS;
    const body = this.#body(plain.body);
    const result: Query = {
      ...plain,
      with: plain.with && {
        ...plain.with,
        tables: plain.with.tables.map((table) => {
          const binding = this.#context.commonTableDefinitions.get(table);
          const name = binding === undefined ? table.name : { ...table.name, name: binding.printedName, quoted: true };
          const columns =
            binding === undefined || (table.columns.length === 0 && startsWithSelect(table.query.body))
              ? table.columns
              : binding.columns.map((column) => ({ name: column.printedName, quoted: true, span: table.name.span }));
          return { ...table, name, columns, query: this.query(table.query) };
        }),
      },
      body,
      orderBy: plain.orderBy.map((item) => this.#sortItem(item, excluded)),
      limit: plain.limit && { ...plain.limit, count: this.expression(plain.limit.count, NO_COLUMNS) },
      offset: plain.offset && this.expression(plain.offset, NO_COLUMNS),
    };
    if (body.kind !== "select" || body.qualify === undefined || this.#target.qualify) return result;
    return withoutQualify(result, body);
  }

  #body(body: QueryBody): QueryBody {
    switch (body.kind) {
      case "select":
        return this.#select(body);
      case "set": {
        const side = (operand: QueryBody): QueryBody => this.#operand(this.#body(operand));
        return { ...body, left: side(body.left), right: side(body.right) };
      }
      case "nested":
        return { ...body, query: this.query(body.query) };
      case "values":
        return { ...body, rows: body.rows.map((row) => row.map((value) => this.expression(value, NO_COLUMNS))) };
      default:
        return body satisfies never;
    }
  }

  /** A branch with QUALIFY becomes a query of its own. */
  #operand(body: QueryBody): QueryBody {
    if (body.kind !== "select" || body.qualify === undefined || this.#target.qualify) return body;
    const { span } = body;
    const query: Query = {
      kind: "query",
      with: undefined,
      body,
      orderBy: [],
      limit: undefined,
      offset: undefined,
      span,
    };
    return withoutQualify(query, body).body;
  }

  #select(select: Select): Select {
    const excluded = nullFreeColumns(select);
    const lower = (expression: Expression): Expression => this.expression(expression, excluded);
    return {
      ...select,
      distinct: select.distinct?.map(lower),
      items: select.items.map((item) => this.#item(item, lower)),
      from: select.from.map((table) => this.#table(table)),
      where: select.where && lower(select.where),
      groupBy: select.groupBy?.map((element) => rebuildGrouping(element, lower)),
      having: select.having && lower(select.having),
      windows: select.windows.map((named) => ({
        ...named,
        window: rebuildWindow(named.window, this.#rewrites(excluded)),
      })),
      qualify: select.qualify && lower(select.qualify),
    };
  }

  /** The alias stays only where the column would not have that name anyway. */
  #item(item: SelectItem, lower: (expression: Expression) => Expression): SelectItem {
    if (item.kind === "star") return item;
    const expression = lower(item.expression);
    const redundant = expression.kind === "bound" && expression.column.printedName === item.alias?.name;
    return { ...item, expression, alias: redundant ? undefined : item.alias };
  }

  #table(table: TableExpression): TableExpression {
    switch (table.kind) {
      case "table": {
        const model = this.#tables.get(table);
        if (model !== undefined) return this.#table(model);
        const common = this.#context.commonTables.get(table);
        if (common === undefined) return table;
        const alias = table.alias?.name.name === common.printedName ? undefined : table.alias;
        return { ...table, name: [{ name: common.printedName, quoted: true, span: table.span }], alias };
      }
      case "derived":
        return { ...table, query: this.query(table.query) };
      case "function": {
        const rewrite = this.#target.rewrites.tableCalls.get(table.call.name[0]?.name ?? "");
        const call = rebuildCall(table.call, this.#rewrites(NO_COLUMNS));
        return { ...table, call: rewrite === undefined ? call : rewrite(call) };
      }
      case "join":
        return {
          ...table,
          left: this.#table(table.left),
          right: this.#table(table.right),
          on: table.on && this.expression(table.on, NO_COLUMNS),
        };
      case "aliased-join":
      case "opaque-table":
        return table;
      default:
        return table satisfies never;
    }
  }

  #sortItem(item: SortItem, excluded: ReadonlySet<RelationColumn>): SortItem {
    const sorted = lowerSortItem(item, this.#target, excluded);
    return { ...sorted, expression: this.expression(item.expression, excluded) };
  }

  expression(expression: Expression, excluded: ReadonlySet<RelationColumn>): Expression {
    const lowered = rebuildChildren(expression, this.#rewrites(excluded));
    return this.#rewrite(lowered) ?? lowered;
  }

  #rewrites(excluded: ReadonlySet<RelationColumn>): ChildRewrites {
    return {
      expression: (child) => this.expression(child, excluded),
      sortItem: (item) => this.#sortItem(item, excluded),
      query: (query) => this.query(query),
    };
  }

  #call(node: Call): Expression | undefined {
    const rewrite = this.#target.rewrites.calls.get(node.name[0]?.name ?? "");
    if (rewrite === undefined) return undefined;
    return typeof rewrite === "string" ? renamed(node, rewrite) : rewrite(node);
  }

  #rewrite(node: Expression): Expression | undefined {
    const { rewrites } = this.#target;
    switch (node.kind) {
      case "number":
        return rewrites.number?.(node);
      case "binary":
        return rewrites.binary?.(node);
      case "like":
        return rewrites.like?.(node);
      case "cast":
        return rewrites.cast?.(node);
      case "extract":
        return rewrites.extract?.(node);
      case "interval":
        return rewrites.interval?.(node);
      case "subscript":
        return rewrites.subscript?.(node);
      case "call":
        return this.#call(node);
      default:
        return undefined;
    }
  }
}

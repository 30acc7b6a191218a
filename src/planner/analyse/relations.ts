/**
 * FROM in an analysis: tables, sub-queries, and joins with the columns they compare (docs/spec/contract.md#analysis-of-sql).
 */
import { PlannerError } from "../diagnostics.ts";
import { INPUT_LANGUAGE } from "../dialects/input.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { printExpression } from "../syntax/printer.ts";
import type { DerivedTable, Join, NamedTable, Query, TableAlias, TableExpression } from "../syntax/tree.ts";
import { type BlockScope, blockRelation, type CommonNames, isCommonTable, modelOf } from "./block-scope.ts";
import { canonicalText, writtenPath } from "./canonical-text.ts";
import type { ExpressionAnalyst } from "./expressions.ts";
import { startOfExpression, startOfTable } from "./places.ts";
import type { ExpressionSource, JoinKind, QueryAnalysis, RelationAnalysis } from "./records.ts";

/** A query in FROM has its own list of records. */
type AnalyseQuery = (query: Query, commonNames: CommonNames, outer: BlockScope | undefined) => readonly QueryAnalysis[];

const JOINS: Readonly<Record<Join["join"], JoinKind>> = {
  inner: "INNER_JOIN",
  left: "LEFT_JOIN",
  right: "RIGHT_JOIN",
  full: "FULL_JOIN",
  cross: "CROSS_JOIN",
};

export class RelationAnalyst {
  readonly #manifest: Manifest;
  readonly #expressions: ExpressionAnalyst;
  readonly #analyseQuery: AnalyseQuery;
  /** A statement may have as many tables as a plan may join: every name is looked up in all of its FROM. */
  readonly #most: number;
  #tables = 0;

  constructor(manifest: Manifest, expressions: ExpressionAnalyst, most: number, analyseQuery: AnalyseQuery) {
    this.#manifest = manifest;
    this.#expressions = expressions;
    this.#most = most;
    this.#analyseQuery = analyseQuery;
  }

  /** Fills `scope` with what FROM offers; commas are joins of their own kind. */
  from(tables: readonly TableExpression[], scope: BlockScope, commonNames: CommonNames): RelationAnalysis | undefined {
    const [first, ...others] = tables.map((table) => this.#table(table, scope, commonNames));
    if (first === undefined) return undefined;
    return others.reduce<RelationAnalysis>(
      (left, right) => ({ type: "IMPLICIT_JOIN", left, right, exprSources: [], nodeLocation: left.nodeLocation }),
      first,
    );
  }

  #table(table: TableExpression, scope: BlockScope, commonNames: CommonNames): RelationAnalysis {
    const nodeLocation = this.#expressions.place(startOfTable(table));
    this.#expressions.again("", []);
    if (table.kind !== "join" && ++this.#tables > this.#most) {
      throw new PlannerError("LIMIT_SIZE", `more than ${this.#most} tables`, { span: table.span });
    }
    switch (table.kind) {
      case "table":
        return {
          type: "TABLE",
          ...aliasOf(table.alias),
          tableName: this.#named(table, scope, commonNames),
          nodeLocation,
        };
      case "derived":
        return { ...this.#derived(table, scope, commonNames), nodeLocation };
      case "function": {
        scope.add(blockRelation(table.call.name.at(-1)?.name ?? "", table.alias, undefined, []));
        return { type: "TABLE", ...aliasOf(table.alias), tableName: this.#expressions.text(table.call), nodeLocation };
      }
      case "join":
        return this.#join(table, scope, commonNames);
      case "aliased-join": {
        const from = scope.relations.length;
        const inner = this.#table(table.join, scope, commonNames);
        scope.nameAll(from, table.alias.name.name);
        return { ...inner, ...aliasOf(table.alias) };
      }
      case "bound-model":
      case "bound-common":
      case "ruled":
      case "physical-table":
      case "opaque-table":
        throw new TypeError(`the parser makes no ${table.kind}`);
      default:
        return table satisfies never;
    }
  }

  /** The model's name as the manifest has it; other names as written. */
  #named(table: NamedTable, scope: BlockScope, commonNames: CommonNames): string {
    const last = table.name.at(-1)?.name ?? "";
    const model = isCommonTable(table, commonNames) ? undefined : modelOf(table, this.#manifest);
    const path = model === undefined ? [last] : [this.#manifest.catalog, this.#manifest.schema, model.name];
    scope.add(blockRelation(model?.name ?? last, table.alias, model, path));
    return model?.name ?? writtenPath(table.name);
  }

  #derived(table: DerivedTable, scope: BlockScope, commonNames: CommonNames): Omit<RelationAnalysis, "nodeLocation"> {
    const { query, alias, lateral } = table;
    const relation = blockRelation("", alias, undefined, []);
    if (query.body.kind === "values" && query.with === undefined) {
      scope.add(relation);
      const rows = printExpression({ kind: "scalar-query", query, span: query.span }, INPUT_LANGUAGE);
      this.#expressions.again(rows, []);
      return { type: "TABLE", ...aliasOf(alias), tableName: rows.slice(1, -1) };
    }
    const body = this.#analyseQuery(query, commonNames, lateral ? scope : undefined);
    scope.add(relation);
    return { type: "SUBQUERY", ...aliasOf(alias), body };
  }

  #join(join: Join, scope: BlockScope, commonNames: CommonNames): RelationAnalysis {
    const left = this.#table(join.left, scope, commonNames);
    const before = scope.relations.length;
    const right = this.#table(join.right, scope, commonNames);
    if (join.natural) mergeNatural(scope, before);
    for (const column of join.using) scope.merge(column.name);
    const criteria = this.#criteria(join);
    return {
      type: JOINS[join.join],
      left,
      right,
      ...(criteria !== undefined && { criteria }),
      exprSources: this.#compared(join, scope),
      nodeLocation: left.nodeLocation,
    };
  }

  #criteria({ on, using }: Join): RelationAnalysis["criteria"] {
    const expressions = this.#expressions;
    if (on !== undefined) {
      const text = `ON ${canonicalText(on)}`;
      expressions.again(text, []);
      return { expression: text, nodeLocation: expressions.place(startOfExpression(on)) };
    }
    const [first] = using;
    if (first === undefined) return undefined;
    const text = `USING (${using.map((column) => writtenPath([column])).join(", ")})`;
    expressions.again(text, []);
    return { expression: text, nodeLocation: expressions.place(first.span.start) };
  }

  #compared({ on, using }: Join, scope: BlockScope): readonly ExpressionSource[] {
    const expressions = this.#expressions;
    if (on !== undefined) return expressions.sources(on, scope);
    return using.flatMap((column) =>
      scope.all(column).map((source) => expressions.source(writtenPath([column]), source, column.span.start)),
    );
  }
}

/** NATURAL merges whatever both sides have. What the right side alone has, from `from` on, is not ambiguous anyway. */
function mergeNatural(scope: BlockScope, from: number): void {
  for (const { model } of scope.relations.slice(from)) {
    for (const name of model?.columnNames() ?? []) scope.merge(name);
  }
}

function aliasOf(alias: TableAlias | undefined): { readonly alias?: string } {
  return alias === undefined ? {} : { alias: alias.name.name };
}

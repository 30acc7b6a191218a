/**
 * The rule of grouped queries: a selected expression is a key, an aggregate, or composed of these (docs/spec/language.md). Where
 * the declared primary key of a model is grouped, its other columns have one value per group, as in PostgreSQL: those that the
 * query names become keys as well, so that every engine has the same groups
 * (docs/decisions/0044-groups-follow-a-declared-key.md#decision).
 */
import { PlannerError } from "../diagnostics.ts";
import { findFunction } from "../functions/catalogue.ts";
import type { FunctionSpecification } from "../functions/specification.ts";
import { call } from "../syntax/build.ts";
import { expressionsOnly, mapExpression } from "../syntax/rewrite.ts";
import type { BoundColumn, Call, Expression, GroupingElement, Select } from "../syntax/tree.ts";
import { forEachChild, walk } from "../syntax/walk.ts";
import type { SqlType } from "../types.ts";
import { ModelRelation, type Relation, type RelationColumn, relationColumn } from "./relation.ts";
import { ExpressionSet } from "./same.ts";

/** Whether some result rows are above the level of a key, which is NULL in them. */
export function hasGroupingSets(select: Select): boolean {
  return (select.groupBy ?? []).some((element) => element.kind !== "expression");
}

/** Grouping keys of one level, the columns that they determine, and the keys that the query names. */
export class Grouping {
  readonly #keys: ExpressionSet;
  readonly #relations: ReadonlySet<Relation>;
  readonly #determined: ReadonlySet<Relation>;
  readonly #named = new Map<RelationColumn, Expression>();

  /** The level's own, some of them inside subqueries. */
  readonly #aggregates: ReadonlySet<unknown>;

  /** `elements` are bound, `keys` are their expressions; relations and aggregates belong to the level. */
  constructor(
    elements: readonly GroupingElement[],
    keys: ExpressionSet,
    relations: readonly Relation[],
    aggregates: readonly Call[] = [],
  ) {
    this.#keys = keys;
    this.#aggregates = new Set(aggregates);
    this.#relations = new Set(relations);
    const grouped: Expression[] = [];
    for (const element of elements) grouped.push(...keysOfEverySet(element));
    this.#determined = new Set(relations.filter((relation) => isKeyGrouped(relation, grouped)));
  }

  /**
   * The form of `expression` in the grouped query. Throws UNGROUPED_COLUMN for the first column of this level that is
   * neither a key, nor determined by keys, nor inside an aggregate.
   */
  checked(expression: Expression): Expression {
    if (this.#keys.has(expression)) return expression;
    if (expression.kind === "bound") return this.#column(expression);
    if (expression.kind === "call" && isAggregate(expression)) return this.#ofGroup(expression);
    if (expression.kind === "call" && specificationOf(expression) === undefined) return this.#mayAggregate(expression);
    this.#checkNestedQueries(expression);
    return mapExpression(expression, this.#inside);
  }

  /** A percentile's fraction is one for the whole group. */
  #ofGroup(aggregate: Call): Call {
    if (aggregate.withinGroup.length === 0 || aggregate.arguments.length === 0) return aggregate;
    for (const { value } of aggregate.arguments) this.checked(value);
    return aggregate;
  }

  readonly #inside = expressionsOnly((child) => this.checked(child));

  /** Arguments of an unknown function, which may be an aggregate: nothing must be grouped. */
  #mayAggregate(expression: Expression): Expression {
    if (this.#keys.has(expression)) return expression;
    if (expression.kind === "bound") {
      const { relation } = relationColumn(expression);
      return this.#determined.has(relation) ? this.#column(expression) : expression;
    }
    if (expression.kind === "call" && isAggregate(expression)) return expression;
    return mapExpression(expression, this.#insideUnknown);
  }

  readonly #insideUnknown = expressionsOnly((child) => this.#mayAggregate(child));

  /** Keys to add to the query's own; they split no group. */
  additions(): readonly GroupingElement[] {
    return [...this.#named.values()].map((expression) => ({ kind: "expression", expression }));
  }

  #column(expression: BoundColumn): Expression {
    const column = relationColumn(expression);
    const { relation } = column;
    if (!this.#relations.has(relation)) return expression;
    if (!this.#determined.has(relation)) throw ungrouped(expression);
    if (!isComparable(column.type)) {
      return call("any_value", [expression], { span: expression.span, type: column.type });
    }
    if (!this.#named.has(column)) this.#named.set(column, expression);
    return expression;
  }

  /** A subquery may name this level's keys and columns determined by them, and no other columns. */
  #checkNestedQueries(expression: Expression): void {
    forEachChild(expression, (child) => {
      if (child.kind !== "query") return;
      walk(child, (node) => {
        if (this.#aggregates.has(node)) return false;
        if (node.kind !== "bound") return !this.#keys.has(node as Expression);
        if (this.checked(node) === node) return false;
        // An aggregate in a subquery would be one of the subquery on engines that do not look for its level.
        throw new PlannerError("UNGROUPED_COLUMN", `column "${nameOf(node)}" has a type that cannot be grouped by`, {
          span: node.span,
          hint: "Select it in a subquery of FROM first.",
        });
      });
    });
  }
}

function nameOf(expression: BoundColumn): string {
  return relationColumn(expression).name;
}

function ungrouped(expression: BoundColumn): PlannerError {
  const name = nameOf(expression);
  return new PlannerError("UNGROUPED_COLUMN", `column "${name}" is neither grouped nor aggregated`, {
    span: expression.span,
    hint: `Add it to GROUP BY, or aggregate it, for example max(${name}).`,
  });
}

/** The keys that every grouping set of the element has: ROLLUP and CUBE have one without any. */
function keysOfEverySet(element: GroupingElement): readonly Expression[] {
  switch (element.kind) {
    case "expression":
      return [element.expression];
    case "keys":
      return element.expressions;
    case "sets": {
      const [first = [], ...others] = element.elements.map(keysOfEverySet);
      const rest = others.map((keys) => new ExpressionSet(keys));
      return first.filter((key) => rest.every((keys) => keys.has(key)));
    }
    case "empty":
    case "rollup":
    case "cube":
      return [];
    default:
      return element satisfies never;
  }
}

/** Views and derived tables have no primary key, as in PostgreSQL. */
function isKeyGrouped(relation: Relation, grouped: readonly Expression[]): boolean {
  if (!(relation instanceof ModelRelation)) return false;
  const { primaryKey } = relation.model;
  const isGrouped = (name: string): boolean =>
    grouped.some((key) => {
      if (key.kind !== "bound") return false;
      const column = relationColumn(key);
      return column.relation === relation && column.modelColumn?.name === name;
    });
  return primaryKey.length > 0 && primaryKey.every(isGrouped);
}

/** Types without equality in PostgreSQL; any value of the group can be used, because all are the same. */
const INCOMPARABLE: ReadonlySet<string> = new Set("xml point line lseg box path polygon circle".split(" "));

function isComparable(type: SqlType): boolean {
  return type.kind !== "json" && !(type.kind === "opaque" && INCOMPARABLE.has(type.name));
}

function specificationOf(call: Call): FunctionSpecification | undefined {
  return findFunction(call.name[call.name.length - 1]?.name ?? "");
}

function isAggregate(call: Call): boolean {
  if (call.over !== undefined) return false;
  const specification = specificationOf(call);
  if (specification !== undefined) return specification.kind === "aggregate";
  return call.distinct || call.filter !== undefined || call.withinGroup.length > 0 || call.orderBy.length > 0;
}

/** Which names mean what: the relations of one query level, and the levels around it (docs/spec/planner.md#names-and-scopes). */

import { accessDenied, type Denial } from "../access/policy.ts";
import type { PlannerError } from "../diagnostics.ts";
import { countStep } from "../plan-budget.ts";
import type { Call, ColumnReference, Expression, Identifier, Span } from "../syntax/tree.ts";
import type { SqlType } from "../types.ts";
import type { NamedCommonTable } from "./common-tables.ts";
import { ambiguous, columnNotFound, columnNotIn, type NamePlace, relationNotFound } from "./not-found.ts";
import { printableName } from "./printable-name.ts";
import { type Relation, type RelationColumn, relationColumn } from "./relation.ts";

/** A column that USING or NATURAL made out of two; it hides both from unqualified names. */
export interface MergedColumn {
  readonly name: string;
  readonly expression: Expression;
  readonly hides: ReadonlySet<RelationColumn>;
}

/** Relations of one FROM clause, or of one side of a join. */
export interface Namespace {
  readonly relations: readonly Relation[];
  readonly merged: readonly MergedColumn[];
}

export const EMPTY_NAMESPACE: Namespace = { relations: [], merged: [] };

export function joinNamespaces(left: Namespace, right: Namespace): Namespace {
  return { relations: [...left.relations, ...right.relations], merged: [...left.merged, ...right.merged] };
}

/** A common table in scope. `printedName` is set after binding, when physical names are known. */
export interface CommonTableBinding extends NamedCommonTable {
  printedName: string;
  /** Columns of the first arm while a recursive table is bound, then those of the whole. */
  columns: readonly OutputColumn[];
  /** Span of a recursive table's decimal column whose scale grows from row to row. */
  growingDecimal: Span | undefined;
}

/** One column of a query's result. */
export interface OutputColumn {
  /** The name the caller sees (docs/decisions/0003-names-of-columns.md). */
  readonly name: string;
  /** PostgreSQL's name for an expression without alias. */
  readonly implicitName: string | undefined;
  /** Unique among the columns of its query without case, because some targets ignore case. */
  readonly printedName: string;
  readonly type: SqlType;
  readonly notNull: boolean;
  /** Its source expressions: one, or one per branch of a set operation. */
  readonly origins: readonly Expression[];
  /** Why the caller may not name the column: a view selects it, and NULL replaces it. */
  readonly denial?: Denial;
}

/** Names that expansion gives its own tables: a rule's subquery is correlated with them. */
const EXPANSION_ALIAS = /^_(?:b|f|r|s|t\d+)$/;

/** Whether aggregates are allowed where a subquery is, and the aggregates found in it. */
export interface SubqueryPlace {
  readonly clause: { readonly aggregates: boolean };
  readonly findings: { aggregates: boolean };
}

const NO_OTHERS: readonly Expression[] = [];

/** One query level. Levels are linked outwards for correlation. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly commonTables: ReadonlyMap<string, CommonTableBinding>;
  namespace: Namespace = EMPTY_NAMESPACE;
  /** The aggregates of this level, bound, in the order they were met. */
  aggregates: Call[] = [];
  /**
   * The position of the subquery being bound: aggregates over this level's columns inside it belong to this position.
   */
  subqueryAt: SubqueryPlace | undefined;

  constructor(parent: Scope | undefined, commonTables: ReadonlyMap<string, CommonTableBinding>) {
    this.parent = parent;
    this.commonTables = commonTables;
  }

  /** The scope that a derived table sees: the outer levels and the common tables. */
  around(): Scope {
    return this.parent ?? new Scope(undefined, this.commonTables);
  }

  /** The same level under a WITH clause. */
  withCommonTables(commonTables: ReadonlyMap<string, CommonTableBinding>): Scope {
    const scope = new Scope(this.parent, commonTables);
    scope.namespace = this.namespace;
    scope.aggregates = this.aggregates;
    scope.subqueryAt = this.subqueryAt;
    return scope;
  }

  /** A level that sees `namespace` only: one join's sides, while its ON is bound. */
  narrowed(namespace: Namespace): Scope {
    const scope = new Scope(this.parent, this.commonTables);
    scope.namespace = namespace;
    return scope;
  }

  /**
   * An alias that no relation of this level or around it prints. A correlated column printed as `o.x` would be
   * captured by an inner relation that is also called `o`.
   */
  freeAlias(name: string): string {
    const base = printableName(name, "t");
    let candidate = base;
    for (let i = 2; this.#prints(candidate); i++) candidate = `${base}_${i}`;
    return candidate;
  }

  #prints(alias: string): boolean {
    const folded = alias.toLowerCase();
    if (folded.startsWith("_") && EXPANSION_ALIAS.test(folded)) return true;
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      for (const relation of scope.namespace.relations) {
        if (relation.printedAlias.toLowerCase() === folded) return true;
      }
    }
    return false;
  }

  /**
   * Resolves a column reference of one or more parts. `aliases` are output names of this level: they come after its
   * columns and before the outer levels; `place` is for error messages. Throws COLUMN_NOT_FOUND, AMBIGUOUS_COLUMN.
   */
  resolve(
    parts: readonly Identifier[],
    span: Span,
    aliases: ((name: Identifier) => Expression | undefined) | undefined,
    place?: () => NamePlace,
  ): Expression {
    const here = this.resolveHere(parts, span);
    if (here !== undefined) return here;
    const [only] = parts;
    const aliased = parts.length === 1 && only !== undefined ? aliases?.(only) : undefined;
    if (aliased !== undefined) return aliased;
    for (let scope = this.parent; scope !== undefined; scope = scope.parent) {
      const found = scope.resolveHere(parts, span);
      if (found !== undefined) return found;
    }
    // Tables of all levels come before handles: in `EXISTS (SELECT 1 FROM orders WHERE orders.k = customer.k)` a handle
    // `customer` of the inner table must not hide the outer one.
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      const found = scope.throughHandles(parts, span);
      if (found !== undefined) return found;
    }
    throw this.#notFound(parts, span, place);
  }

  /** Resolves at this level only, handles aside; `undefined` for a name it does not know. */
  resolveHere(parts: readonly Identifier[], span: Span): Expression | undefined {
    return parts.length === 1 ? this.#unqualified(parts, span) : this.#qualified(parts, span);
  }

  #unqualified(parts: readonly Identifier[], span: Span): Expression | undefined {
    const [name] = parts;
    if (name === undefined) return undefined;
    return this.#named(name.name, span, true) ?? (name.quoted ? undefined : this.#named(name.name, span, false));
  }

  #named(name: string, span: Span, exactOnly: boolean): Expression | undefined {
    const { merged, relations } = this.namespace;
    // Usually there is one match: avoids a list for every name of a query.
    let found: Expression | undefined;
    let others: readonly Expression[] = NO_OTHERS;
    for (const column of merged) {
      if (!sameName(column.name, name, exactOnly)) continue;
      if (found === undefined) found = column.expression;
      else others = [...others, column.expression];
    }
    for (const relation of relations) {
      const lookup = relation.find(name, exactOnly);
      if (lookup.kind === "several") throw ambiguous(name, span, [relation.name]);
      if (lookup.kind === "none") continue;
      if (merged.some((column) => column.hides.has(lookup.column))) continue;
      const expression = columnExpression(lookup.column, span);
      if (found === undefined) found = expression;
      else others = [...others, expression];
    }
    if (found === undefined) return undefined;
    if (others.length > 0) throw ambiguous(name, span, this.#ownersOf([found, ...others]));
    return use(found, span);
  }

  #ownersOf(expressions: readonly Expression[]): readonly string[] {
    return expressions.flatMap((expression) =>
      expression.kind === "bound" ? [relationColumn(expression).relation.name] : [],
    );
  }

  #qualified(parts: readonly Identifier[], span: Span): Expression | undefined {
    const name = parts[parts.length - 1];
    if (name === undefined) return undefined;
    const qualifier = parts.slice(0, -1);
    const relation = this.#relation(qualifier, span);
    if (relation === undefined) return this.#throughHandlesOf(parts, span);
    if (this.#isOfOuterLevel(qualifier, relation)) return undefined;
    const lookup = relation.find(name.name, name.quoted);
    if (lookup.kind === "found") return use(columnExpression(lookup.column, span), span);
    if (lookup.kind === "several") throw ambiguous(name.name, span, lookup.names);
    throw columnNotIn(name, relation, span);
  }

  /** A table of an outer level with exactly this name comes before a table of this level that differs by case. */
  #isOfOuterLevel([only, ...others]: readonly Identifier[], found: Relation): boolean {
    if (only === undefined || others.length > 0 || found.name === only.name) return false;
    for (let scope = this.parent; scope !== undefined; scope = scope.parent) if (scope.calls(only.name)) return true;
    return false;
  }

  /** Whether a table of this level has exactly this name. */
  calls(name: string): boolean {
    return this.namespace.relations.some((relation) => relation.name === name);
  }

  /** `alias.handle.….column` (docs/spec/planner.md#paths-in-queries). */
  #throughHandlesOf(parts: readonly Identifier[], span: Span): Expression | undefined {
    for (let length = Math.min(3, parts.length - 2); length > 0; length--) {
      const relation = this.#relation(parts.slice(0, length), span);
      const handle = parts[length];
      if (relation === undefined || handle === undefined || !relation.hasHandle(handle)) continue;
      return use(columnExpression(relation.through(parts.slice(length), span), span), span);
    }
    return undefined;
  }

  /** Resolves `handle.….column` if one relation of this level has such a handle. */
  throughHandles(parts: readonly Identifier[], span: Span): Expression | undefined {
    const [handle, ...rest] = parts;
    if (handle === undefined || rest.length === 0) return undefined;
    const owners = this.namespace.relations.filter((relation) => relation.hasHandle(handle));
    const [owner, ...others] = owners;
    if (owner === undefined) return undefined;
    if (others.length === 0) return use(columnExpression(owner.through(parts, span), span), span);
    const names = owners.map((each) => each.name);
    throw ambiguous(handle.name, span, names);
  }

  /** The relation that `qualifier` names at this level. */
  #relation(qualifier: readonly Identifier[], span: Span): Relation | undefined {
    return this.#onlyRelation(qualifier, span, true) ?? this.#onlyRelation(qualifier, span, false);
  }

  #onlyRelation(qualifier: readonly Identifier[], span: Span, exactOnly: boolean): Relation | undefined {
    let only: Relation | undefined;
    for (const relation of this.namespace.relations) {
      if (!matchesQualifier(relation, qualifier, exactOnly)) continue;
      if (only !== undefined) throw ambiguous(qualifier.map((part) => part.name).join("."), span, []);
      only = relation;
    }
    return only;
  }

  /** The relation of this level that a whole row is of: `name`, where no column of any level is called so. */
  relationOfRow({ parts, wholeRow, span }: ColumnReference): Relation | undefined {
    if (parts.length !== 1 && wholeRow !== true) return undefined;
    const relation = this.#relation(parts, span);
    if (relation === undefined || wholeRow === true) return relation;
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      if (scope.resolveHere(parts, span) !== undefined) return undefined;
    }
    return relation;
  }

  /** The relation of `qualifier.*`; searched at this level only, as in the standard. */
  starRelation(qualifier: readonly Identifier[], span: Span): Relation {
    const relation = this.#relation(qualifier, span);
    if (relation !== undefined) return relation;
    throw relationNotFound(qualifier, this.#visibleRelations(), span);
  }

  /** Relations of this level, then of the outer levels. */
  #visibleRelations(): readonly Relation[] {
    const relations: Relation[] = [];
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      relations.push(...scope.namespace.relations);
    }
    return relations;
  }

  #notFound(parts: readonly Identifier[], span: Span, place: (() => NamePlace) | undefined): PlannerError {
    const name = parts[parts.length - 1];
    if (name === undefined) throw new RangeError("a column reference without parts");
    const relations = this.#visibleRelations();
    if (parts.length > 1) return relationNotFound(parts.slice(0, -1), relations, span);
    return columnNotFound(name, relations, span, place?.());
  }
}

function matchesQualifier(relation: Relation, qualifier: readonly Identifier[], exactOnly: boolean): boolean {
  const last = qualifier[qualifier.length - 1];
  if (qualifier.length === 1 && last !== undefined) {
    return sameName(relation.name, last.name, exactOnly || last.quoted);
  }
  const { path } = relation;
  if (qualifier.length > path.length) return false;
  return qualifier.every((part, index) => {
    const own = path[path.length - qualifier.length + index];
    return own !== undefined && sameName(own, part.name, exactOnly || part.quoted);
  });
}

function sameName(own: string, asked: string, exactOnly: boolean): boolean {
  return own === asked || (!exactOnly && own.toLowerCase() === asked.toLowerCase());
}

/** The bound reference to a column, at the caller's span. */
export function columnExpression(column: RelationColumn, span: Span): Expression {
  column.settle?.(span);
  return { kind: "bound", column, type: column.type, span };
}

/** Marks the columns behind `expression` as read, and places it at `span`. */
function use(expression: Expression, span: Span): Expression {
  checkAllowed(expression, span);
  markUsed(expression);
  return expression.span === span ? expression : { ...expression, span };
}

/** A column that a rule withholds from this caller may not be named; what merges two is made of columns that may. */
function checkAllowed(expression: Expression, span: Span): void {
  if (expression.kind !== "bound") return;
  const denial = relationColumn(expression).denial?.();
  if (denial !== undefined) throw accessDenied(denial, { span });
}

/** A merged column marks both of its columns as read. */
export function markUsed(expression: Expression): void {
  countStep();
  if (expression.kind === "bound") relationColumn(expression).used = true;
  else if (expression.kind === "call") for (const argument of expression.arguments) markUsed(argument.value);
}

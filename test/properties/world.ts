/** The generator's knowledge of a semantic model: more than the manifest declares, and independent of the planner. */
import type { Aggregate, Expression, Kind } from "./expression.ts";
import { aggregates, references } from "./expression.ts";
import type { Query } from "./queries.ts";
import type { Table } from "./tables.ts";

export type Shape = "stored" | "own" | "to-one" | "to-many" | "window" | "view";

export interface ColumnRule {
  readonly name: string;
  readonly operator: string;
  readonly threshold: string;
  readonly property: string;
}

export interface Column {
  /** Its name in the oracle's tables. */
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly shape: Shape;
  readonly hidden: boolean;
  /** Over the physical columns, for stored ones. */
  readonly stored: string | undefined;
  readonly expression: Expression | undefined;
  readonly facts: Facts;
  /** Its column in the manifest. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Facts that follow from the columns that a column or expression refers to. */
export interface Facts {
  /** Relations whose rows decide its value, besides its own row. */
  readonly reads: ReadonlySet<Relation>;
  /** Some aggregate cannot do without the primary key of a model that has none. */
  readonly lacksKey: boolean;
  /** A single value is taken over a relationship declared to lead to many. */
  readonly declaredToMany: boolean;
  /** Column rules that withhold it. */
  readonly rules: ReadonlySet<ColumnRule>;
  /** Holds a window function, or is computed from one. */
  readonly window: boolean;
}

export const NO_FACTS: Facts = {
  reads: new Set(),
  lacksKey: false,
  declaredToMany: false,
  rules: new Set(),
  window: false,
};

export interface Relation {
  readonly kind: "model" | "view";
  readonly name: string;
  /** Its name in the oracle's schemas. */
  readonly id: string;
  readonly columns: Column[];
  readonly handles: Handle[];
}

export interface RowRule {
  readonly condition: Expression;
  /** The session lacks an optional property. */
  readonly skipped: boolean;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Model extends Relation {
  readonly kind: "model";
  readonly table: Table;
  readonly source: Readonly<Record<string, unknown>>;
  readonly rowId: Column;
  readonly primaryKey: readonly Column[];
  readonly rules: RowRule[];
}

export function isModel(relation: Relation): relation is Model {
  return relation.kind === "model";
}

export interface View extends Relation {
  readonly kind: "view";
  readonly query: Query;
  readonly statement: string;
}

export type JoinType = "ONE_TO_ONE" | "ONE_TO_MANY" | "MANY_TO_ONE" | "MANY_TO_MANY";

export type ConditionPart = string | { readonly side: 0 | 1; readonly column: Column };

export interface Relationship {
  readonly name: string;
  readonly models: readonly [Model, Model];
  readonly condition: readonly ConditionPart[];
  /** Comparisons of both sides are all equalities. */
  readonly equalities: boolean;
  /** The declared type, which is sometimes wrong. */
  joinType: JoinType;
  /** Measured: a row of this side has one partner at most. */
  single: readonly [boolean, boolean];
}

export interface Handle {
  readonly name: string;
  readonly relationship: Relationship;
  readonly owner: Model;
  readonly target: Model;
}

/** One step over a relationship, from `side` to the other. */
export interface Hop {
  readonly handle: Handle;
  readonly side: 0 | 1;
}

export interface World {
  readonly seed: number;
  readonly tables: readonly Table[];
  readonly models: readonly Model[];
  readonly relationships: readonly Relationship[];
  readonly views: View[];
  /** The user's session: names in lower case, values as SQL. */
  readonly session: Map<string, string>;
}

export function declaredToMany({ handle, side }: Hop): boolean {
  const { joinType } = handle.relationship;
  return joinType === "MANY_TO_MANY" || joinType === (side === 0 ? "ONE_TO_MANY" : "MANY_TO_ONE");
}

export function leadsToOne({ handle, side }: Hop): boolean {
  return handle.relationship.single[side] === true;
}

function isSelf({ relationship }: Handle): boolean {
  return relationship.models[0] === relationship.models[1];
}

/**
 * A model related to itself is walked towards the one side, in aggregates towards the many side
 * (docs/spec/planner.md#paths-to-one-row/5).
 */
function hop(handle: Handle, towards: "one" | "many"): Hop {
  const { relationship, owner } = handle;
  if (!isSelf(handle)) return { handle, side: relationship.models[0] === owner ? 0 : 1 };
  const fromLeft = relationship.joinType !== (towards === "one" ? "ONE_TO_MANY" : "MANY_TO_ONE");
  return { handle, side: fromLeft ? 0 : 1 };
}

export function scalarHop(handle: Handle): Hop {
  return hop(handle, "one");
}

/** The hops of a path inside an aggregate: to the one side only where another step leads to many already. */
export function aggregatedHops(handles: readonly Handle[]): readonly Hop[] {
  const hops = handles.map((handle) => hop(handle, "one"));
  return hops.some(declaredToMany) ? hops : handles.map((handle) => hop(handle, "many"));
}

export function sameHop(a: Hop | undefined, b: Hop | undefined): boolean {
  return a?.handle === b?.handle && a?.side === b?.side;
}

/** The facts of an expression at a model, or in a query. */
export function factsOf(expression: Expression): Facts {
  const reads = new Set<Relation>();
  const rules = new Set<ColumnRule>();
  let [lacksKey, window, toMany] = [false, false, false];
  for (const { hops, column } of references(expression)) {
    for (const { handle } of hops) reads.add(handle.target);
    for (const each of column.facts.reads) reads.add(each);
    for (const rule of column.facts.rules) rules.add(rule);
    lacksKey ||= column.facts.lacksKey;
    window ||= column.facts.window;
    toMany ||= column.facts.declaredToMany;
  }
  const grouped = aggregates(expression);
  const inside = new Set(grouped.flatMap((each) => references(each)));
  for (const reference of references(expression)) {
    if (!inside.has(reference)) toMany ||= reference.hops.some(declaredToMany);
  }
  lacksKey ||= grouped.some(needsMissingKey);
  return { reads, lacksKey, declaredToMany: toMany, rules, window };
}

function needsMissingKey(aggregate: Aggregate): boolean {
  const [first] = aggregate.chain;
  const { relation } = aggregate.root;
  if (!isModel(relation) || relation.primaryKey.length > 0) return false;
  const own = references(aggregate).some(({ hops }) => hops.length === 0);
  return own || first?.handle.relationship.equalities !== true;
}

/**
 * Aggregates over relationship paths: for every row the aggregate over the rows that the path reaches from it. The row is
 * never lost and never multiplied, and every aggregate has the grain of its own path (docs/spec/planner.md#aggregates-over-paths).
 */
import { PlannerError } from "../diagnostics.ts";
import { functionName } from "../functions/calls.ts";
import { findFunction } from "../functions/catalogue.ts";
import type { ModelColumn } from "../manifest/model.ts";
import { type Hop, type Path, resolvePath } from "../manifest/paths.ts";
import { all, binary, call as callOf, inPlaceOf, integer } from "../syntax/build.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { BoundColumn, Call, Expression, Identifier, Span } from "../syntax/tree.ts";
import { conjuncts, someExpression } from "../syntax/walk.ts";
import { BOOLEAN } from "../types.ts";
import type { Columns } from "./columns.ts";
import { conditionOver, sideColumn } from "./condition.ts";
import { bindNames } from "./manifest-expression.ts";
import { AggregateTable, ModelRows } from "./model-rows.ts";

/** The value of an aggregate call in an expression at `rows`. Throws MANIFEST_EXPRESSION, FANOUT, PRIMARY_KEY_REQUIRED. */
export function aggregateOver(call: Call, rows: ModelRows, columns: Columns): Expression {
  const known = pathsIn(call, rows);
  const paths = [...known.values()];
  const chain = chainOf(paths, call);
  const ownColumns = paths.some((path) => path.hops.length === 0);
  const table = tableOver(chain, rows, { ownColumns, span: call.span }, columns);
  const resolve = (parts: readonly Identifier[], span: Span): Expression =>
    insideAt(known.get(written(parts)) ?? aggregatedPath(parts, span, rows), table, columns);
  const clause = { name: "a calculated column", aggregates: true, windows: false };
  const value = table.value(bindNames({ expression: call, resolve, clause }, columns.context));
  // Over no rows these count nothing; the outer join has made it NULL.
  if (findFunction(functionName(call))?.nulls !== "never") return value;
  return callOf("coalesce", [value, integer(0, value)], inPlaceOf(value));
}

/** The paths of a call by how they are written. */
function pathsIn(call: Call, rows: ModelRows): ReadonlyMap<string, Path> {
  const paths = new Map<string, Path>();
  someExpression(call, (each) => {
    if (each.kind === "column") paths.set(written(each.parts), aggregatedPath(each.parts, each.span, rows));
    return false;
  });
  // A model related to itself is walked one way where paths begin alike: `sum(boss.orders.total * boss.share)`.
  const beginnings = beginningsOf(paths.values());
  for (const [key, path] of paths) paths.set(key, alongside(path, beginnings));
  return paths;
}

function aggregatedPath(parts: readonly Identifier[], span: Span, { model }: ModelRows): Path {
  return resolvePath(model, parts, { span, aggregated: true });
}

function written(parts: readonly Identifier[]): string {
  return parts.map(({ name, quoted }) => (quoted ? JSON.stringify(name) : name)).join(".");
}

/** Beginnings of paths, by their handles, while each step leads to one row and a later one to many. */
interface Beginnings {
  readonly next: Map<ModelColumn, Beginnings & { readonly hop: Hop }>;
}

function beginningsOf(paths: Iterable<Path>): Beginnings {
  const root: Beginnings = { next: new Map() };
  for (const { hops } of paths) {
    let at = root;
    for (const hop of hops.slice(0, Math.max(0, hops.findIndex(isToMany)))) {
      const step = at.next.get(hop.handle) ?? { hop, next: new Map() };
      at.next.set(hop.handle, step);
      at = step;
    }
  }
  return root;
}

/** `path` with the rows of another one, as far as they begin alike and where all its steps to many are among those. */
function alongside(path: Path, beginnings: Beginnings): Path {
  const steps = path.hops.findLastIndex(isToMany) + 1;
  const shared: Hop[] = [];
  let at = beginnings;
  for (const { handle } of path.hops.slice(0, steps)) {
    const step = at.next.get(handle);
    if (step === undefined) return path;
    shared.push(step.hop);
    at = step;
  }
  return { ...path, hops: [...shared, ...path.hops.slice(steps)] };
}

function isToMany({ toMany }: Hop): boolean {
  return toMany;
}

/**
 * The hops whose rows are aggregated: from the first one down to the deepest that leads to many. Other hops lead to one
 * row each.
 */
function chainOf(paths: readonly Path[], call: Call): readonly Hop[] {
  const reaching = paths.filter((path) => path.hops.length > 0);
  const [first] = reaching;
  if (first === undefined) {
    throw new PlannerError("MANIFEST_EXPRESSION", "an aggregate in a calculated column needs a relationship path", {
      span: call.span,
      hint: "Aggregate a column behind a relationship, such as sum(orders.price), or aggregate in the query.",
    });
  }
  let chain = first.hops.slice(0, 1);
  for (const path of reaching) {
    const depth = path.hops.findLastIndex((hop) => hop.toMany) + 1;
    if (depth > chain.length && sameHops(path.hops, chain, chain.length)) chain = path.hops.slice(0, depth);
  }
  for (const path of reaching) {
    const shared = path.hops.findIndex((hop, index) => !sameHop(hop, chain[index]));
    const beside = shared < 0 ? path.hops.slice(chain.length) : path.hops.slice(shared);
    const crossing = shared === 0 || beside.some((hop) => hop.toMany);
    if (!crossing) continue;
    const names = [chain, path.hops].map((hops) => hops.map((hop) => hop.handle.name).join("."));
    throw new PlannerError(
      "FANOUT",
      `an aggregate over "${names[0]}" and "${names[1]}" would pair every row of one with every row of the other`,
      {
        span: call.span,
        hint: "Aggregate each path by itself and combine the results.",
      },
    );
  }
  return chain;
}

function sameHop(a: Hop | undefined, b: Hop | undefined): boolean {
  return a?.handle === b?.handle && a?.side === b?.side;
}

function sameHops(a: readonly Hop[], b: readonly Hop[], length: number): boolean {
  return b.slice(0, length).every((hop, index) => sameHop(a[index], hop));
}

/** The table of all aggregates over `chain`; made when it is first needed. */
function tableOver(
  chain: readonly Hop[],
  rows: ModelRows,
  { ownColumns, span }: { readonly ownColumns: boolean; readonly span: Span },
  columns: Columns,
): AggregateTable {
  const [first] = chain;
  if (first === undefined) throw new RangeError("a chain without hops");
  const key = chain.map((hop) => `${hop.handle.name}\n${hop.side}`).join("\n\n");
  const known = rows.aggregates.get(`${ownColumns}\n${key}`);
  if (known !== undefined) return known;
  const table =
    (ownColumns ? undefined : groupedByTarget(first, rows, columns)) ?? groupedByBase(first, rows, columns, span);
  rows.frame.add(table);
  rows.aggregates.set(`${ownColumns}\n${key}`, table);
  let end = table.root;
  for (const hop of chain.slice(table.copiesBase ? 0 : 1)) {
    end = columns.over(hop, end);
    end.join = "inner";
  }
  return table;
}

/**
 * Grouped by the target columns that the first hop's condition compares with the base: no key of the base is needed.
 * `undefined` if the condition is not an equality.
 */
function groupedByTarget(first: Hop, rows: ModelRows, columns: Columns): AggregateTable | undefined {
  const root = ModelRows.root(first.to);
  const table = new AggregateTable(rows, root, { copiesBase: false, rootRules: "here" });
  const bound = conditionOver(
    first,
    { from: (column) => sideColumn(rows, column, columns), to: (column) => sideColumn(root, column, columns) },
    columns,
  );
  const joins: Expression[] = [];
  let keys = 0;
  for (const part of conjuncts(bound)) {
    const inside = standsOn(part, root);
    const outside = standsOn(part, rows);
    if (inside && !outside) {
      table.where.push(part);
      continue;
    }
    if (!inside) {
      joins.push(part);
      continue;
    }
    if (part.kind !== "binary" || part.operator !== "=") return undefined;
    const [own, other] = standsOn(part.left, root) ? [part.left, part.right] : [part.right, part.left];
    if (standsOn(own, rows) || standsOn(other, root)) return undefined;
    joins.push(binary(table.key(own), "=", other, { span: NOWHERE, type: BOOLEAN }));
    keys++;
  }
  if (keys === 0) return undefined;
  table.on = all(joins, { span: NOWHERE });
  return table;
}

/** Grouped by the primary key of a copy of the base: for own columns inside the aggregate, and conditions of any kind. */
function groupedByBase(first: Hop, rows: ModelRows, columns: Columns, span: Span): AggregateTable {
  const { model } = rows;
  if (model.primaryKey.length === 0) {
    throw new PlannerError(
      "PRIMARY_KEY_REQUIRED",
      `Primary key not found for model ${model.name}. To aggregate over "${first.handle.name}" together with its own columns, or over a condition that is no equality, the primary key is required for the base model.`,
      { span, hint: `Declare primaryKey on model "${model.name}".` },
    );
  }
  const root = ModelRows.root(model);
  // The copy is joined by key to rows that the rules have left; while a rule of the model is bound, to all of them.
  const rootRules = columns.context.ruled === model ? "elsewhere" : "here";
  const table = new AggregateTable(rows, root, { copiesBase: true, rootRules });
  const joins = model.primaryKey.map((name) => {
    const column = model.keyColumn("primaryKey", name);
    return binary(table.key(columns.at(column, root)), "=", columns.at(column, rows), {
      span: NOWHERE,
      type: BOOLEAN,
    });
  });
  table.on = all(joins, { span: NOWHERE });
  return table;
}

/** Whether any part of a bound expression belongs to the frame of `rows`. */
function standsOn(expression: Expression, rows: ModelRows): boolean {
  return someExpression(expression, (each) => each.kind === "bound" && frameOf(each) === rows.frame);
}

function frameOf({ column }: BoundColumn): unknown {
  const { relation } = column;
  if (relation instanceof ModelRows) return relation.frame;
  return relation instanceof AggregateTable ? relation.owner.frame : undefined;
}

/** A path of the aggregate's argument, at the rows inside the table. */
function insideAt(path: Path, table: AggregateTable, columns: Columns): Expression {
  if (path.hops.length === 0) return columns.path(path, table.root, NOWHERE);
  let end = table.root;
  for (const hop of path.hops.slice(table.copiesBase ? 0 : 1)) end = columns.over(hop, end);
  return columns.at(path.column, end);
}

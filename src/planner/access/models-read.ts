/**
 * Which models' rows a condition or a query of the manifest reads, by whatever name it calls them. It finds too many rather
 * than too few: whoever asks looks for what would go on without end.
 */
import { findCommonTable, type NamedCommonTable } from "../binding/common-tables.ts";
import { PlannerError } from "../diagnostics.ts";
import { cumulativeQuery } from "../legacy/cumulative-metrics.ts";
import { metricColumns, metricQuery } from "../legacy/metrics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { calculatedColumnOf, dependenciesOf } from "../manifest/calculated.ts";
import type { Cube } from "../manifest/cube.ts";
import { type Manifest, Model, type ModelColumn } from "../manifest/manifest.ts";
import { resolvePath } from "../manifest/paths.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Call, Expression, Identifier, Query } from "../syntax/tree.ts";
import {
  type ChildMapper,
  expressionsOnly,
  forEachChild,
  mapExpression,
  type SyntaxNode,
  someExpression,
} from "../syntax/walk.ts";

/** Depends on the manifest alone. */
const BY_CONDITION = new WeakMap<Model, Map<Expression, ReadonlySet<Model>>>();
const BEHIND = new WeakMap<Manifest, Map<string, ReadonlySet<Model>>>();

/** The models whose rows a condition over `model` reads besides the model's own. Names that mean nothing are left alone. */
export function modelsReadBy(condition: Expression, model: Model): ReadonlySet<Model> {
  const known = BY_CONDITION.get(model) ?? new Map<Expression, ReadonlySet<Model>>();
  BY_CONDITION.set(model, known);
  let read = known.get(condition);
  if (read === undefined) {
    read = findModels(condition, model);
    known.set(condition, read);
  }
  return read;
}

/** The models whose rows the view or metric of this name reads. Throws what is wrong with their texts. */
function modelsBehind(name: string, manifest: Manifest): ReadonlySet<Model> {
  const known = BEHIND.get(manifest) ?? new Map<string, ReadonlySet<Model>>();
  BEHIND.set(manifest, known);
  let read = known.get(name);
  if (read === undefined) {
    const found = new Set<Model>();
    addNamedQuery(name, manifest, found, new Set());
    read = found;
    known.set(name, read);
  }
  return read;
}

/** The models that `model` itself is made of. */
export function builtOn(model: Model): readonly Model[] {
  if (model.base !== undefined) return [model.base];
  return model.baseQuery === undefined ? [] : [...modelsBehind(model.baseQuery, model.manifest)];
}

/** Throws MANIFEST_CYCLE where a model comes to need itself; `problem` says of what kind the circle is. */
export function refuseCircles(
  model: Model,
  needed: (model: Model) => readonly Model[],
  problem: (model: Model) => string,
): void {
  const checked = new Set<Model>();
  const trail: Model[] = [];
  const visit = (each: Model): void => {
    if (trail.includes(each)) {
      const circle = [...trail.slice(trail.indexOf(each)), each].map(({ name }) => name).join(" → ");
      throw new PlannerError("MANIFEST_CYCLE", `${problem(each)}: ${circle}`);
    }
    if (checked.has(each)) return;
    if (trail.length > DEFAULT_LIMITS.depth) {
      throw new PlannerError("LIMIT_DEPTH", `models need each other over ${trail.length} steps`);
    }
    trail.push(each);
    for (const other of needed(each)) visit(other);
    trail.pop();
    checked.add(each);
  };
  visit(model);
}

function findModels(condition: Expression, model: Model): ReadonlySet<Model> {
  const read = new Set<Model>();
  const visit = (each: Expression): Expression => {
    if (each.kind === "column") addPath(each.parts, model, read);
    return mapExpression(each, mapper);
  };
  const mapper: ChildMapper = {
    ...expressionsOnly(visit),
    query: (query) => addQuery(query, model.manifest, read, new Set(), model),
  };
  visit(condition);
  return read;
}

function addPath(parts: readonly Identifier[], model: Model, read: Set<Model>): void {
  const place = { span: parts[0]?.span ?? { start: 0, end: 0 }, aggregated: false };
  try {
    const path = resolvePath(model, parts, place);
    for (const hop of path.hops) read.add(hop.to);
    addColumn(path.model, path.column, read);
  } catch (error) {
    // Binding says what is wrong with it, if anything is: it may be a column of a subquery.
    if (!(error instanceof PlannerError)) throw error;
  }
}

function addColumn(model: Model, column: ModelColumn, read: Set<Model>): void {
  for (const [each, owner] of dependenciesOf(model, column)) {
    if (each.kind !== "calculated") continue;
    const { paths, window } = calculatedColumnOf(owner, each);
    // Windows are over the rows that the rules leave.
    if (window) read.add(owner);
    for (const path of paths) for (const hop of path.hops) read.add(hop.to);
  }
}

/**
 * Any table of the manifest that the query names, and what its columns and the paths over its relationships need. A name
 * may be that of any table in it, whatever the levels, but for one that begins with the name of `outer`, the rule's own
 * model, while no table is called so.
 */
function addQuery(query: Query, manifest: Manifest, read: Set<Model>, seen: Set<string>, outer?: Model): Query {
  const models = new Set<Model>();
  const cubes = new Set<Cube>();
  const names: (readonly Identifier[])[] = [];
  const aliases = new Set<string>();
  eachOfQuery(query, (each, commonTables) => {
    if (each.kind === "column") names.push(each.parts);
    const alias = "alias" in each ? aliasOf(each) : undefined;
    if (alias !== undefined) aliases.add(alias.toLowerCase());
    if (each.kind === "function") addRolledUp(each.call, manifest, read, seen);
    if (each.kind !== "table" || findCommonTable(each.name, commonTables, manifest) !== undefined) return;
    const name = each.name.at(-1)?.name ?? "";
    const [only] = manifest.has(name) ? [name] : manifest.namesLike(name);
    if (only === undefined) return;
    const model = manifest.model(only);
    const cube = manifest.cube(only);
    if (model !== undefined) models.add(model);
    if (cube !== undefined) cubes.add(cube);
    addNamedQuery(only, manifest, read, seen);
  });
  const isOuter = ([first, ...rest]: readonly Identifier[]): boolean =>
    first?.name === outer?.name && rest.length > 0 && !aliases.has(first?.name.toLowerCase() ?? "");
  const inner = names.filter((parts) => !isOuter(parts));
  if (outer !== undefined) for (const parts of names) if (isOuter(parts)) addPath(parts, outer, read);
  const words = new Set(inner.flat().map(({ name }) => name.toLowerCase()));
  for (const cube of cubes) addCube(cube, words, read, seen);
  for (const model of models) {
    read.add(model);
    // Without what qualifies it, which may be any number of parts.
    for (const parts of inner) for (const from of parts.keys()) addPath(parts.slice(from), model, read);
  }
  return query;
}

/** A view or metric stands for a query, which is looked into once. */
function addNamedQuery(name: string, manifest: Manifest, read: Set<Model>, seen: Set<string>): void {
  if (seen.has(name)) return;
  const query = queryBehind(name, manifest);
  if (query === undefined) return;
  seen.add(name);
  addQuery(query, manifest, read, seen);
}

function queryBehind(name: string, manifest: Manifest): Query | undefined {
  const metric = manifest.metric(name);
  if (metric !== undefined) return metricQuery(metric, new Set(metricColumns(metric)));
  const cumulative = manifest.cumulativeMetric(name);
  return cumulative === undefined ? manifest.view(name)?.query() : cumulativeQuery(cumulative, manifest.dateSpine);
}

/** `roll_up(metric, …)` reads what the metric does. */
function addRolledUp({ arguments: [first] }: Call, manifest: Manifest, read: Set<Model>, seen: Set<string>): void {
  if (first?.value.kind === "column") addNamedQuery(first.value.parts.at(-1)?.name ?? "", manifest, read, seen);
}

function aliasOf(table: Extract<SyntaxNode, { readonly alias: unknown }>): string | undefined {
  if (table.kind === "item") return undefined;
  return table.alias?.name.name ?? (table.kind === "table" ? table.name.at(-1)?.name : undefined);
}

type CommonTables = ReadonlyMap<string, NamedCommonTable>;

/**
 * Visits everything in a query with the common tables in scope there. A recursive table does not see itself here: in its
 * first SELECT the name still means what it means outside.
 */
function eachOfQuery(query: Query, visit: (node: SyntaxNode, commonTables: CommonTables) => void): void {
  const see = (node: SyntaxNode, outer: CommonTables): void => {
    visit(node, outer);
    const tables = (node.kind === "query" && node.with?.tables) || [];
    let inner = outer;
    for (const { name, query } of tables) {
      see(query, inner);
      inner = new Map([...inner, [name.name, name]]);
    }
    const rest = tables.length === 0 ? node : { ...node, with: undefined };
    forEachChild(rest, (child) => see(child, inner));
  };
  see(query, new Map());
}

/** What a cube is computed over, and what those of its members need whose names are used. */
function addCube(cube: Cube, names: ReadonlySet<string>, read: Set<Model>, seen: Set<string>): void {
  const base = cube.base();
  if (!(base instanceof Model)) {
    addNamedQuery(base.name, cube.manifest, read, seen);
    return;
  }
  read.add(base);
  for (const member of cube.members) {
    if (!names.has(member.name.toLowerCase())) continue;
    someExpression(cube.expressionOf(member, NOWHERE).expression, (each) => {
      if (each.kind === "column") addPath(each.parts, base, read);
      return false;
    });
  }
}

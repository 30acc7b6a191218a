/**
 * The models whose rows a condition or a query of the manifest reads, under any name. It finds too many rather than too
 * few, because callers use it to detect endless recursion.
 */
import { findCommonTable, type NamedCommonTable } from "../binding/common-tables.ts";
import { PlannerError } from "../diagnostics.ts";
import { cumulativeQuery } from "../legacy/cumulative-metrics.ts";
import { isRollUp, metricColumns, metricQuery } from "../legacy/metrics.ts";
import { calculatedColumnOf, dependenciesOf } from "../manifest/calculated.ts";
import type { Cube } from "../manifest/cube.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { Model, type ModelColumn } from "../manifest/model.ts";
import { findColumn, resolvePath } from "../manifest/paths.ts";
import { exactName } from "../syntax/build.ts";
import { type ChildMapper, expressionsOnly, mapExpression } from "../syntax/rewrite.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression, Identifier, Query, QueryBody, SelectItem } from "../syntax/tree.ts";
import { forEachChild, type SyntaxNode, someExpression } from "../syntax/walk.ts";

/** Direct reads of a text: models, and the views and metrics that read more. */
interface Reads {
  readonly models: Set<Model>;
  readonly queries: Set<string>;
}

const nothing = (): Reads => ({ models: new Set(), queries: new Set() });

/** Depends on the manifest alone. */
const BY_CONDITION = new WeakMap<Model, Map<Expression, ReadonlySet<Model>>>();
const BY_NAME = new WeakMap<Manifest, Map<string, Reads>>();

/** The models whose rows a condition over `model` reads in addition to its own. Unknown names are ignored. */
export function modelsReadBy(condition: Expression, model: Model, manifest: Manifest): ReadonlySet<Model> {
  const known = BY_CONDITION.get(model) ?? new Map<Expression, ReadonlySet<Model>>();
  BY_CONDITION.set(model, known);
  let read = known.get(condition);
  if (read === undefined) {
    read = allOf(ofCondition(condition, model, manifest), manifest);
    known.set(condition, read);
  }
  return read;
}

/** The models whose rows the view or metric of this name reads. Throws errors in their texts. */
export function modelsBehind(name: string, manifest: Manifest): ReadonlySet<Model> {
  return allOf({ models: new Set(), queries: new Set([name]) }, manifest);
}

function allOf({ models, queries }: Reads, manifest: Manifest): ReadonlySet<Model> {
  const all = new Set(models);
  // Grows while it is gone through.
  for (const name of queries) {
    const read = ofName(name, manifest);
    for (const model of read.models) all.add(model);
    for (const query of read.queries) queries.add(query);
  }
  return all;
}

function ofName(name: string, manifest: Manifest): Reads {
  const known = BY_NAME.get(manifest) ?? new Map<string, Reads>();
  BY_NAME.set(manifest, known);
  let reads = known.get(name);
  if (reads === undefined) {
    reads = nothing();
    addNamed(name, manifest, reads);
    known.set(name, reads);
  }
  return reads;
}

function addNamed(name: string, manifest: Manifest, reads: Reads): void {
  const metric = manifest.metric(name);
  const cumulative = manifest.cumulativeMetric(name);
  if (metric !== undefined) {
    addQuery(metricQuery(metric, new Set(metricColumns(metric))), manifest, reads);
    const base = manifest.model(metric.baseObject);
    if (base === undefined) return;
    for (const { refColumn } of metric.timeGrains) addPath([exactName(refColumn, NOWHERE)], base, reads);
  } else if (cumulative !== undefined) {
    addQuery(cumulativeQuery(cumulative, manifest.dateSpine), manifest, reads);
  } else {
    const view = manifest.view(name);
    if (view !== undefined) addQuery(view.query(), manifest, reads);
  }
}

function ofCondition(condition: Expression, model: Model, manifest: Manifest): Reads {
  const reads = nothing();
  let exists: Query | undefined;
  const visit = (each: Expression): Expression => {
    if (each.kind === "column") addPath(each.parts, model, reads);
    if (each.kind === "exists") exists = each.query;
    return mapExpression(each, mapper);
  };
  const mapper: ChildMapper = {
    ...expressionsOnly(visit),
    query: (query) => {
      addQuery(query, manifest, reads, { outer: model, selects: query === exists ? "rows" : "columns" });
      return query;
    },
  };
  visit(condition);
  return reads;
}

function addPath(parts: readonly Identifier[], model: Model, { models }: Reads): void {
  const [first] = parts;
  // Most names are those of other models: that is found out without an error, which costs more.
  if (first === undefined || (first.name !== model.name && findColumn(model, first) === undefined)) return;
  try {
    const path = resolvePath(model, parts, { span: NOWHERE, aggregated: false });
    for (const hop of path.hops) models.add(hop.to);
    addColumn(path.model, path.column, models);
  } catch (error) {
    // Binding reports the error, if there is one: the name may be a column of a subquery.
    if (!(error instanceof PlannerError)) throw error;
  }
}

function addColumn(model: Model, column: ModelColumn, models: Set<Model>): void {
  for (const [each, owner] of dependenciesOf(model, column)) {
    if (each.kind !== "calculated") continue;
    const { paths, window } = calculatedColumnOf(owner, each);
    // Windows are over the rows that the rules leave.
    if (window) models.add(owner);
    for (const path of paths) for (const hop of path.hops) models.add(hop.to);
  }
}

/** Position of a query: in a rule of `outer`, and whether more than its rows is read. */
interface Place {
  readonly outer?: Model;
  readonly selects: "rows" | "columns";
}

const CLOSED: Place = { selects: "columns" };

/**
 * Any table of the manifest that the query names, and what its columns and the paths over its relationships need. A name
 * may be that of any table in it, whatever the levels, but for one that begins with the name of `outer`, the rule's own
 * model, while no table is called so.
 */
function addQuery(query: Query, manifest: Manifest, reads: Reads, { outer, selects }: Place = CLOSED): void {
  const { names, aliases, models, cubes, wholeTables } = mentionsIn(query, manifest, reads, selects);
  const isOuter = ([first, ...rest]: readonly Identifier[]): boolean =>
    first?.name === outer?.name && rest.length > 0 && !aliases.has(first?.name ?? "");
  const inner: (readonly Identifier[])[] = [];
  for (const parts of names) {
    if (outer !== undefined && isOuter(parts)) addPath(parts, outer, reads);
    else inner.push(parts);
  }
  const words = new Set(inner.flat().map(({ name }) => name.toLowerCase()));
  for (const cube of cubes) addCube(cube, wholeTables ? undefined : words, reads);
  for (const model of models) {
    reads.models.add(model);
    const whole = wholeTables ? model.columnNames() : [];
    for (const name of whole) addPath([exactName(name, NOWHERE)], model, reads);
    // Without what qualifies it, which may be any number of parts.
    for (const parts of inner) for (const from of parts.keys()) addPath(parts.slice(from), model, reads);
  }
}

interface Mentions {
  /** Each as it is spelled, once. */
  readonly names: Iterable<readonly Identifier[]>;
  readonly aliases: ReadonlySet<string>;
  readonly models: ReadonlySet<Model>;
  readonly cubes: ReadonlySet<Cube>;
  /** A star or a natural join needs columns that nothing names. */
  readonly wholeTables: boolean;
}

/** Views and metrics are added to `reads`. */
function mentionsIn(query: Query, manifest: Manifest, reads: Reads, selects: Place["selects"]): Mentions {
  const models = new Set<Model>();
  const cubes = new Set<Cube>();
  const names = new Map<string, readonly Identifier[]>();
  const aliases = new Set<string>();
  let wholeTables = false;
  /** EXISTS reads only rows, and its query is visited next. */
  let selectedForNothing: QueryBody | undefined = selects === "rows" ? query.body : undefined;
  const addTable = (name: string): void => {
    const [only] = manifest.has(name) ? [name] : manifest.namesLike(name);
    if (only === undefined) return;
    const model = manifest.model(only);
    const cube = manifest.cube(only);
    if (model !== undefined) models.add(model);
    else if (cube !== undefined) cubes.add(cube);
    else reads.queries.add(only);
  };
  eachOfQuery(query, (each, commonTables) => {
    if (each.kind === "exists") selectedForNothing = each.query.body;
    if (each.kind === "select" && each !== selectedForNothing) wholeTables ||= each.items.some(isStar);
    if (each.kind === "join") wholeTables ||= each.natural;
    if (each.kind === "column") names.set(spelling(each.parts), each.parts);
    const alias = "alias" in each ? aliasOf(each) : undefined;
    if (alias !== undefined) aliases.add(alias);
    if (each.kind === "table" && findCommonTable(each.name, commonTables, manifest) === undefined) {
      addTable(each.name.at(-1)?.name ?? "");
    }
    const [first] = each.kind === "function" && isRollUp(each.call) ? each.call.arguments : [];
    if (first?.value.kind === "column") addTable(first.value.parts.at(-1)?.name ?? "");
  });
  return { names: names.values(), aliases, models, cubes, wholeTables };
}

const isStar = ({ kind }: SelectItem): boolean => kind === "star";

function spelling(parts: readonly Identifier[]): string {
  return parts.map(({ name, quoted }) => (quoted ? `"${name}` : name)).join("\n");
}

function aliasOf(table: Extract<SyntaxNode, { readonly alias: unknown }>): string | undefined {
  if (table.kind === "item") return undefined;
  return table.alias?.name.name ?? (table.kind === "table" ? table.name.at(-1)?.name : undefined);
}

type CommonTables = ReadonlyMap<string, NamedCommonTable>;

/**
 * Visits every node of a query with the common tables in scope at that node. A recursive table is not in its own scope:
 * in its first SELECT the name has its outer meaning.
 */
function eachOfQuery(query: Query, visit: (node: SyntaxNode, commonTables: CommonTables) => void): void {
  const see = (node: SyntaxNode, outer: CommonTables): void => {
    visit(node, outer);
    const tables = (node.kind === "query" && node.with?.tables) || [];
    // Each table sees those before it, for it is visited before the next one is added.
    const inner = tables.length === 0 ? outer : new Map(outer);
    for (const { name, query: common } of tables) {
      see(common, inner);
      (inner as Map<string, NamedCommonTable>).set(name.name, name);
    }
    const rest = tables.length === 0 ? node : { ...node, with: undefined };
    forEachChild(rest, (child) => see(child, inner));
  };
  see(query, new Map());
}

/** Adds the cube's base, and the reads of the named members; of all members without `names`. */
function addCube(cube: Cube, names: ReadonlySet<string> | undefined, reads: Reads): void {
  const base = cube.base();
  if (!(base instanceof Model)) {
    reads.queries.add(base.name);
    return;
  }
  reads.models.add(base);
  for (const member of cube.members) {
    if (names?.has(member.name.toLowerCase()) === false) continue;
    someExpression(cube.expressionOf(member, NOWHERE).expression, (each) => {
      if (each.kind === "column") addPath(each.parts, base, reads);
      return false;
    });
  }
}

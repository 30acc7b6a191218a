/** Binds FROM: models, common tables, derived tables, functions and joins become relations of a namespace. */
import { PlannerError } from "../diagnostics.ts";
import type { Cube } from "../manifest/cube.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Model } from "../manifest/model.ts";
import { View } from "../manifest/view.ts";
import { nearestNames } from "../suggest.ts";
import { exactName, queryOf, selectOf, star } from "../syntax/build.ts";
import { sizeOf } from "../syntax/size.ts";
import { withoutSpans } from "../syntax/spans.ts";
import type {
  DerivedTable,
  Identifier,
  Join,
  NamedTable,
  Query,
  Span,
  TableAlias,
  TableExpression,
  TableFunction,
} from "../syntax/tree.ts";
import type { Binder, BoundQuery } from "./binding.ts";
import { findCommonTable } from "./common-tables.ts";
import { CubeRelation } from "./cube-relation.ts";
import { type BoundTable, checkDistinctNames, countJoin, joined } from "./joins.ts";
import { bindMetric, cumulativeQueryOf, rollUpOf } from "./metric-tables.ts";
import { listed, nearHint } from "./not-found.ts";
import { startsWithSelect, uniqueName } from "./output.ts";
import { UniqueNames } from "./printable-name.ts";
import { ListedRelation, type ModelOffer, ModelRelation, type Relation } from "./relation.ts";
import {
  type CommonTableBinding,
  EMPTY_NAMESPACE,
  joinNamespaces,
  type Namespace,
  type OutputColumn,
  Scope,
} from "./scope.ts";
import { bindTableFunction } from "./table-functions.ts";

/** Binds the items of a FROM clause and leaves their namespace in `scope`. */
export function bindFrom(items: readonly TableExpression[], scope: Scope, binder: Binder): readonly TableExpression[] {
  scope.namespace = EMPTY_NAMESPACE;
  return items.map((item, index) => {
    if (index > 0) countJoin(item.span, binder);
    const bound = bindTable(item, scope, binder);
    scope.namespace = joinNamespaces(scope.namespace, bound.namespace);
    checkDistinctNames(scope.namespace.relations, item.span);
    return bound.table;
  });
}

/** `scope.namespace` holds what LATERAL may see: the items to the left. */
function bindTable(table: TableExpression, scope: Scope, binder: Binder): BoundTable {
  switch (table.kind) {
    case "table":
      return bindNamedTable(table, scope, binder);
    case "derived":
      return bindDerived(table, scope, binder);
    case "function":
      return bindFunction(table, scope, binder);
    case "join":
      return bindJoin(table, scope, binder);
    case "aliased-join":
      return bindDerived(selectAll(table.join, table.alias, table.span), scope, binder);
    case "opaque-table":
      return { table, namespace: EMPTY_NAMESPACE };
    case "bound-model":
    case "bound-common":
    case "ruled":
    case "physical-table":
      throw new TypeError(`a ${table.kind} is bound already`);
    default:
      return table satisfies never;
  }
}

function of(relation: Relation): Namespace {
  return { relations: [relation], merged: [] };
}

// --------------------------------------------------------------------------------------------------- named tables

function bindNamedTable(table: NamedTable, scope: Scope, binder: Binder): BoundTable {
  if (table.alias !== undefined && table.alias.columns.length > 0) {
    // Column names of an alias rename by position: a select list between makes the positions real.
    const inner: NamedTable = { ...table, alias: undefined };
    return bindDerived(selectAll(inner, table.alias, table.span), scope, binder);
  }
  const { manifest } = binder.context;
  const common = findCommonTable(table.name, scope.commonTables, manifest);
  if (common !== undefined) return bindCommonTableUse(table, common, scope);
  const name = manifestName(table.name, table.span, binder, scope);
  const view = manifest.view(name);
  if (view !== undefined) return bindView(table, view, scope, binder);
  const cube = manifest.cube(name);
  if (cube !== undefined) return bindCube(table, cube, scope, binder);
  const metric = manifest.metric(name);
  if (metric !== undefined) {
    const bound = bindMetric(table, metric, pathOf(table, name, manifest), scope, binder);
    return { table: bound.table, namespace: of(bound.relation) };
  }
  const cumulative = cumulativeQueryOf(name, manifest);
  if (cumulative !== undefined) return bindStored(cumulative, name, table, scope, binder);
  const model = manifest.model(name);
  if (model === undefined) throw modelNotFound(table.name, table.span, binder, scope);
  return bindModel(table, model, binder.context.offer, scope, binder);
}

function bindModel(table: NamedTable, model: Model, offer: ModelOffer, scope: Scope, { context }: Binder): BoundTable {
  const alias = table.alias?.name.name ?? model.name;
  const relation = new ModelRelation(model, alias, pathOf(table, model.name, context.manifest), offer);
  relation.printedAlias = scope.freeAlias(alias);
  context.models.set(relation, context.place ?? table.span);
  return { table: { kind: "bound-model", relation, alias: table.alias, span: table.span }, namespace: of(relation) };
}

/** FROM contains the cube's base; the surrounding SELECT decides what is computed (`cube-select.ts`). */
function bindCube(table: NamedTable, cube: Cube, scope: Scope, binder: Binder): BoundTable {
  const { context } = binder;
  const name = table.alias?.name.name ?? cube.name;
  const source = cube.base();
  const use: NamedTable = { ...table, alias: { name: exactName(source.name, table.span), columns: [] } };
  const base =
    source instanceof View
      ? context.inView(cube.name, table.span, () => bindView(use, source, scope, binder))
      : bindModel(use, source, context.memberOffer, scope, binder);
  const [relation] = base.namespace.relations;
  if (relation === undefined) throw new TypeError(`"${source.name}" is no relation`);
  const path = pathOf(table, cube.name, context.manifest);
  return {
    table: base.table,
    namespace: of(new CubeRelation(cube, name, path, { relation, table: base.table, binder })),
  };
}

/** Longer spellings of an object without alias. */
function pathOf(table: Pick<NamedTable, "alias">, name: string, manifest: Manifest): readonly string[] {
  return table.alias === undefined ? [manifest.catalog, manifest.schema, name] : [];
}

/** A view is a closed unit: its names mean models and views, whatever surrounds it (docs/spec/planner.md#views). */
function bindView(table: NamedTable, view: View, scope: Scope, binder: Binder): BoundTable {
  const parsed = view.query();
  const bind = (query: Query): BoundTable => bindStored(query, view.name, table, scope, binder);
  return binder.context.bindText(
    () => bind(withoutSpans(parsed)),
    () => placed(view, table.span, () => bind(parsed)),
    (error) => error,
  );
}

/** A query of the manifest, which sees no names of the surrounding query. */
function bindStored(
  query: Query,
  storedName: string,
  table: Pick<NamedTable, "alias" | "span">,
  scope: Scope,
  { context, bindTableQuery }: Binder,
): BoundTable {
  context.budget.spend(sizeOf(query));
  const bound = context.inView(storedName, table.span, () => bindTableQuery(query, new Scope(undefined, new Map())));
  const name = table.alias?.name.name ?? storedName;
  const relation = new ListedRelation(name, pathOf(table, storedName, context.manifest));
  relation.printedAlias = scope.freeAlias(name);
  addColumns(relation, context.told(bound.columns));
  const alias: TableAlias = {
    name: exactName(relation.printedAlias, table.span),
    columns: startsWithSelect(bound.query.body)
      ? []
      : bound.columns.map((column) => exactName(column.printedName, table.span)),
  };
  const { span } = table;
  return { table: { kind: "derived", query: bound.query, lateral: false, alias, span }, namespace: of(relation) };
}

/** Runs `work` for a view; an error gets its position in the view's text. */
function placed<T>(view: View, use: Span, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PlannerError ? view.fault(error, use) : error;
  }
}

function bindCommonTableUse(table: NamedTable, common: CommonTableBinding, scope: Scope): BoundTable {
  const relation = new ListedRelation(table.alias?.name.name ?? common.name, []);
  relation.printedAlias = scope.freeAlias(relation.name);
  addColumns(relation, common.columns);
  const alias: TableAlias = { name: exactName(relation.printedAlias, table.span), columns: [] };
  return { table: { kind: "bound-common", table: common, alias, span: table.span }, namespace: of(relation) };
}

/** `name`, `schema.name` or `catalog.schema.name` of a model, view or cube; catalog and schema are the manifest's. */
function manifestName(name: readonly Identifier[], span: Span, binder: Binder, scope: Scope): string {
  const { manifest } = binder.context;
  const last = name[name.length - 1];
  if (last === undefined || name.length > 3) throw modelNotFound(name, span, binder, scope);
  const qualifiers = name.slice(0, -1).reverse();
  const owners = [manifest.schema, manifest.catalog];
  for (const [index, part] of qualifiers.entries()) {
    const owner = owners[index] ?? "";
    const fits = part.name === owner || (!part.quoted && part.name.toLowerCase() === owner.toLowerCase());
    if (!fits) throw modelNotFound(name, span, binder, scope);
  }
  if (manifest.has(last.name)) return last.name;
  const [like, ...others] = last.quoted ? [] : manifest.namesLike(last.name);
  if (like === undefined || others.length > 0) throw modelNotFound(name, span, binder, scope);
  return like;
}

function modelNotFound(name: readonly Identifier[], span: Span, binder: Binder, scope: Scope): PlannerError {
  const shown = name
    .map((part) => part.name)
    .join(".")
    .slice(0, 200);
  const known = [...scope.commonTables.keys(), ...binder.context.manifest.relationNames()];
  const suggestions = nearestNames(name[name.length - 1]?.name ?? "", known);
  const mistake =
    nearHint(suggestions) ?? "Only models of the manifest can be queried; physical tables are out of reach.";
  const hint = known.length > 0 ? `${mistake} Tables: ${listed(known)}.` : mistake;
  return new PlannerError("MODEL_NOT_FOUND", `model "${shown}" not found`, { span, suggestions, hint });
}

// -------------------------------------------------------------------------------------------------- derived tables

function bindDerived(table: DerivedTable, scope: Scope, binder: Binder): BoundTable {
  if (table.lateral) binder.context.hasSubqueries = true;
  const bound = table.lateral ? binder.bindTableQuery(table.query, scope) : bindAlone(table.query, scope, binder);
  const name = table.alias?.name.name ?? "";
  const relation = new ListedRelation(name, []);
  relation.printedAlias = scope.freeAlias(table.alias === undefined ? "derived" : name);
  const columns = aliasColumns(bound.columns, table.alias, name, table.span);
  addColumns(relation, columns);
  const listNames = (table.alias?.columns.length ?? 0) > 0 || !startsWithSelect(bound.query.body);
  const alias: TableAlias = {
    name: exactName(relation.printedAlias, table.span),
    columns: listNames ? columns.map((column) => exactName(column.printedName, table.span)) : [],
  };
  return { table: { ...table, query: bound.query, alias }, namespace: of(relation) };
}

/** A derived table sees no items to its left; the error for such a name says so. */
function bindAlone(query: Query, scope: Scope, binder: Binder): BoundQuery {
  const { context } = binder;
  try {
    return binder.bindTableQuery(query, scope.around());
  } catch (error) {
    const mayBeThere = scope.namespace.relations.length > 0 && !context.soughtToTheLeft;
    if (!(error instanceof PlannerError) || error.reason !== "COLUMN_NOT_FOUND" || !mayBeThere) throw error;
    // Once: tables inside of tables would each try all that is inside of them.
    context.soughtToTheLeft = true;
    const span = error.span ?? query.span;
    if (!bindsTo(query, scope, binder)) throw error;
    throw new PlannerError("COLUMN_NOT_FOUND", error.message, {
      span,
      hint: "A derived table sees the tables to its left after LATERAL: FROM a, LATERAL (SELECT … WHERE x = a.id) AS b.",
    });
  }
}

function bindsTo(query: Query, scope: Scope, { context, bindTableQuery }: Binder): boolean {
  try {
    context.discarding(() => bindTableQuery(query, scope));
    return true;
  } catch (error) {
    if (error instanceof PlannerError) return false;
    throw error;
  }
}

function aliasColumns(
  columns: readonly OutputColumn[],
  alias: TableAlias | undefined,
  name: string,
  span: Span,
): readonly OutputColumn[] {
  const names = alias?.columns ?? [];
  if (names.length === 0) return columns;
  if (names.length > columns.length) {
    throw new PlannerError(
      "INVALID_QUERY",
      `"${name}" has ${columns.length} columns, but ${names.length} names are given`,
      {
        span: names[columns.length]?.span ?? span,
      },
    );
  }
  const taken = new UniqueNames();
  return columns.map((column, index) => {
    const given = names[index]?.name;
    if (given === undefined) return { ...column, printedName: uniqueName(column.printedName, index, taken) };
    return { ...column, name: given, implicitName: undefined, printedName: uniqueName(given, index, taken) };
  });
}

function addColumns(relation: ListedRelation, columns: readonly OutputColumn[]): void {
  for (const column of columns) relation.add(column);
}

/** `SELECT * FROM table` under an alias. */
function selectAll(table: TableExpression, alias: TableAlias, span: Span): DerivedTable {
  const all = queryOf(selectOf({ items: [star({ span })], from: [table] }, { span }));
  return { kind: "derived", query: all, lateral: false, alias, span };
}

// ------------------------------------------------------------------------------------------------------- functions

function bindRollUp(
  { metric, query }: NonNullable<ReturnType<typeof rollUpOf>>,
  table: TableFunction,
  scope: Scope,
  binder: Binder,
): BoundTable {
  const { alias, span } = table;
  if (alias === undefined || alias.columns.length === 0) return bindStored(query, metric, table, scope, binder);
  return bindDerived(selectAll({ ...table, alias: undefined }, alias, span), scope, binder);
}

function bindFunction(table: TableFunction, scope: Scope, binder: Binder): BoundTable {
  const rollUp = rollUpOf(table.call, binder.context.manifest);
  if (rollUp !== undefined) return bindRollUp(rollUp, table, scope, binder);
  const bound = bindTableFunction(table, scope, binder);
  return { table: bound.table, namespace: of(bound.relation) };
}

// ----------------------------------------------------------------------------------------------------------- joins

function bindJoin(join: Join, scope: Scope, binder: Binder): BoundTable {
  countJoin(join.span, binder);
  const left = bindTable(join.left, scope, binder);
  const lateral = scope.narrowed(joinNamespaces(scope.namespace, left.namespace));
  const right = bindTable(join.right, lateral, binder);
  return joined(join, { left, right }, scope, binder);
}

/**
 * Metrics of old manifests in FROM (docs/spec/planner.md#metrics). How a metric is grouped depends on which of its columns
 * the whole query names, so its query is made when that is known; until then only the types of its columns are.
 */

import { accessDenied } from "../access/policy.ts";
import { PlannerError } from "../diagnostics.ts";
import { cumulativeQuery } from "../legacy/cumulative-metrics.ts";
import { isRollUp, type MetricData, metricColumns, metricQuery, rollUpQuery } from "../legacy/metrics.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { exactName } from "../syntax/build.ts";
import { sizeOf } from "../syntax/size.ts";
import type { BoundModel, Call, Identifier, NamedTable, Query, Span, TableAlias } from "../syntax/tree.ts";
import type { Binder, BoundQuery } from "./binding.ts";
import type { BindingContext } from "./context.ts";
import { ListedRelation } from "./relation.ts";
import { restrictedColumn } from "./restricted-columns.ts";
import { type OutputColumn, Scope } from "./scope.ts";

/** A metric as a relation; its table is a placeholder until the query is bound. */
export function bindMetric(
  table: NamedTable,
  metric: MetricData,
  path: readonly string[],
  scope: Scope,
  binder: Binder,
): { readonly table: BoundModel; readonly relation: ListedRelation } {
  const { context } = binder;
  const name = table.alias?.name.name ?? metric.name;
  const relation = new ListedRelation(name, path, true);
  relation.printedAlias = scope.freeAlias(name);
  const bind = (query: Query): BoundQuery => {
    context.budget.spend(sizeOf(query));
    return context.inView(metric.name, table.span, () => binder.bindQuery(query, new Scope(undefined, new Map())));
  };
  const columnsOf = (names: readonly string[]): readonly OutputColumn[] | PlannerError =>
    context.unlessDenied(() => context.discarding(() => bind(metricQuery(metric, new Set(names))).columns));
  const columns = context.ofMetric(metric.name, () => offered(metricColumns(metric), columnsOf));
  for (const column of context.told(columns)) relation.add(column);
  if (isOfMetric(context)) useDimensions(metric, relation, table.span);
  const { ruled } = context;
  context.deferred.set(relation, () => {
    const used = relation.columns().filter((column) => column.used);
    const bindUsed = (): BoundQuery => bind(metricQuery(metric, new Set(used.map((column) => column.name))));
    const { query, columns } = ruled === undefined ? bindUsed() : context.asRule(ruled, bindUsed);
    for (const column of used) {
      const printed = columns.find((each) => each.name === column.name);
      if (printed !== undefined) column.printedName = printed.printedName;
    }
    const alias: TableAlias = { name: exactName(relation.printedAlias, table.span), columns: [] };
    return { kind: "derived", query, lateral: false, alias, span: table.span };
  });
  return { table: { kind: "bound-model", relation, alias: table.alias, span: table.span }, relation };
}

/** Whether the query of a metric is being bound. */
function isOfMetric({ manifest, innermostView }: BindingContext): boolean {
  if (innermostView === undefined) return false;
  return manifest.metric(innermostView) !== undefined || manifest.cumulativeMetric(innermostView) !== undefined;
}

/** A metric under another one has its own rows, whatever that one names of it (docs/spec/planner.md#models-on-other-sources). */
function useDimensions(metric: MetricData, relation: ListedRelation, span: Span): void {
  for (const { name } of metric.dimensions) {
    const found = relation.find(name, true);
    if (found.kind !== "found") continue;
    const denial = found.column.denial?.();
    if (denial !== undefined) throw accessDenied(denial, { span });
    found.column.used = true;
  }
}

/**
 * The columns of a metric; those that its caller may not name are refused when something names them
 * (docs/decisions/0016-rules-read-what-callers-may-not.md).
 */
function offered(
  names: readonly string[],
  columnsOf: (names: readonly string[]) => readonly OutputColumn[] | PlannerError,
): readonly OutputColumn[] {
  const all = columnsOf(names);
  if (!(all instanceof PlannerError)) return all;
  return names.flatMap((name) => {
    const [column] = [columnsOf([name])].flat();
    return column instanceof PlannerError ? restrictedColumn(name, column) : (column ?? []);
  });
}

/** The query of a cumulative metric. */
export function cumulativeQueryOf(name: string, manifest: Manifest): Query | undefined {
  const metric = manifest.cumulativeMetric(name);
  if (metric === undefined) return undefined;
  const { refColumn } = metric.window;
  const kind = manifest.model(metric.baseObject)?.column(refColumn)?.type.kind;
  if (kind !== undefined && kind !== "date" && kind !== "timestamp" && kind !== "opaque") {
    throw new PlannerError(
      "MANIFEST_SCHEMA",
      "CumulativeMetric measure cannot be window as it is not date/timestamp type",
      {
        hint: `Column "${refColumn}" of "${metric.baseObject}" is ${kind}.`,
      },
    );
  }
  return cumulativeQuery(metric, manifest.dateSpine);
}

/** The query of `roll_up(metric, grain, unit)` in FROM; `undefined` for other functions. */
export function rollUpOf(
  call: Call,
  manifest: Manifest,
): { readonly metric: string; readonly query: Query } | undefined {
  if (!isRollUp(call)) return undefined;
  const names = call.arguments.map(({ value }): Identifier | undefined =>
    value.kind === "column" && value.parts.length === 1 ? value.parts[0] : undefined,
  );
  const [metricName, grain, unit] = names;
  if (names.length !== 3 || metricName === undefined || grain === undefined || unit === undefined) {
    throw new PlannerError("INVALID_QUERY", "roll_up takes a metric, a time grain and a unit", {
      span: call.span,
      hint: 'Write roll_up("Metric", time_grain, YEAR).',
    });
  }
  const metric = manifest.metric(metricName.name);
  if (metric === undefined) {
    throw new PlannerError("MODEL_NOT_FOUND", `metric "${metricName.name}" not found`, { span: metricName.span });
  }
  return { metric: metric.name, query: rollUpQuery(metric, grain, unit) };
}

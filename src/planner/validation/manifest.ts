/**
 * Reports every error in a manifest at once. Queries report only errors that they depend on. This check tries each
 * object as a query would use it, so that valid objects are exactly the usable ones.
 *
 * The result depends on no session: a property that a rule requires is absent, which is no error of the manifest.
 */
import type { CallableFunctions } from "../binding/context.ts";
import { PlannerError, type PlannerWarning } from "../diagnostics.ts";
import { targetOf } from "../dialects/targets.ts";
import { checkMacro } from "../legacy/macros.ts";
import type { PlannerLimits } from "../limits.ts";
import type { Entry } from "../manifest/entry.ts";
import { Manifest } from "../manifest/manifest.ts";
import type { DataSource } from "../plan.ts";
import { checkAccessRules, withoutRules } from "./access-rules.ts";
import { checkModel, checkRelationship } from "./models.ts";
import { checkCube, checkCumulativeMetric, checkMetric, checkView } from "./named-queries.ts";
import { type ManifestProblem, Problems } from "./problems.ts";
import { ruledTableWarnings } from "./ruled-tables.ts";
import { Trials } from "./trial.ts";

export interface ManifestCheckRequest extends CallableFunctions {
  readonly manifest: Manifest;
  /** The source of native SQL, for which everything is planned. */
  readonly source: DataSource;
  readonly limits: PlannerLimits;
}

export interface ManifestReport {
  /**
   * Objects before what may depend on them, else in the order of the manifest. At most a hundred, and one more when not
   * everything was checked.
   */
  readonly problems: readonly ManifestProblem[];
  /** Number of further problems. */
  readonly more: number;
  readonly warnings: readonly PlannerWarning[];
}

/** @throws PlannerError NOT_IMPLEMENTED for a source that nothing can be planned for yet */
export function checkManifest({ manifest, source, ...options }: ManifestCheckRequest): ManifestReport {
  const settings = { target: targetOf(source), ...options };
  const { limits } = options;
  const problems = new Problems(mostNames(manifest));
  checkRemarks(manifest.readBy(settings.target.typeNames), problems);
  checkEntries(manifest, problems);
  const open = new Trials(new Manifest(withoutRules(manifest)), problems, settings);
  const { data } = open.manifest;
  for (const macro of valid(data.macros)) problems.attempt(`macro "${macro.name}"`, () => checkMacro(macro));
  for (const { name } of data.models) checkModel(name, open);
  for (const relationship of valid(data.relationships)) checkRelationship(relationship, open);
  checkAccessRules(new Trials(manifest, problems, settings));
  for (const view of valid(data.views)) checkView(view, open);
  for (const { name } of data.metrics) checkMetric(name, open);
  for (const metric of valid(data.cumulativeMetrics)) checkCumulativeMetric(metric, open);
  for (const { name } of data.cubes) checkCube(name, open);
  const warnings = ruledTableWarnings(manifest, source, limits, problems);
  return { ...problems.report(), warnings };
}

function valid<T>(entries: readonly Entry<T>[]): readonly T[] {
  return entries.flatMap(({ dataIfValid }) => dataIfValid ?? []);
}

/** Near names of one that is not known are looked for among those of a model, or of everything in FROM. */
function mostNames({ data }: Manifest): number {
  let most = data.models.length + data.views.length + data.cubes.length;
  for (const { dataIfValid: model } of data.models) most = Math.max(most, model?.columns.length ?? 0);
  return most;
}

/** Members that the format does not have, and misspelt types: a query only warns of most of them. */
function checkRemarks(manifest: Manifest, problems: Problems): void {
  const remarks = problems.attempt("manifest", () => manifest.remarkErrors()) ?? [];
  for (const { object, error } of remarks) problems.note(object, error);
}

/** Objects that cannot be read, and names that are given twice. */
function checkEntries(manifest: Manifest, problems: Problems): void {
  const { data } = manifest;
  const shared: readonly Kind[] = [
    ["model", data.models],
    ["view", data.views],
    ["metric", data.metrics],
    ["cumulative metric", data.cumulativeMetrics],
    ["cube", data.cubes],
  ];
  const separate: readonly Kind[] = [
    ["relationship", data.relationships],
    ["macro", data.macros],
    ["enum", data.enums],
  ];
  for (const [kind, entries] of [...shared, ...separate]) {
    for (const { name, problem } of entries) {
      if (problem !== undefined) problems.unreadable(`${kind} "${name}"`, problem);
    }
  }
  for (const name of repeated(shared.flatMap(([, entries]) => entries))) {
    problems.attempt(`"${name}"`, () => manifest.model(name));
  }
  // Queries take the last of these, which may not be the one that is meant.
  for (const [kind, entries] of separate) {
    for (const name of repeated(entries)) {
      const message = `the manifest names ${kind} "${name}" more than once`;
      problems.note(`${kind} "${name}"`, new PlannerError("MANIFEST_DUPLICATE", message));
    }
  }
}

type Kind = readonly [kind: string, entries: readonly Entry<unknown>[]];

function repeated(entries: readonly Entry<unknown>[]): readonly string[] {
  return [...Map.groupBy(entries, ({ name }) => name)].flatMap(([name, { length }]) => (length > 1 ? [name] : []));
}

/** The only door to the planner: text, manifest and session in; a Plan or one typed error out. Pure and synchronous. */
import { unreadProperties } from "./access/given-properties.ts";
import { type AnalyseRequest, analyse } from "./analyse/analyse.ts";
import { AnalysisBudget } from "./analyse/budget.ts";
import type { QueryAnalysis } from "./analyse/records.ts";
import type { BindingContext, CallableFunctions } from "./binding/context.ts";
import { kindOfColumn, withoutUnreadable } from "./binding/left-out.ts";
import { lineageOf } from "./binding/lineage.ts";
import { bindWholeQuery } from "./binding/query.ts";
import type { OutputColumn } from "./binding/scope.ts";
import { sessionZone } from "./binding/zoned-values.ts";
import { checkQuery } from "./checks/checks.ts";
import { cubeQuery, Places } from "./cubes/cube-query.ts";
import { withParameterValues } from "./cubes/parameter-values.ts";
import { type Catalogue, type CatalogueRequest, catalogueOf } from "./describe/catalogue.ts";
import { PlannerError, type PlannerWarning, plannersOwn, unsupported } from "./diagnostics.ts";
import { targetOf, variantsOf } from "./dialects/targets.ts";
import { planningContext } from "./expand/context.ts";
import { descriptionsOf } from "./expand/descriptions.ts";
import { joinsMayFilter } from "./expand/join-filters.ts";
import { readsOf } from "./expand/reads.ts";
import { SentMayFail } from "./expand/ruled-tables.ts";
import { ruledTables, scansOf } from "./expand/scans.ts";
import { expandModels } from "./expand/statement.ts";
import { DEFAULT_LIMITS, type PlannerLimits } from "./limits.ts";
import { lowerQuery } from "./lowering/lower.ts";
import type { Target } from "./lowering/target.ts";
import type { TextOrderMode } from "./lowering/texts/text-order.ts";
import type { RelationshipData } from "./manifest/data.ts";
import { type Manifest, openManifest, openManifestText } from "./manifest/manifest.ts";
import type { ModelColumn } from "./manifest/model.ts";
import type { DataSource, Plan, VariantRange } from "./plan.ts";
import { costSoFar, withinBudget } from "./plan-budget.ts";
import { limitRows, loweredLimit } from "./row-limit.ts";
import { type SubstituteRequest, type Substitution, substitute } from "./substitute/substitute.ts";
import { mayDependOnTime } from "./syntax/native-time.ts";
import { Parameters } from "./syntax/parameters.ts";
import { parseQuery, parseTypeName } from "./syntax/parser.ts";
import { print, type SourceText } from "./syntax/printer.ts";
import type { Query, Span, TableExpression } from "./syntax/tree.ts";
import { withTypedNulls } from "./untyped-nulls.ts";
import { checkManifest, type ManifestCheckRequest, type ManifestReport } from "./validation/manifest.ts";
import type { ManifestProblem } from "./validation/problems.ts";
import { type RelationshipCheck, type RelationshipCheckRequest, relationshipCheck } from "./validation/relationship.ts";
import { checkRowCondition, type RowConditionRequest, type RuleProperty } from "./validation/row-condition.ts";

export { propertyToPass } from "./access/properties.ts";
export { GRANULARITIES, OPERATORS } from "./cubes/structured-query.ts";
export { manifestSchema } from "./manifest/json-schema.ts";
export { nearestNames } from "./suggest.ts";
export type {
  AnalyseRequest,
  Catalogue,
  CatalogueRequest,
  Manifest,
  ManifestCheckRequest,
  ManifestProblem,
  ManifestReport,
  QueryAnalysis,
  RelationshipCheck,
  RelationshipCheckRequest,
  RelationshipData,
  RowConditionRequest,
  RuleProperty,
  SubstituteRequest,
  Substitution,
};
export { AnalysisBudget };

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: PlannerError };

export interface PlanRequest extends PlanSettings {
  readonly sql: string;
}

export interface CubeRequest extends PlanSettings {
  /** A structured query (docs/spec/planner.md#cubes), as JSON has it. */
  readonly cube: unknown;
}

interface PlanSettings {
  readonly manifest: Manifest;
  /** `undefined` prints the input language (docs/decisions/0012-planning-without-a-source.md). */
  readonly source: DataSource | undefined;
  /** Servers that the plan may be made for, of those that a refusal named (`liftedBy`); for all of the source's when absent. */
  readonly variant?: VariantRange | undefined;
  /** Session properties, names in lower case, values as SQL literal text (docs/spec/planner.md#session-properties). */
  readonly session: ReadonlyMap<string, string>;
  /** The source's own row policies read settings of the session: functions that are not known might change these. */
  readonly underPolicies?: boolean;
  /** Values for `$1` … in the SQL, as JSON has them; in a structured query for `{"parameter": 1}`. */
  readonly parameters?: readonly unknown[] | undefined;
  /**
   * The manifest is the operator's: its caller does not learn of columns that a rule keeps from it, of properties that rules read,
   * or of remarks on the manifest.
   */
  readonly conceals?: boolean | undefined;
  /** The properties in the request's body, with its spelling: a warning names each that no rule reads. */
  readonly givenProperties?: readonly string[] | undefined;
  /** Row cap pushed into the SQL as a tree edit (docs/decisions/0009-no-silent-caps.md). */
  readonly limit?: number;
  /** The most rows that an answer may have: a literal LIMIT above it is lowered, with a warning. */
  readonly mostRows?: number;
  /** The session's zone of the caller's SQL (docs/decisions/0011-time-zones.md); `UTC` when absent. */
  readonly timeZone?: string;
  /** Columns of `*` over a model (docs/decisions/0041-stars-of-v2.md); default `every column`. */
  readonly stars?: "every column" | "plain columns";
  /** How to treat comparisons whose order depends on the source's collation; ignored if absent. */
  readonly textOrder?: TextOrderMode;
  /** Receives the statement after each step (`siskin plan --steps`). */
  readonly watch?: (step: PlanStep) => void;
  /** The server is known to be none on which the source's fence is proven, and the operator accepts that (`ROW_RULES`). */
  readonly unprovenFence?: boolean | undefined;
  readonly options: PlanOptions;
}

/** A statement after one step of the planner; `tables`: the expanded table of each model in it. */
export interface PlanStep {
  readonly step: "parsed" | "bound" | "expanded" | "lowered";
  readonly query: Query;
  readonly tables?: ReadonlyMap<object, TableExpression>;
}

export interface PlanOptions extends CallableFunctions {
  readonly limits: PlannerLimits;
  readonly accessControl: "standard" | "strict";
  /** Sources on which barriers around row rules are accepted without a proof (`ROW_RULES`). */
  readonly bestEffort?: ReadonlySet<DataSource>;
}

/** Decodes `manifestStr`: base64 (URL-safe and unpadded accepted) of UTF-8 JSON, at most `maxBytes` decoded. */
export function loadManifest(base64: string, maxBytes: number): Outcome<Manifest> {
  return attempt(() => openManifest(base64, maxBytes));
}

/** Reads the JSON text of a manifest, at most `maxBytes` of UTF-8. */
export function readManifestText(text: string, maxBytes: number): Outcome<Manifest> {
  return attempt(() => openManifestText(text, maxBytes));
}

/** Plans one query. Every failure is an error value; nothing is thrown but faults of the planner itself. */
export function plan(request: PlanRequest): Outcome<Plan> {
  const { sql } = request;
  return forVariants(request, (settings) => planQuery(() => parsedWith(request, sql), settings, sql), sql);
}

/**
 * Plans a structured query over a cube. Errors and warnings name a path in the request, because there is no SQL text to
 * refer to.
 */
export function planCube(request: CubeRequest): Outcome<Plan> {
  const places = new Places();
  const outcome = forVariants(request, (settings) =>
    planQuery((context) => cubeQuery(cubeWith(request), context, places), settings),
  );
  if (!outcome.ok) return { ok: false, error: places.placed(outcome.error) };
  const warnings = outcome.value.warnings.map((warning) => places.unplaced(warning));
  return { ok: true, value: { ...outcome.value, warnings, origins: [] } };
}

type WithParameters = Pick<PlanSettings, "parameters"> & { readonly options: Pick<PlanOptions, "limits"> };

function parametersOf({ parameters, options: { limits } }: WithParameters): Parameters {
  return new Parameters(parameters ?? [], limits, (text) => parseTypeName(text, limits));
}

function parsedWith(request: WithParameters, sql: string): Query {
  const parameters = parametersOf(request);
  const query = parseQuery(sql, { limits: request.options.limits, parameters });
  parameters.refuseUnused();
  return query;
}

function cubeWith(request: CubeRequest): unknown {
  const parameters = parametersOf(request);
  const cube = withParameterValues(request.cube, parameters);
  parameters.refuseUnused();
  return cube;
}

/**
 * Warnings about unknown members of a manifest and probably misspelt types, for requests without a plan; plans include
 * these warnings. An unknown member that looks like an access rule is an error. `source`: the source whose type names
 * the manifest uses, if known.
 */
export function manifestRemarks(
  manifest: Manifest,
  source: DataSource | undefined,
): Outcome<readonly PlannerWarning[]> {
  return attempt(() => {
    manifest.refuseUnknownRules();
    return manifest.readBy(targetOf(source).typeNames).remarks;
  });
}

/** The objects of a manifest that a caller may see. */
export function describeManifest(request: CatalogueRequest): Outcome<Catalogue> {
  return attempt(() => withinBudget(DEFAULT_LIMITS, () => catalogueOf(request)));
}

/** SQL over physical tables → SQL over models, as a text edit. Errors as values, as those of `plan`. */
export function substituteTables(request: SubstituteRequest): Outcome<Substitution> {
  return attempt(() => substitute(request));
}

/** One record per SELECT of a statement (docs/spec/contract.md#analysis-of-sql). Errors as values, as those of `plan`. */
export function analyseStatement(request: AnalyseRequest): Outcome<readonly QueryAnalysis[]> {
  return attempt(() => analyse(request));
}

/** The query that checks a relationship's declaration against the data. Errors are values, as for `plan`. */
export function checkOfRelationship(request: RelationshipCheckRequest): Outcome<RelationshipCheck> {
  return attempt(() => relationshipCheck(request));
}

/** All that is wrong with a manifest. Errors as values: for a source that nothing can be planned for. */
export function checkOfManifest(request: ManifestCheckRequest): Outcome<ManifestReport> {
  return attempt(() => checkManifest(request));
}

/** Checks whether a text can be the condition of a row rule. Errors are values, with spans in the condition. */
export function checkOfRowCondition(request: RowConditionRequest): Outcome<undefined> {
  return attempt(() => {
    withinBudget(request.limits, () => checkRowCondition(request));
    return undefined;
  });
}

/** The span of the caller's SQL for the text at `offset` of `plan.sql`; `undefined` for text of the manifest. */
export function originOf({ origins }: Pick<Plan, "origins">, offset: number): Span | undefined {
  let low = 0;
  let high = origins.length / 3 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((origins[middle * 3] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const [at, start, end] = origins.slice(low * 3, low * 3 + 3);
  if (at === undefined || start === undefined || end === undefined || at > offset || end <= start) return undefined;
  return { start, end };
}

/**
 * A refusal names the variants that the query can be planned for: those with the feature that the source lacks, or those that
 * bind operands once if the plan for all servers is too large. Each is tried, since a query may need several features of which a
 * variant has one; only rejected queries cost that. So is UTC, where the caller's time zone is another.
 */
function forVariants(request: PlanSettings, make: (settings: PlanSettings) => Plan, sql?: string): Outcome<Plan> {
  const planFor = (settings: PlanSettings): Plan => withinBudget(request.options.limits, () => make(settings));
  const outcome = attempt(() => planFor(request), sql);
  if (outcome.ok) return outcome;
  const { source } = request;
  const { reason } = outcome.error;
  if (reason !== "UNSUPPORTED_ON_SOURCE" && reason !== "LIMIT_SIZE") return outcome;
  const error = outcome.error.onSource(targetOf(source).product);
  const variants = (request.variant === undefined ? variantsOf(source) : []).filter(
    (variant) => reason !== "LIMIT_SIZE" || targetOf(source, variant).rewrites.bindsOperands !== undefined,
  );
  const { watch: _, ...unwatched } = request;
  const liftedBy = variants.filter((variant) => attempt(() => planFor({ ...unwatched, variant })).ok);
  if (liftedBy.length > 0) return { ok: false, error: error.liftedOn(liftedBy) };
  const zone = sessionZone(request.timeZone ?? "UTC");
  const isOfZone =
    reason === "UNSUPPORTED_ON_SOURCE" &&
    zone !== "UTC" &&
    attempt(() => planFor({ ...unwatched, timeZone: "UTC" })).ok;
  return { ok: false, error: isOfZone ? error.inZone(zone) : error };
}

/** `sql` is what was parsed; a structured query has no text, and no joins of its caller's to warn of. */
function planQuery(queryIn: (context: BindingContext) => Query, request: PlanSettings, sql?: string): Plan {
  try {
    return planOnce(queryIn, request, { sql, doubted: false });
  } catch (error) {
    const { source, options } = request;
    if (!(error instanceof SentMayFail) || source === undefined || options.bestEffort?.has(source) !== true)
      throw error;
    return planOnce(queryIn, request, { sql, doubted: true });
  }
}

interface Attempt {
  readonly sql: string | undefined;
  readonly doubted: boolean;
}

function planOnce(queryIn: (context: BindingContext) => Query, request: PlanSettings, { sql, doubted }: Attempt): Plan {
  const { options } = request;
  const target = targetOf(request.source, request.variant);
  request.manifest.refuseUnknownRules();
  const conceals = request.conceals === true;
  const unread = conceals ? [] : unreadProperties(request.manifest, request.session, request.givenProperties ?? []);
  const context = planningContext(
    request.manifest.readBy(target.typeNames),
    {
      ...options,
      unlisted: target.unlisted,
      timeZone: sessionZone(request.timeZone ?? "UTC"),
      stars: request.stars ?? "every column",
      conceals,
    },
    { session: request.session, accessControl: options.accessControl },
  );
  try {
    return planIn(context, queryIn, request, { sql, doubted, target, unread });
  } catch (error) {
    const isQuoted =
      conceals && error instanceof PlannerError && !(error instanceof SentMayFail) && context.isOfManifest(error);
    throw isQuoted ? error.ofManifest() : error;
  }
}

interface Prepared extends Attempt {
  readonly target: Target;
  readonly unread: readonly PlannerWarning[];
}

function planIn(
  context: BindingContext,
  queryIn: (context: BindingContext) => Query,
  request: PlanSettings,
  { sql, doubted, target, unread }: Prepared,
): Plan {
  const { options } = request;
  const conceals = request.conceals === true;
  const parsed = queryIn(context);
  request.watch?.({ step: "parsed", query: parsed });
  const whole = withTypedNulls(bindWholeQuery(parsed, context), context);
  const bound = sql === undefined ? whole : withoutUnreadable(whole, target.notAsColumns, sql, context);
  if (sql !== undefined) checkQuery(bound.query, sql, context);
  refuseColumns(bound.columns, target.notAsColumns);
  const applied = request.mostRows === undefined ? undefined : loweredLimit(bound.query, request.mostRows);
  if (applied !== undefined) context.warnings.push(applied.warning);
  const capped = applied?.query ?? bound.query;
  const limited = request.limit === undefined ? capped : limitRows(capped, request.limit);
  request.watch?.({ step: "bound", query: limited });
  const bestEffort = request.source !== undefined && options.bestEffort?.has(request.source) === true;
  const expanded = expandModels(limited, context, target, {
    bestEffort,
    doubted,
    unproven: bestEffort && request.unprovenFence === true,
  });
  request.watch?.({ step: "expanded", ...expanded });
  const lowered = lowerQuery(expanded, context, target, request.textOrder);
  request.watch?.({ step: "lowered", query: lowered });
  refuseUnknownCalls(context, request.underPolicies === true);
  if (context.models.size === 0 && context.deferred.size === 0) request.manifest.refuseUnreadable();
  const origins: number[] = [];
  const sourceTexts: SourceText[] = [];
  const shows = (column: ModelColumn): boolean => context.access.shows(column);
  const planned = print(lowered, target.print, { origins, sourceTexts, limits: options.limits });
  return {
    dialect: target.name,
    sql: planned,
    columns: bound.columns.map((column) => ({ name: column.name, type: column.type, nullable: !column.notNull })),
    session: [...target.session, ...(target.sessionOf?.(lowered) ?? [])],
    reads: () => readsOf(expanded.reads, context.access, target),
    scans: () => (target.infersTypes ? scansOf(lowered, ruledTables(expanded.reads, context)) : new Map()),
    joinsMayFilter: () => target.infersTypes && joinsMayFilter(lowered),
    lineage: () => bound.columns.map((column) => ({ column: column.name, sources: lineageOf(column, shows) })),
    descriptions: () => descriptionsOf(context, readsOf(expanded.reads, context.access, target)),
    warnings: [...unread, ...(conceals ? [] : context.manifest.remarks), ...context.warnings],
    restricted: context.access.restricts,
    rules: context.access.applied,
    rowRules: expanded.rowRules,
    ruleProperties: () => {
      // Which declared columns a statement is given depends on rules that are evaluated with its reads.
      readsOf(expanded.reads, context.access, target);
      return context.access.properties;
    },
    volatile: context.dependsOnTime || sourceTexts.some((text) => mayDependOnTime(planned.slice(text.start, text.end))),
    origins,
    sourceTexts,
    cost: costSoFar(),
    // Last: V8 adds the members behind a spread one by one.
    ...(target.variant && { variant: target.variant }),
  };
}

/** Rejects columns such as `SELECT (1, 2)`, whose elements could not be separated in the result. */
function refuseColumns(columns: readonly OutputColumn[], refused: readonly string[]): void {
  for (const column of columns) {
    const kind = kindOfColumn(column);
    if (!refused.includes(kind)) continue;
    const name = kind === "struct" ? "row" : kind;
    const span = column.origins[0]?.span;
    const what = `${name.startsWith("a") ? "an" : "a"} ${name} as a column`;
    throw unsupported(what, span, "Select its elements as columns of their own.");
  }
}

/**
 * An unknown function may read restricted data: `query_to_xml('select …')` runs SQL (docs/decisions/0019-functions.md). It may read
 * models outside this plan, so rules of the whole manifest count (docs/decisions/0019-functions.md#decision).
 */
function refuseUnknownCalls({ access, manifest, unknownCalls }: BindingContext, underPolicies: boolean): void {
  const [first] = unknownCalls;
  if (first === undefined || !(underPolicies || access.restrictsAnything(manifest))) return;
  throw new PlannerError("FUNCTION_NOT_ALLOWED", `function ${first.name} is not known, and access rules are active`, {
    span: first.span,
    hint: "Only functions that are known to read nothing else may be called then.",
  });
}

function attempt<T>(run: () => T, sql?: string): Outcome<T> {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    return { ok: false, error: plannersOwn(error, sql === undefined ? undefined : { start: 0, end: sql.length }) };
  }
}

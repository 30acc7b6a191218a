/** Plans the caller's text: reads the manifest, calls the planner, and applies `x-strict`. */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type { Manifest, Outcome, PlanRequest } from "../planner/index.ts";
import type { DataSource, Plan, VariantRange } from "../planner/plan.ts";
import type { Span } from "../planner/syntax/tree.ts";
import { type FailureMetadata, positionOf, ServiceError, withHint } from "./failure.ts";
import type { Operation } from "./operations.ts";
import type { CallContext, Services } from "./services.ts";
import { type FailureContext, type PlannedStatement, toServiceError } from "./translate.ts";
import { unknownNames } from "./unknown-names.ts";

/** The query: SQL, or a structured query over a cube as a JSON value, which positions cannot refer to. */
export type Question =
  | { readonly sql: string; readonly cube?: undefined; readonly parameters?: Parameters }
  | { readonly sql?: undefined; readonly cube: unknown; readonly parameters?: Parameters };

/** Values for `$1` … in the SQL, as JSON has them. */
type Parameters = readonly unknown[] | undefined;

type PlanningOverRequest = PlanningSettings & Question;

export type PlanningRequest = PlanningOverRequest & { readonly manifestStr: string };

interface PlanningSettings {
  readonly operation: Operation;
  /** `undefined` plans into the input language (docs/decisions/0012-planning-without-a-source.md). */
  readonly source: DataSource | undefined;
  /** Servers of the source to plan for; all of them when absent. */
  readonly variant?: VariantRange | undefined;
  /** The connection's server has refused the statement's fences as unproven, and the operator accepts that. */
  readonly unprovenFence?: boolean | undefined;
  /** Row limit to add to the SQL. */
  readonly limit?: number | undefined;
  /** Maximum number of rows in an answer. */
  readonly mostRows?: number | undefined;
  /** Warnings from earlier steps, to which `strict` applies too. */
  readonly warnings?: readonly PlannerWarning[];
  /** Columns in `columnDtypes`; one that the plan lacks is a warning. */
  readonly shownColumns?: readonly string[] | undefined;
  /** The connection passes session properties on to the source (`passed-properties.ts`). */
  readonly underPolicies?: boolean;
  /** The service wrote the SQL, so positions in it mean nothing to the caller. */
  readonly ownSql?: boolean;
  /** The text of the caller that the SQL was made from; positions refer to it. */
  readonly madeFrom?: SourceText;
}

export interface SourceText {
  readonly sql: string;
  /** The origin of a span of the SQL. */
  spanOf(span: Span): Span | undefined;
}

export interface Planning extends PlannedStatement {
  /** In the order in which they occurred. */
  readonly warnings: readonly PlannerWarning[];
}

/** Throws `ServiceError`. */
export function planStatement(services: Services, context: CallContext, request: PlanningRequest): Planning {
  context.phases.begin("plan");
  try {
    const loaded = services.manifests.get(request.manifestStr);
    if (!loaded.ok) throw toServiceError(loaded.error, { operation: request.operation, ...placeIn(request) });
    return planOver(services, context, loaded.value, request);
  } finally {
    context.phases.end("plan");
  }
}

/** `planStatement` over a manifest that was already read. Throws `ServiceError`. */
export function planOver(
  services: Services,
  context: CallContext,
  manifest: Manifest,
  request: PlanningOverRequest,
): Planning {
  const { operation } = request;
  const place = placeIn(request);
  const settings: Omit<PlanRequest, "sql" | "source"> = {
    manifest,
    session: context.session,
    ...(context.givenProperties !== undefined && { givenProperties: context.givenProperties }),
    options: services.planOptions,
    ...(request.underPolicies === true && { underPolicies: true }),
    stars: context.stars,
    ...(request.parameters !== undefined && { parameters: request.parameters }),
    ...(request.unprovenFence === true && { unprovenFence: true }),
    ...(request.limit !== undefined && { limit: request.limit }),
    ...(request.mostRows !== undefined && { mostRows: request.mostRows }),
    ...(context.timeZone !== undefined && { timeZone: context.timeZone }),
    ...(context.strict ? { textOrder: "code points" } : operation === "explain" && { textOrder: "warn" }),
  };
  const planFor = (source: DataSource | undefined, variant?: VariantRange): Outcome<Plan> =>
    request.sql === undefined
      ? services.planner.planCube({ ...settings, source, variant, cube: request.cube })
      : services.planner.plan({ ...settings, source, variant, sql: request.sql });
  const noted = context.audit?.asks(request.sql ?? JSON.stringify(request.cube), context.session.keys());
  const planned = planFor(request.source, request.variant);
  if (!planned.ok) throw toServiceError(planned.error, { operation, ...place });
  noted?.({ reads: planned.value.reads(), rules: planned.value.rules, rowRules: planned.value.rowRules });
  context.planned?.(planned.value);

  const warnings = [
    ...(request.warnings ?? []),
    ...unknownColumns(request.shownColumns ?? [], planned.value),
    ...warningsIn(planned.value.warnings, request),
  ];
  if (context.strict) refuseWarnings(warnings, operation, place.sql);

  return {
    plan: planned.value,
    warnings,
    originOf: (plan, offset) => services.planner.originOf(plan, offset),
    inputLanguage: () => {
      if (request.source === undefined) return planned.value.sql;
      const outcome = planFor(undefined);
      return outcome.ok ? outcome.value.sql : undefined;
    },
  };
}

function unknownColumns(shown: readonly string[], { columns }: Plan): readonly PlannerWarning[] {
  if (shown.length === 0) return [];
  const known = columns.map(({ name }) => name);
  return unknownNames({ given: shown, known, problem: "columnDtypes: the answer has no column" });
}

function placeIn({ ownSql, madeFrom, sql }: PlanningOverRequest): Pick<FailureContext, "sql" | "spanOf"> {
  if (ownSql === true || sql === undefined) return {};
  return madeFrom === undefined ? { sql } : { sql: madeFrom.sql, spanOf: (span) => madeFrom.spanOf(span) };
}

/** The warnings with positions in the caller's text. */
function warningsIn(warnings: readonly PlannerWarning[], { madeFrom }: PlanningOverRequest): readonly PlannerWarning[] {
  if (madeFrom === undefined) return warnings;
  return warnings.map(({ span, ...warning }) => {
    const own = span === undefined ? undefined : madeFrom.spanOf(span);
    return own === undefined ? warning : { ...warning, span: own };
  });
}

/** With `x-strict`, throws for warnings before anything runs (docs/decisions/0005-warnings.md). */
export function refuseWarnings(
  warnings: readonly PlannerWarning[],
  operation: Operation,
  sql: string | undefined,
): void {
  const [first, ...others] = warnings;
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const metadata: FailureMetadata = {
    ...(first.span !== undefined && sql !== undefined && { position: positionOf(sql, first.span) }),
    ...(first.hint !== undefined && { hint: first.hint }),
  };
  const message = withHint(`${first.code}: ${first.message}${more}`, first.hint);
  throw new ServiceError("STRICT_WARNING", message, { operation, metadata });
}

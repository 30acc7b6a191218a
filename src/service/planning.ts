/** From the caller's text to a plan: manifest, planner, and the caller's wish to see no warnings. */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type { PlanRequest } from "../planner/index.ts";
import type { DataSource, Plan } from "../planner/plan.ts";
import type { Span } from "../planner/syntax/tree.ts";
import { type FailureMetadata, positionOf, ServiceError } from "./failure.ts";
import type { Operation } from "./operations.ts";
import type { CallContext, Services } from "./services.ts";
import { type FailureContext, type PlannedStatement, toServiceError } from "./translate.ts";

export interface PlanningRequest {
  readonly operation: Operation;
  /** `undefined` plans into the input language (decisions W16). */
  readonly source: DataSource | undefined;
  readonly sql: string;
  readonly manifestStr: string;
  /** Row cap pushed into the SQL. */
  readonly limit?: number | undefined;
  /** Warnings from before the plan, which `strict` covers too. */
  readonly warnings?: readonly PlannerWarning[];
  /** The SQL is the service's own: positions in it mean nothing to the caller. */
  readonly ownSql?: boolean;
  /** The SQL was made from this text of the caller's, in which positions are told. */
  readonly madeFrom?: SourceText;
}

export interface SourceText {
  readonly sql: string;
  /** Where a span of the SQL that was made of it comes from. */
  spanOf(span: Span): Span | undefined;
}

export interface Planning extends PlannedStatement {
  /** In the order they came up. */
  readonly warnings: readonly PlannerWarning[];
}

/** Fails with `ServiceError`. */
export async function planStatement(
  services: Services,
  context: CallContext,
  request: PlanningRequest,
): Promise<Planning> {
  const { operation } = request;
  const place = placeIn(request);
  const failureContext = { operation, ...place };

  const loaded = await services.manifests.get(request.manifestStr);
  if (!loaded.ok) throw toServiceError(loaded.error, failureContext);

  const planRequest: PlanRequest = {
    sql: request.sql,
    manifest: loaded.value,
    source: request.source,
    session: context.session,
    options: services.planOptions,
    ...(request.limit !== undefined && { limit: request.limit }),
    ...(context.timeZone !== undefined && { timeZone: context.timeZone }),
  };
  const planned = services.planner.plan(planRequest);
  if (!planned.ok) throw toServiceError(planned.error, failureContext);

  const warnings = [...(request.warnings ?? []), ...warningsIn(planned.value.warnings, request)];
  if (context.strict) refuseWarnings(warnings, operation, place.sql);

  return {
    plan: planned.value,
    warnings,
    originOf: (plan, offset) => services.planner.originOf(plan, offset),
    inputLanguage: () => printInputLanguage(services, planRequest, planned.value),
  };
}

function placeIn({ ownSql, madeFrom, sql }: PlanningRequest): Pick<FailureContext, "sql" | "spanOf"> {
  if (ownSql === true) return {};
  return madeFrom === undefined ? { sql } : { sql: madeFrom.sql, spanOf: (span) => madeFrom.spanOf(span) };
}

/** Warnings with their places in the caller's text. */
function warningsIn(warnings: readonly PlannerWarning[], { madeFrom }: PlanningRequest): readonly PlannerWarning[] {
  if (madeFrom === undefined) return warnings;
  return warnings.map(({ span, ...warning }) => {
    const own = span === undefined ? undefined : madeFrom.spanOf(span);
    return own === undefined ? warning : { ...warning, span: own };
  });
}

function printInputLanguage(services: Services, request: PlanRequest, plan: Plan): string | undefined {
  if (request.source === undefined) return plan.sql;
  const outcome = services.planner.plan({ ...request, source: undefined });
  return outcome.ok ? outcome.value.sql : undefined;
}

/** Decisions W8: with `x-strict` a warning is an error, and it comes before anything runs. */
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
  throw new ServiceError("STRICT_WARNING", `${first.code}: ${first.message}${more}`, { operation, metadata });
}

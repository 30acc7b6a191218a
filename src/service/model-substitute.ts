/**
 * Rewrites SQL over physical tables to SQL over models. If the request contains a connection, the source checks the result
 * (docs/spec/contract.md#model-substitution).
 */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type { Substitution } from "../planner/index.ts";
import { type DataSource, statementOf } from "../planner/plan.ts";
import type { Span } from "../planner/syntax/tree.ts";
import { withCall } from "./call.ts";
import { prepareConnection } from "./connections.ts";
import { forServer } from "./for-server.ts";
import { type PlanningRequest, planStatement, refuseWarnings } from "./planning.ts";
import type { CallContext, PreparedConnection, Services } from "./services.ts";
import { toServiceError } from "./translate.ts";

export interface ModelSubstituteRequest {
  readonly source: DataSource;
  /** One query in the dialect of `source`. */
  readonly sql: string;
  readonly manifestStr: string;
  /** `undefined`: the result is not checked (docs/decisions/0012-planning-without-a-source.md). */
  readonly connectionInfo: Readonly<Record<string, unknown>> | undefined;
  /** Defaults for names without catalog or schema. */
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
}

export interface ModelSubstituteAnswer {
  readonly sql: string;
  readonly warnings: readonly PlannerWarning[];
}

/**
 * With a connection, the answer is SQL that can be planned and that the source accepts; a failed check gives the error of a dry
 * run. Throws `ServiceError`.
 */
export async function modelSubstitute(
  services: Services,
  context: CallContext,
  request: ModelSubstituteRequest,
): Promise<ModelSubstituteAnswer> {
  const connection = prepared(services, context, request);
  const { substitution, remarks } = substituted(services, request);
  const { sql } = substitution;
  if (connection === undefined) {
    if (context.strict) refuseWarnings(remarks, "substitute", undefined);
    return { sql, warnings: remarks };
  }
  return { sql, warnings: await check(services, context, { request, connection, substitution }) };
}

/** Reads the connection's fields first, as a query does (docs/spec/contract.md#order-of-evaluation). */
function prepared(
  services: Services,
  context: CallContext,
  request: ModelSubstituteRequest,
): PreparedConnection | undefined {
  const { source, connectionInfo } = request;
  if (connectionInfo === undefined) return undefined;
  try {
    return prepareConnection(services, context, source, connectionInfo);
  } catch (error) {
    throw toServiceError(error, { operation: "substitute" });
  }
}

interface Substituted {
  readonly substitution: Substitution;
  /** Warnings about the manifest. The plan that checks the substitution has them too. */
  readonly remarks: readonly PlannerWarning[];
}

function substituted(services: Services, request: ModelSubstituteRequest): Substituted {
  const failureContext = { operation: "substitute", sql: request.sql } as const;
  const loaded = services.manifests.get(request.manifestStr);
  if (!loaded.ok) throw toServiceError(loaded.error, failureContext);
  const remarks = services.planner.manifestRemarks(loaded.value, request.source);
  if (!remarks.ok) throw toServiceError(remarks.error, failureContext);
  const outcome = services.planner.substituteTables({
    sql: request.sql,
    manifest: loaded.value,
    source: request.source,
    defaults: { catalog: request.catalog, schema: request.schema },
    limits: services.planOptions.limits,
  });
  if (!outcome.ok) throw toServiceError(outcome.error, failureContext);
  return { substitution: outcome.value, remarks: remarks.value };
}

interface Check {
  readonly request: ModelSubstituteRequest;
  readonly connection: PreparedConnection;
  readonly substitution: Substitution;
}

function check(
  services: Services,
  context: CallContext,
  { request, connection, substitution }: Check,
): Promise<readonly PlannerWarning[]> {
  const spanOf = (span: Span): Span | undefined => originOf(services, substitution, span);
  return withCall(services, context, "dryRun", async (call) => {
    const planning: PlanningRequest = {
      operation: "dryRun",
      source: request.source,
      sql: substitution.sql,
      manifestStr: request.manifestStr,
      warnings: connection.warnings,
      madeFrom: { sql: request.sql, spanOf },
    };
    return forServer({
      services,
      call,
      connection,
      source: request.source,
      plan: (server) => planStatement(services, context, { ...planning, ...server }),
      ask: async (planned) => {
        call.sends({ sql: request.sql, spanOf, planned });
        const { connector, options } = await call.open(connection, planned.plan);
        await call.race(connector.dryRun(statementOf(planned.plan), options));
        return planned.warnings;
      },
    });
  });
}

/** The part of the caller's text that a span of the result comes from. */
function originOf({ planner }: Services, substitution: Substitution, span: Span): Span | undefined {
  const first = planner.originOf(substitution, span.start);
  const last = planner.originOf(substitution, Math.max(span.start, span.end - 1));
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}

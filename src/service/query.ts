/** Run a query or a structured query over a cube, or check it on its source without running it. */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type { DataSource } from "../planner/plan.ts";
import type { ResultStream } from "../result/types.ts";
import { answerStream } from "./answer-stream.ts";
import { type Call, startCall, withCall } from "./call.ts";
import { prepareConnection } from "./connections.ts";
import type { ServiceError } from "./failure.ts";
import { type Planning, planStatement, type Question } from "./planning.ts";
import { rowCapOf } from "./row-cap.ts";
import type { CallContext, PreparedConnection, Services } from "./services.ts";

export type QueryRequest = QuerySettings & Question;

interface QuerySettings {
  readonly source: DataSource;
  readonly manifestStr: string;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  readonly limit?: number | undefined;
}

export interface QueryAnswer {
  /** Names are the caller's. Whoever takes it reads it to its end or closes it. */
  readonly rows: ResultStream;
  readonly warnings: readonly PlannerWarning[];
  /** Resolves when the call is over: with an error when time ran out or the client went, perhaps with nobody reading. */
  readonly ended: Promise<ServiceError | undefined>;
}

/** Resolves when the source has begun to answer and the columns are known. Fails with `ServiceError`. */
export async function query(services: Services, context: CallContext, request: QueryRequest): Promise<QueryAnswer> {
  const call = startCall(services, context, request.sql === undefined ? "cube" : "query");
  try {
    const { connection, planned, refuseAbove } = await prepare(services, context, call, request);
    const connector = await call.open(connection);
    context.phases.begin("firstRow");
    const source = await call.race(connector.query(planned.plan, call.options));
    const rows = answerStream(source, {
      call,
      columns: planned.plan.columns,
      refuseAbove,
      mostBytes: context.most.bytes,
      defer: context.defer,
    });
    return { rows, warnings: planned.warnings, ended: call.ended };
  } catch (error) {
    call.end();
    throw call.failure(error);
  }
}

export interface DryRunAnswer {
  readonly warnings: readonly PlannerWarning[];
}

/** Resolves when the source has accepted the planned SQL; nothing is executed. Fails with `ServiceError`. */
export function dryRun(services: Services, context: CallContext, request: QueryRequest): Promise<DryRunAnswer> {
  return withCall(services, context, "dryRun", async (call) => {
    const { connection, planned } = await prepare(services, context, call, request);
    const connector = await call.open(connection);
    await call.race(connector.dryRun(planned.plan, call.options));
    return { warnings: planned.warnings };
  });
}

interface Prepared {
  readonly connection: PreparedConnection;
  readonly planned: Planning;
  readonly refuseAbove: number | undefined;
}

/** The connection's fields are read first, so that a wrong connection wins over wrong SQL (contract §1.5). */
async function prepare(services: Services, context: CallContext, call: Call, request: QueryRequest): Promise<Prepared> {
  const connection = prepareConnection(services, context, request.source, request.connectionInfo);
  const cap = rowCapOf(request.limit, lower(services.limits.maxRows, context.most.rows));
  const planned = await planStatement(services, context, {
    ...request,
    operation: call.operation,
    limit: cap.limit,
    warnings: [...connection.warnings, ...cap.warnings],
  });
  call.sends({ ...(request.sql !== undefined && { sql: request.sql }), planned });
  return { connection, planned, refuseAbove: cap.refuseAbove };
}

function lower(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

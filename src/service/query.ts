/** Runs a query or a structured query over a cube, or checks it on its source without running it. */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import { statementOf } from "../planner/plan.ts";
import type { ResultStream } from "../result/types.ts";
import { type CacheReport, type CacheRequest, cachedRows } from "./cached-query.ts";
import { type Call, startCall, withCall } from "./call.ts";
import type { ServiceError } from "./failure.ts";
import { refuseWarnings } from "./planning.ts";
import { type Prepared, prepare, prepareAgain, type StatementRequest } from "./prepared.ts";
import type { CallContext, Services } from "./services.ts";
import { rowsOf } from "./source-rows.ts";

export type QueryRequest = StatementRequest & QuerySettings;

interface QuerySettings {
  /** Columns in `columnDtypes`. */
  readonly shownColumns?: readonly string[] | undefined;
  /** Absent when the query must not use the cache. */
  readonly cache?: CacheRequest | undefined;
}

export interface QueryAnswer {
  /** Columns have the caller's names. The consumer must read the stream to its end or close it. */
  readonly rows: ResultStream;
  readonly warnings: readonly PlannerWarning[];
  /** Absent when the cache was not used. */
  readonly cache?: CacheReport;
  /** Resolves when the call is over; with an error after a time-out or a disconnect, even if nobody reads. */
  readonly ended: Promise<ServiceError | undefined>;
}

/** Resolves when the source has begun to answer and the columns are known. Throws `ServiceError`. */
export async function query(services: Services, context: CallContext, request: QueryRequest): Promise<QueryAnswer> {
  const call = startCall(services, context, request.sql === undefined ? "cube" : "query");
  try {
    const prepared = await prepare(services, context, call, request);
    try {
      return await answered(services, context, call, request, prepared);
    } catch (error) {
      const again = await prepareAgain(error, prepared, services, context, call, request);
      return await answered(services, context, call, request, again);
    }
  } catch (error) {
    call.end();
    throw call.failure(error);
  }
}

async function answered(
  services: Services,
  context: CallContext,
  call: Call,
  request: QueryRequest,
  prepared: Prepared,
): Promise<QueryAnswer> {
  if (request.cache === undefined) {
    const rows = await rowsOf(prepared, context, call);
    return { rows, warnings: await allWarnings(rows, { context, call, prepared }), ended: call.ended };
  }
  const { rows, cache } = await cachedRows({ services, context, call, prepared, request: request.cache });
  return { rows, warnings: await allWarnings(rows, { context, call, prepared }), cache, ended: call.ended };
}

/** Warnings of the plan and of the source. With `x-strict` one of the source's closes the rows and throws `ServiceError`. */
async function allWarnings(
  rows: ResultStream,
  { context, call, prepared }: { readonly context: CallContext; readonly call: Call; readonly prepared: Prepared },
): Promise<readonly PlannerWarning[]> {
  const { warnings = [] } = rows;
  if (context.strict && warnings.length > 0) {
    await rows.close();
    refuseWarnings(warnings, call.operation, undefined);
  }
  return [...prepared.planned.warnings, ...warnings];
}

export interface DryRunAnswer {
  /** The bytes that the query would read, if the source reports them. */
  readonly bytes?: bigint | undefined;
  readonly warnings: readonly PlannerWarning[];
}

/** Resolves when the source has accepted the planned SQL; nothing is executed. Throws `ServiceError`. */
export function dryRun(services: Services, context: CallContext, request: QueryRequest): Promise<DryRunAnswer> {
  return withCall(services, context, "dryRun", async (call) => {
    const prepared = await prepare(services, context, call, request);
    try {
      return await accepted(context, call, prepared);
    } catch (error) {
      return accepted(context, call, await prepareAgain(error, prepared, services, context, call, request));
    }
  });
}

async function accepted({ strict }: CallContext, call: Call, { connection, planned }: Prepared): Promise<DryRunAnswer> {
  const { connector, options } = await call.open(connection, planned.plan);
  const { bytes, warnings = [] } = await call.race(connector.dryRun(statementOf(planned.plan), options));
  if (strict) refuseWarnings(warnings, call.operation, undefined);
  return { bytes, warnings: [...planned.warnings, ...warnings] };
}

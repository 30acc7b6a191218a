/** Runs a query or a structured query over a cube, or checks it on its source without running it. */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import { type DataSource, statementOf } from "../planner/plan.ts";
import type { ResultStream } from "../result/types.ts";
import { answerStream } from "./answer-stream.ts";
import { cachedRows } from "./cached-query.ts";
import { type Call, startCall, withCall } from "./call.ts";
import { prepareConnection } from "./connections.ts";
import type { ServiceError } from "./failure.ts";
import { forServer } from "./for-server.ts";
import { type Planning, planStatement, type Question } from "./planning.ts";
import { rowCapOf } from "./row-cap.ts";
import type { CallContext, PreparedConnection, Services } from "./services.ts";

export type QueryRequest = QuerySettings & Question;

interface QuerySettings {
  readonly source: DataSource;
  readonly manifestStr: string;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  readonly limit?: number | undefined;
  /** Columns in `columnDtypes`. */
  readonly shownColumns?: readonly string[] | undefined;
  /** Absent when the query must not use the cache. */
  readonly cache?: CacheRequest | undefined;
}

/** The cache options of a request. */
export interface CacheRequest {
  /** Runs the query and replaces the entry. */
  readonly override: boolean;
  /** Maximum age of an entry in seconds; 0 runs the query. */
  readonly maxAge?: number | undefined;
  /** Neither reads an entry nor stores one. */
  readonly noStore?: boolean | undefined;
}

/** The use of the cache for an answer, as known when the answer begins. Times are milliseconds since 1970. */
export type CacheReport =
  /** `ttl` in seconds, negative for a stale entry. `collapsed`: the answer comes from another request's query. */
  | { readonly kind: "hit"; readonly createdAt: number; readonly ttl: number; readonly collapsed: boolean }
  | {
      readonly kind: "run";
      readonly because: "bypass" | "miss" | "stale" | "request";
      readonly detail?: CacheDetail | undefined;
      /** Creation times of the replaced entry and of the new one. */
      readonly replaced?: { readonly createdAt: number; readonly at: number } | undefined;
    };

export type CacheDetail = "off" | "volatile" | "no-store" | "too-large" | "not-shared" | "store-unavailable";

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
    return await prepared(services, context, call, request, async (prepared) => {
      const { warnings } = prepared.planned;
      if (request.cache === undefined) {
        return { rows: await rowsOf(prepared, context, call), warnings, ended: call.ended };
      }
      const { rows, cache } = await cachedRows({ services, context, call, prepared, request: request.cache, rowsOf });
      return { rows, warnings, cache, ended: call.ended };
    });
  } catch (error) {
    call.end();
    throw call.failure(error);
  }
}

/** Runs the plan on the source. */
async function rowsOf(
  { connection, planned: { plan }, refuseAbove }: Prepared,
  { defer, most, phases }: Pick<CallContext, "defer" | "most" | "phases">,
  call: Call,
  through?: (rows: ResultStream) => ResultStream,
): Promise<ResultStream> {
  const { connector, options } = await call.open(connection, plan);
  phases.begin("firstRow");
  const source = await call.race(connector.query(statementOf(plan), options));
  const { columns } = plan;
  return answerStream(source, { call, columns, refuseAbove, mostBytes: most.bytes, defer, through });
}

export type AskSource = typeof rowsOf;

export interface DryRunAnswer {
  /** The bytes that the query would read, if the source reports them. */
  readonly bytes?: bigint | undefined;
  readonly warnings: readonly PlannerWarning[];
}

/** Resolves when the source has accepted the planned SQL; nothing is executed. Throws `ServiceError`. */
export function dryRun(services: Services, context: CallContext, request: QueryRequest): Promise<DryRunAnswer> {
  return withCall(services, context, "dryRun", async (call) => {
    return prepared(services, context, call, request, async ({ connection, planned }) => {
      const { connector, options } = await call.open(connection, planned.plan);
      const { bytes } = await call.race(connector.dryRun(statementOf(planned.plan), options));
      return { bytes, warnings: planned.warnings };
    });
  });
}

export interface Prepared {
  readonly source: DataSource;
  /** The row limit that was added to the SQL. */
  readonly limit: number | undefined;
  readonly connection: PreparedConnection;
  readonly planned: Planning;
  readonly refuseAbove: number | undefined;
}

/**
 * The result of `ask`. The connection's fields are read first, so that an invalid connection is reported before invalid SQL
 * (contract §1.5).
 */
async function prepared<T>(
  services: Services,
  context: CallContext,
  call: Call,
  request: QueryRequest,
  ask: (prepared: Prepared) => Promise<T>,
): Promise<T> {
  const { source, sql } = request;
  const connection = prepareConnection(services, context, source, request.connectionInfo);
  const cap = lower(services.limits.maxRows, context.most.rows);
  const { limit, mostRows, refuseAbove, warnings } = rowCapOf(request.limit, cap);
  const settings = { operation: call.operation, limit, mostRows, warnings: [...connection.warnings, ...warnings] };
  return forServer({
    services,
    call,
    connection,
    plan: (variant) => planStatement(services, context, { ...request, ...settings, variant }),
    ask: (planned) => {
      call.sends({ ...(sql !== undefined && { sql }), planned });
      return ask({ source, limit, connection, planned, refuseAbove });
    },
  });
}

function lower(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

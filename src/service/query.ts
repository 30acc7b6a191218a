/** Run a query or a structured query over a cube, or check it on its source without running it. */
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
  /** Columns that the caller wants shown as other types. */
  readonly shownColumns?: readonly string[] | undefined;
  /** Absent when the cache is to have no part in it. */
  readonly cache?: CacheWish | undefined;
}

/** What the caller says of the query cache. */
export interface CacheWish {
  /** Run the query and replace the entry that is there. */
  readonly override: boolean;
  /** Seconds that an entry may be old; 0 runs the query. */
  readonly maxAge?: number | undefined;
  /** Neither answered from the cache nor kept in it. */
  readonly noStore?: boolean | undefined;
}

/** What the cache had to do with an answer, as far as it is known when the answer begins. Times in milliseconds since 1970. */
export type CacheReport =
  /** `ttl` in seconds, negative for an entry that is stale. `collapsed`: the query of another request was waited for. */
  | { readonly kind: "hit"; readonly createdAt: number; readonly ttl: number; readonly collapsed: boolean }
  | {
      readonly kind: "run";
      readonly because: "bypass" | "miss" | "stale" | "request";
      readonly detail?: CacheDetail | undefined;
      /** The entry that was there, and what the new one will say of its time. */
      readonly replaced?: { readonly createdAt: number; readonly at: number } | undefined;
    };

export type CacheDetail = "off" | "volatile" | "no-store" | "too-large" | "not-shared" | "store-unavailable";

export interface QueryAnswer {
  /** Names are the caller's. Whoever takes it reads it to its end or closes it. */
  readonly rows: ResultStream;
  readonly warnings: readonly PlannerWarning[];
  /** Absent when the cache had no part in it. */
  readonly cache?: CacheReport;
  /** Resolves when the call is over: with an error when time ran out or the client went, perhaps with nobody reading. */
  readonly ended: Promise<ServiceError | undefined>;
}

/** Resolves when the source has begun to answer and the columns are known. Fails with `ServiceError`. */
export async function query(services: Services, context: CallContext, request: QueryRequest): Promise<QueryAnswer> {
  const call = startCall(services, context, request.sql === undefined ? "cube" : "query");
  try {
    return await prepared(services, context, call, request, async (prepared) => {
      const { warnings } = prepared.planned;
      if (request.cache === undefined) {
        return { rows: await rowsOf(prepared, context, call), warnings, ended: call.ended };
      }
      const { rows, cache } = await cachedRows({ services, context, call, prepared, wish: request.cache, rowsOf });
      return { rows, warnings, cache, ended: call.ended };
    });
  } catch (error) {
    call.end();
    throw call.failure(error);
  }
}

/** Asks the source. */
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
  /** What the source says that running it would read, where it knows. */
  readonly bytes?: bigint | undefined;
  readonly warnings: readonly PlannerWarning[];
}

/** Resolves when the source has accepted the planned SQL; nothing is executed. Fails with `ServiceError`. */
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
  /** The row limit that was pushed into the SQL. */
  readonly limit: number | undefined;
  readonly connection: PreparedConnection;
  readonly planned: Planning;
  readonly refuseAbove: number | undefined;
}

/** What `ask` answers. The connection's fields are read first, so that a wrong connection wins over wrong SQL (contract §1.5). */
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

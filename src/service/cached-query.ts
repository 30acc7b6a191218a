/**
 * A query through the cache (docs/decisions/0032-cache.md). It is always planned first: the SQL for the source, which contains the
 * rules and the session's values, is part of the cache key.
 */
import type { CacheAnswer, Lead } from "../cache/query-cache.ts";
import { Phases } from "../guard/phases.ts";
import type { ResultStream } from "../result/types.ts";
import { answerStream } from "./answer-stream.ts";
import { type Call, startCall } from "./call.ts";
import type { Prepared } from "./prepared.ts";
import type { CallContext, Services } from "./services.ts";
import { rowsOf } from "./source-rows.ts";

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

interface CachedQuery {
  readonly services: Services;
  readonly context: CallContext;
  readonly call: Call;
  readonly prepared: Prepared;
  readonly request: CacheRequest;
}

/** Fails only as the query itself would: if the cache fails, the query runs. */
export async function cachedRows(
  asked: CachedQuery,
): Promise<{ readonly rows: ResultStream; readonly cache: CacheReport }> {
  const { services, context, call, prepared, request } = asked;
  const bypass = reasonToBypass(services, prepared, request);
  if (bypass !== undefined || services.queryCache === undefined) {
    const cache = { kind: "run", because: "bypass", detail: bypass ?? "off" } as const;
    return { rows: await rowsOf(prepared, context, call), cache };
  }
  const cache = await services.queryCache();
  const found = await context.phases.during("cache", () =>
    cache.find({
      parts: partsOf(prepared, call),
      override: request.override,
      maxAge: request.maxAge,
      signal: call.signal,
      race: call.race,
    }),
  );
  if (found.kind === "run") return run(asked, found);

  if (found.refresh !== undefined) context.defer(refresh(asked, found.refresh));
  const { plan } = prepared.planned;
  const { refuseAbove } = prepared;
  const rows = answerStream(found.rows, {
    call,
    columns: plan.columns,
    refuseAbove,
    mostBytes: context.most.bytes,
    defer: context.defer,
  });
  const { createdAt, ttl, collapsed } = found;
  return { rows, cache: { kind: "hit", createdAt, ttl, collapsed } };
}

function reasonToBypass(services: Services, { planned }: Prepared, request: CacheRequest): CacheDetail | undefined {
  if (services.queryCache === undefined) return "off";
  if (request.noStore === true) return "no-store";
  // A cached answer would be wrong a minute later, even if the data did not change.
  return planned.plan.volatile ? "volatile" : undefined;
}

/** Every input that can change the answer, each as a separate part. */
function partsOf({ source, limit, refuseAbove, connection, planned: { plan } }: Prepared, call: Call): string[] {
  return [
    source,
    plan.sql,
    // The guarantee that an answer names is that of the server that answered.
    plan.rowRules,
    // Parts of the plan that a connector reads besides the SQL: types, session settings, declared columns of files.
    JSON.stringify([plan.columns, plan.session, plan.reads(), plan.variant]),
    String(limit ?? ""),
    String(refuseAbove ?? ""),
    connection.identity(),
    String(call.timeoutMs),
  ];
}

async function run(
  { context, call, prepared }: CachedQuery,
  { because, detail, replaces, lead }: Extract<CacheAnswer, { kind: "run" }>,
): Promise<{ readonly rows: ResultStream; readonly cache: CacheReport }> {
  const replaced =
    replaces === undefined || lead === undefined ? undefined : { createdAt: replaces, at: lead.createdAt };
  const cache: CacheReport = { kind: "run", because, detail, replaced };
  const rows = await rowsFor(lead, { context, call, prepared }, (saved) => context.defer(saved));
  return { rows, cache };
}

/** Runs the query on the source, and caches the answer if there is a `lead`. */
async function rowsFor(
  lead: Lead | undefined,
  { context, call, prepared }: Pick<CachedQuery, "context" | "call" | "prepared">,
  keeping: (saved: Promise<void>) => void,
): Promise<ResultStream> {
  if (lead === undefined) return rowsOf(prepared, context, call);
  try {
    return await rowsOf(prepared, context, call, (source) => {
      const { rows, saved } = lead.collect(source);
      keeping(saved);
      return rows;
    });
  } catch (error) {
    lead.abandon(call.signal.aborted ? "cancelled" : "failed");
    throw error;
  }
}

/** Replaces a stale entry in the background; failures are not reported. */
async function refresh({ services, prepared, ...asked }: CachedQuery, lead: Lead): Promise<void> {
  const { signal } = new AbortController();
  // Runs with its own deadline, outside the request's slot.
  const context: CallContext = { ...asked.context, signal, makeWay: undefined, phases: new Phases() };
  const call = startCall(services, context, asked.call.operation);
  try {
    let kept: Promise<void> | undefined;
    const rows = await rowsFor(lead, { context, call, prepared }, (saved) => {
      kept = saved;
    });
    await kept;
    await rows.close();
  } catch {
    // The entry stays as it is, and may become too old to be used.
  } finally {
    call.end();
  }
}

/**
 * A query through the cache (decisions C10). It is planned first, whether or not it runs: the SQL that would be sent, with
 * the rules and the session's values in it, is part of what an entry is found by.
 */
import type { CacheAnswer, Lead } from "../cache/query-cache.ts";
import { Phases } from "../guard/phases.ts";
import type { ResultStream } from "../result/types.ts";
import { answerStream } from "./answer-stream.ts";
import { type Call, startCall } from "./call.ts";
import type { AskSource, CacheDetail, CacheReport, CacheWish, Prepared } from "./query.ts";
import type { CallContext, Services } from "./services.ts";

interface CachedQuery {
  readonly services: Services;
  readonly context: CallContext;
  readonly call: Call;
  readonly prepared: Prepared;
  readonly wish: CacheWish;
  readonly rowsOf: AskSource;
}

/** Fails as the query itself would; whatever is wrong with the cache, the query runs. */
export async function cachedRows(
  asked: CachedQuery,
): Promise<{ readonly rows: ResultStream; readonly cache: CacheReport }> {
  const { services, context, call, prepared, wish, rowsOf } = asked;
  const bypass = reasonToBypass(services, prepared, wish);
  if (bypass !== undefined || services.queryCache === undefined) {
    const cache = { kind: "run", because: "bypass", detail: bypass ?? "off" } as const;
    return { rows: await rowsOf(prepared, context, call), cache };
  }
  const cache = await services.queryCache();
  const found = await context.phases.during("cache", () =>
    cache.find({
      parts: partsOf(prepared, call),
      override: wish.override,
      maxAge: wish.maxAge,
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

function reasonToBypass(services: Services, { planned }: Prepared, wish: CacheWish): CacheDetail | undefined {
  if (services.queryCache === undefined) return "off";
  if (wish.noStore === true) return "no-store";
  // What it answers now would be wrong a minute later, however fresh the data is.
  return planned.plan.volatile ? "volatile" : undefined;
}

/** Whatever may change the answer, each in a place of its own. */
function partsOf({ source, limit, refuseAbove, connection, planned: { plan } }: Prepared, call: Call): string[] {
  return [
    source,
    plan.sql,
    // What a connector reads of the plan beside its SQL: types, settings of the session, declared columns of files.
    JSON.stringify([plan.columns, plan.session, plan.reads(), plan.variant]),
    String(limit ?? ""),
    String(refuseAbove ?? ""),
    connection.identity(),
    String(call.timeoutMs),
  ];
}

async function run(
  { context, call, prepared, rowsOf }: CachedQuery,
  { because, detail, replaces, lead }: Extract<CacheAnswer, { kind: "run" }>,
): Promise<{ readonly rows: ResultStream; readonly cache: CacheReport }> {
  const replaced =
    replaces === undefined || lead === undefined ? undefined : { createdAt: replaces, at: lead.createdAt };
  const cache: CacheReport = { kind: "run", because, detail, replaced };
  const rows = await rowsFor(lead, { context, call, prepared, rowsOf }, (saved) => context.defer(saved));
  return { rows, cache };
}

/** Asks the source, and keeps the answer where there is a `lead`. */
async function rowsFor(
  lead: Lead | undefined,
  { context, call, prepared, rowsOf }: Pick<CachedQuery, "context" | "call" | "prepared" | "rowsOf">,
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

/** Makes an entry anew that was stale; nobody waits for it, and nobody hears of its failure. */
async function refresh({ services, prepared, rowsOf, ...asked }: CachedQuery, lead: Lead): Promise<void> {
  const { signal } = new AbortController();
  // Neither its time nor its place is that of the request that it comes after.
  const context: CallContext = { ...asked.context, signal, makeWay: undefined, phases: new Phases() };
  const call = startCall(services, context, asked.call.operation);
  try {
    let kept: Promise<void> | undefined;
    const rows = await rowsFor(lead, { context, call, prepared, rowsOf }, (saved) => {
      kept = saved;
    });
    await kept;
    await rows.close();
  } catch {
    // The entry stays as it is, and grows older than it may be.
  } finally {
    call.end();
  }
}

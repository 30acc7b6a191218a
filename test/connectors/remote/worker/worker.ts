/** Runs one call of the remote client per request inside workerd and tells how it went. Started by `../workerd.test.ts`. */
import { ConnectorFailure } from "../../../../src/connectors/failure.ts";
import { nodeSidecar } from "../../../../src/connectors/node-sidecar/node-sidecar.ts";
import { parseConnection } from "../../../../src/connectors/sources.ts";

export interface RemoteCall {
  readonly url: string;
  readonly secret: string;
  readonly sql: string;
  /** Close after this many rows. */
  readonly stopAfter?: number;
  /** Abort after this time. */
  readonly abortAfterMs?: number;
  readonly timeoutMs?: number;
}

export type RemoteAnswer =
  | { readonly ok: true; readonly rows: number; readonly first: string }
  | { readonly ok: false; readonly reason: string; readonly message: string };

async function run(call: RemoteCall, given: AbortSignal): Promise<RemoteAnswer> {
  const abort = new AbortController();
  given.addEventListener("abort", () => abort.abort(given.reason));
  if (call.abortAfterMs !== undefined) setTimeout(() => abort.abort(), call.abortAfterMs);
  try {
    const open = nodeSidecar({
      url: call.url,
      secret: call.secret,
      connectTimeoutMs: 5000,
      fetch: (input, init) => fetch(input, init),
    });
    const connector = await open(parseConnection("local_file", {}).info, {
      signal: abort.signal,
      correlationId: "test",
    });
    const statement = { sql: call.sql, columns: [], session: [], reads: [] };
    const result = await connector.query(statement, { signal: abort.signal, timeoutMs: call.timeoutMs ?? 60_000 });
    let rows = 0;
    let first = "";
    for await (const batch of result.batches) {
      first ||= String([...batch][0]);
      rows += batch.length;
      if (call.stopAfter !== undefined && rows >= call.stopAfter) break;
    }
    return { ok: true, rows, first };
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error;
    return { ok: false, reason: error.reason, message: error.message };
  }
}

/** Called by workerd. @public */
export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await run((await request.json()) as RemoteCall, request.signal));
  },
};

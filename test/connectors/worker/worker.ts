/** Runs one connector call per request inside workerd and tells how it went. Started by `<source>/workerd.test.ts`. */
import { connect } from "cloudflare:sockets";
import type { ConnectionInfo } from "../../../src/connectors/connection/connection-info.ts";
import type { OpenOptions } from "../../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { platformDial } from "../../../src/connectors/socket/platform-dial.ts";
import { openConnector, parseConnection } from "../../../src/connectors/sources.ts";

export interface WorkerCall {
  /** PostgreSQL when absent. */
  readonly source?:
    | "athena"
    | "bigquery"
    | "canner"
    | "clickhouse"
    | "databricks"
    | "doris"
    | "mysql"
    | "postgres"
    | "redshift"
    | "snowflake"
    | "trino";
  /** Hosts of the public network, and the one on loopback that stands for each. */
  readonly standIns?: readonly (readonly [origin: string, address: string])[];
  readonly connectionInfo: unknown;
  readonly sql: string;
  readonly dryRun?: boolean;
  /** Stop pulling after this many rows and close. */
  readonly stopAfter?: number;
  /** Abort the call this long after the statement was sent, as if the client had gone. */
  readonly abortAfterMs?: number;
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
}

export type WorkerAnswer =
  | {
      readonly ok: true;
      readonly columns: unknown;
      readonly rows: number;
      readonly first: unknown;
      readonly connectMs: number;
      readonly totalMs: number;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly message: string;
      readonly hint?: string;
      readonly position?: number;
      readonly engineCode?: string;
    };

async function run(call: WorkerCall, defer: (work: Promise<unknown>) => void): Promise<WorkerAnswer> {
  const controller = new AbortController();
  const { signal } = controller;
  const host = {
    dial: platformDial(connect),
    fetch: (input: RequestInfo | URL, init?: RequestInit) => {
      const address = (call.standIns ?? []).reduce((url, [origin, own]) => url.replace(origin, own), String(input));
      return fetch(typeof input === "string" ? address : input, init);
    },
    connectTimeoutMs: call.connectTimeoutMs ?? 5000,
  };
  try {
    const started = Date.now();
    const { info } = parseConnection(call.source ?? "postgres", call.connectionInfo);
    const environment = {
      worker: (dialled: ConnectionInfo, options: OpenOptions) => openHere(dialled, host, options),
      allowPrivateHosts: true,
    };
    // Over HTTP a Worker asks public hosts alone, and the servers here are on loopback.
    const connector = await (["athena", "bigquery", "clickhouse", "databricks", "snowflake", "trino"].includes(
      info.source,
    )
      ? openHere(info, host, { signal })
      : openConnector(info, environment, { signal, correlationId: "test" }));
    const connectMs = Date.now() - started;
    try {
      const statement = { sql: call.sql, columns: [], session: [], reads: [] };
      const options = { signal, timeoutMs: call.timeoutMs ?? 30_000 };
      if (call.dryRun) {
        const { bytes } = await connector.dryRun(statement, options);
        const report = bytes === undefined ? null : String(bytes);
        return { ok: true, columns: [], rows: 0, first: report, connectMs, totalMs: Date.now() - started };
      }
      if (call.abortAfterMs !== undefined) setTimeout(() => controller.abort(), call.abortAfterMs);
      const result = await connector.query(statement, options);
      let rows = 0;
      let first: unknown = null;
      for await (const batch of result.batches) {
        first ??= [...batch][0];
        rows += batch.length;
        if (call.stopAfter !== undefined && rows >= call.stopAfter) break;
      }
      return { ok: true, columns: result.columns, rows, first, connectMs, totalMs: Date.now() - started };
    } finally {
      defer(connector.close());
    }
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error;
    const { reason, message, hint, position, engineCode } = error;
    return {
      ok: false,
      reason,
      message,
      ...(hint !== undefined && { hint }),
      ...(position !== undefined && { position }),
      ...(engineCode !== undefined && { engineCode }),
    };
  }
}

export default {
  async fetch(request, _environment, context) {
    const call: WorkerCall = await request.json();
    const answer = await run(call, (work) => context.waitUntil(work));
    return new Response(JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? `${value}n` : value)));
  },
} satisfies ExportedHandler;

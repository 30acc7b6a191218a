/**
 * Neon's SQL over HTTPS: one request per statement, without connection set-up. Neon returns the whole result at once, so results
 * must fit into memory; Neon's own limit is lower than ours.
 */
import { type FieldDef, NeonDbError, neon, neonConfig } from "@neondatabase/serverless";
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, ResultStream } from "../../result/types.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readPostgresCatalog } from "../catalog/postgres.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { PostgresConnection } from "../connection/postgres.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { type ServerError, silentPastTimeout, statementFailure } from "../postgres/failures.ts";
import { describeColumns, readColumns, readRow, type TextRow } from "../postgres/rows.ts";
import { effectiveTimeout, settingsStatement, valueContext } from "../postgres/session.ts";
import { sendableSql } from "../sql-text.ts";
import { HttpCalls } from "./calls.ts";
import { request } from "./request.ts";

/** Maximum size of a response in bytes. Parsed rows take several times as much of the Worker's 128 MB. */
const MAX_ANSWER = 16 * 1024 * 1024;
const BATCH_ROWS = 1000;
/** Extra time, so that the server's own time-out with its message arrives first. */
const GRACE_MS = 1000;

/** The key that passes a call's own `fetch` through the driver's options. */
const CALL = Symbol("call");
type CallFetch = (url: string, init: RequestInit) => Promise<Response>;

// The driver uses one `fetch` for the whole isolate; this one forwards to the `fetch` of each call.
neonConfig.fetchFunction = (url: string, init: RequestInit & { readonly [CALL]: CallFetch }) => init[CALL](url, init);

/** Nothing is sent before the first statement. */
export async function openNeon(
  connection: PostgresConnection,
  host: ConnectorHost,
  _options: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  return new NeonConnector(connection, host.fetch);
}

interface Answer {
  readonly fields: readonly FieldDef[];
  readonly rows: readonly TextRow[];
}

class NeonConnector implements Connector {
  readonly capabilities = CAPABILITIES.neon;
  readonly #connection: PostgresConnection;
  readonly #request: CallFetch;
  readonly #calls = new HttpCalls();

  constructor(connection: PostgresConnection, fetch: typeof globalThis.fetch) {
    this.#connection = connection;
    // The driver uses the host for a whole region, with `api.` in place of the endpoint's name.
    const origins = [`https://${connection.host.replace(/^[^.]+\./, "api.")}`];
    const isAnswer = (status: number): boolean => status === 200 || status === 400;
    const source = { fetch, origins, maxBytes: MAX_ANSWER, isAnswer, quotesRefusals: true };
    this.#request = (url, init) => request(source, url, init);
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    const sql = sendableSql(statement.sql);
    const [settings, answer] = await this.#run(statement, [sql], options, 0);
    const rows = answer?.rows ?? [];
    const columns = readColumns(answer?.fields ?? [], valueContext(settings?.rows[0] ?? []), rows);
    let start = 0;
    const pull = async (): Promise<Batch | undefined> => {
      if (options.signal.aborted) throw cancelled(options.signal);
      const some = rows.slice(start, start + BATCH_ROWS);
      start += BATCH_ROWS;
      return some.length === 0 ? undefined : some.map((row) => readRow(asText(row), columns));
    };
    const batches = new PulledBatches(pull, async () => undefined);
    return { columns: describeColumns(columns), batches, close: () => batches.close() };
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    // PREPARE parses and resolves names and types, without planning or running; the name ends with the transaction's session.
    const sql = `${PREPARE}${sendableSql(statement.sql)}`;
    await this.#run(statement, [sql, `DEALLOCATE ${PREPARED}`], options, PREPARE.length);
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return readPostgresCatalog(this, request, options);
  }

  async close(): Promise<void> {
    this.#calls.close();
  }

  /**
   * Runs settings and statements in one read-only transaction. `prefix`: length of the part of the first statement that is not
   * the caller's.
   */
  async #run(statement: Statement, sqls: readonly string[], options: CallOptions, prefix: number): Promise<Answer[]> {
    const { settings, applicationName } = this.#connection;
    const limit = effectiveTimeout(settings, options.timeoutMs);
    const milliseconds = limit === undefined ? undefined : limit + GRACE_MS;
    const name = { name: "application_name", value: applicationName ?? "siskin" };
    const first = settingsStatement([name, ...settings], statement.session, options.timeoutMs);
    return this.#calls.run(options, milliseconds, silentPastTimeout, async (signal) => {
      const driver = neon<true, true>(connectionString(this.#connection), {
        arrayMode: true,
        fullResults: true,
        disableWarningInBrowsers: true,
        readOnly: true,
        fetchOptions: { [CALL]: this.#request, signal },
      });
      const raw = { types: { getTypeParser: () => (text: string) => text } };
      try {
        const answers = await driver.transaction([
          driver.query(first.sql, [...first.values], raw),
          ...sqls.map((sql) => driver.query(sql, [], raw)),
        ]);
        return answers as unknown as Answer[];
      } catch (error) {
        throw asFailure(error, sqls[0] ?? "", prefix);
      }
    });
  }
}

const PREPARED = "siskin_dry_run";
const PREPARE = `PREPARE ${PREPARED} AS `;

function connectionString({ user, password, host, database }: PostgresConnection): string {
  const credentials = [user, password?.reveal() ?? ""].map(encodeURIComponent).join(":");
  return `postgresql://${credentials}@${host}/${encodeURIComponent(database)}`;
}

/** The driver passes on any JSON value; only texts are exact. */
function asText(row: TextRow): TextRow {
  if (!Array.isArray(row) || row.some((value) => value !== null && typeof value !== "string")) throw notNeon();
  return row;
}

function notNeon(cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer is not that of Neon's SQL over HTTP.", { cause });
}

function asFailure(error: unknown, sql: string, prefix: number): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  if (!(error instanceof NeonDbError)) return notNeon(error);
  const { message, code, detail, hint, position, sourceError } = error;
  if (sourceError !== undefined && (sourceError as Error) instanceof ConnectorFailure)
    return sourceError as ConnectorFailure;
  if (typeof code === "string" && code !== "") {
    const failure = statementFailure({ message, code, detail, hint, position } satisfies ServerError, sql);
    if (failure.position === undefined || prefix === 0) return failure;
    // Positions count from the start of the sent text, which includes a prefix.
    const details = { engineCode: code, cause: error, position: failure.position - prefix };
    return new ConnectorFailure(failure.reason, failure.message, {
      ...details,
      ...(failure.hint !== undefined && { hint: failure.hint }),
    });
  }
  // Neon's proxy rejects logins without a PostgreSQL error code.
  const reason = /authentication|password|role|endpoint|database/i.test(message)
    ? "AUTHENTICATION"
    : "UPSTREAM_PROTOCOL";
  return new ConnectorFailure(reason, message.slice(0, 4096), { cause: error });
}

/**
 * A statement in a session. The connector chooses its request id, so it can be cancelled before the first response. Rows that do
 * not fit into the response are stored as chunks in the storage of Snowflake's cloud.
 */
import { once } from "../../once.ts";
import type { SnowflakeConnection } from "../connection/snowflake.ts";
import { ConnectorFailure } from "../failure.ts";
import { byteLimited } from "../http/byte-limit.ts";
import { batchesOfJson } from "../http/json-rows.ts";
import type { StatementApi, StatementStep } from "../http/statement-api.ts";
import { type StoredPartSource, storedPart } from "../http/stored-part.ts";
import { columnsOf, failureOfStatement, parametersOf, type ReadColumns, type Sent } from "./access.ts";
import { MAX_ANSWER, notSnowflake } from "./answers.ts";
import { codeIn, dataIn, errorInSession, resultPathIn, type SessionResult, sessionResult } from "./session-answers.ts";

/** Loaded only if Snowflake sends Arrow, which the connector does not request. */
const arrow = once(() => import("./arrow-rows.ts"));

type Asked =
  | { readonly at: "begin" }
  | { readonly at: "wait"; readonly path: string }
  | { readonly at: "chunk"; readonly chunk: number };

/** The statement was accepted, and its result is not ready yet. */
const IN_PROGRESS: ReadonlySet<string | undefined> = new Set(["333333", "333334"]);

/** The part of a session that its statements use. */
interface AskedSession {
  readonly service: { readonly fetch: typeof globalThis.fetch; readonly origin: string };
  ask(path: string, init: RequestInit): Promise<object>;
}

export class SessionStatement implements StatementApi<Asked> {
  readonly #connection: SnowflakeConnection;
  readonly #session: AskedSession;
  readonly #sent: Sent;
  readonly #timeoutMs: number;
  readonly #requestId = crypto.randomUUID();
  #tries = 0;
  #result: SessionResult | undefined;
  #read: ReadColumns = { columns: [], readers: [] };

  constructor(connection: SnowflakeConnection, session: AskedSession, sent: Sent, timeoutMs: number) {
    this.#connection = connection;
    this.#session = session;
    this.#sent = sent;
    this.#timeoutMs = timeoutMs;
  }

  /** Sends nothing yet: Snowflake delays its first response for up to most of a minute, in which the caller may disconnect. */
  async submit(): Promise<StatementStep<Asked>> {
    return { next: { at: "begin" } };
  }

  async poll(asked: Asked, signal: AbortSignal): Promise<StatementStep<Asked>> {
    switch (asked.at) {
      case "begin":
        return this.#take(await this.#begin(signal));
      case "wait":
        return this.#take(await this.#session.ask(asked.path, { signal }));
      case "chunk":
        return this.#chunk(asked.chunk, signal);
      default:
        return asked satisfies never;
    }
  }

  async cancel(asked: Asked, signal: AbortSignal): Promise<void> {
    if (asked.at === "chunk" || this.#tries === 0) return;
    const body = JSON.stringify({ requestId: this.#requestId, sqlText: "" });
    await this.#session.ask(`/queries/v1/abort-request?requestId=${crypto.randomUUID()}`, {
      method: "POST",
      body,
      signal,
    });
  }

  /** Retries once without a response: Snowflake recognises a statement that it has already started by its request id. */
  async #begin(signal: AbortSignal): Promise<object> {
    try {
      return await this.#send(signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ConnectorFailure) || error.reason !== "HOST_UNREACHABLE") throw error;
      return this.#send(signal);
    }
  }

  #send(signal: AbortSignal): Promise<object> {
    const { sql, prefix } = this.#sent;
    const again = this.#tries === 0 ? "" : `&retryCount=${this.#tries}`;
    this.#tries++;
    return this.#session.ask(`/queries/v1/query-request?requestId=${this.#requestId}${again}`, {
      method: "POST",
      signal,
      body: JSON.stringify({
        sqlText: prefix + sql,
        asyncExec: false,
        disableOfflineChunks: false,
        querySubmissionTime: Date.now(),
        parameters: {
          ...parametersOf(this.#connection, this.#sent),
          STATEMENT_TIMEOUT_IN_SECONDS: String(Math.max(1, Math.ceil(this.#timeoutMs / 1000))),
        },
      }),
    });
  }

  #take(json: object): StatementStep<Asked> {
    const data = (json as { readonly data?: unknown }).data;
    if (IN_PROGRESS.has(codeIn(json)) && typeof data === "object" && data !== null) {
      return { next: { at: "wait", path: resultPathIn(data as Readonly<Record<string, unknown>>) } };
    }
    const told = dataIn(json);
    if (told === undefined) return { failure: failureOfStatement(errorInSession(json), this.#sent), next: undefined };
    const result = sessionResult(told);
    this.#read = columnsOf(result.columns, this.#sent);
    this.#result = result;
    // Arrow rows need a module that is loaded on demand, so they are a separate step, like chunks.
    if (result.format === "arrow") return { columns: this.#read.columns, next: { at: "chunk", chunk: -1 } };
    const { rowset } = result;
    this.#assertRows(rowset.length, this.#rowsOfAnswer());
    return {
      columns: this.#read.columns,
      rows: batchesOfJson(rowset, this.#read.readers, "VARCHAR"),
      next: this.#after(-1),
    };
  }

  #rowsOfAnswer(): number {
    const { total = 0, chunks = [] } = this.#result ?? {};
    return chunks.reduce((left, { rowCount }) => left - rowCount, total);
  }

  #after(chunk: number): Asked | undefined {
    return chunk + 1 < (this.#result?.chunks.length ?? 0) ? { at: "chunk", chunk: chunk + 1 } : undefined;
  }

  #assertRows(came: number, told: number): void {
    if (came !== told) throw notSnowflake(`A part of the result has ${told} rows, and ${came} came.`);
  }

  async #chunk(index: number, signal: AbortSignal): Promise<StatementStep<Asked>> {
    const { format, rowsetBase64, columns: described = [] } = this.#result ?? {};
    const told = index < 0 ? this.#rowsOfAnswer() : (this.#result?.chunks[index]?.rowCount ?? 0);
    const next = this.#after(index);
    if (format !== "arrow") {
      const rows = jsonRows(await this.#chunkBytes(index, signal));
      this.#assertRows(rows.length, told);
      return { rows: batchesOfJson(rows, this.#read.readers, "VARCHAR"), next };
    }
    const { arrowRows, bytesOfBase64 } = await arrow();
    const bytes = index < 0 ? bytesOfBase64(rowsetBase64 ?? "") : await this.#chunkBytes(index, signal);
    const { count, batches } = arrowRows(bytes, described, this.#read.columns);
    this.#assertRows(count, told);
    return { rows: batches, next };
  }

  async #chunkBytes(index: number, signal: AbortSignal): Promise<Uint8Array> {
    const { chunks = [], chunkHeaders = {} } = this.#result ?? {};
    const { fetch, origin } = this.#session.service;
    const source: StoredPartSource = { fetch, own: origin, maxBytes: MAX_ANSWER };
    const part = { url: chunks[index]?.url ?? "", headers: chunkHeaders };
    const bytes = await storedPart(part, source, signal);
    if (bytes !== "expired") return decompressed(bytes);
    throw new ConnectorFailure(
      "SOURCE_ERROR",
      "The storage does not give the rows out: their addresses have expired.",
      {
        hint: "Read the answer faster, or ask for fewer rows.",
      },
    );
  }
}

/** Storages do not always declare gzip in a header. */
async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body?.pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(byteLimited(stream ?? null, MAX_ANSWER)).arrayBuffer());
  } catch (cause) {
    if (cause instanceof ConnectorFailure) throw cause;
    throw notSnowflake("A part of the result is not what it was compressed from.", cause);
  }
}

/** The rows of a chunk are a list without the brackets of a JSON array. */
function jsonRows(bytes: Uint8Array): readonly unknown[] {
  try {
    return JSON.parse(`[${new TextDecoder().decode(bytes)}]`) as readonly unknown[];
  } catch (cause) {
    throw notSnowflake("A part of the result is not JSON.", cause);
  }
}

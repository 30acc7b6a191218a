/**
 * Trino over its client protocol: a statement is posted, and each response contains the address of the next part
 * (https://trino.io/docs/current/develop/client-protocol.html). Every request contains the session settings.
 */

import type { Column, ResultStream } from "../../result/types.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readTrinoCatalog } from "../catalog/trino.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import { originOf, type TrinoConnection } from "../connection/trino.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { sendableSql } from "../sql-text.ts";
import { type TrinoError, trinoFailure } from "../trino/failures.ts";
import { keepsFences, unfenced } from "../trino/fences.ts";
import { assertReads } from "../trino/queries.ts";
import { type TypeSignature, typeReader } from "../trino/values.ts";
import { parseExactJson } from "./exact-json.ts";
import { batchesOfJson, type JsonColumn } from "./json-rows.ts";
import { type HttpSource, request } from "./request.ts";
import { ApiStatements, type StatementApi, type StatementStep } from "./statement-api.ts";

/** Maximum size of a response in bytes; its rows take several times as much of the Worker's 128 MB. */
const MAX_ANSWER = 16 * 1024 * 1024;
/** Requested size of a response; Trino exceeds it by up to one row. */
const TARGET_ANSWER = "1MB";

/** Nothing is sent before the first statement. */
export async function openTrino(
  connection: TrinoConnection,
  host: Pick<ConnectorHost, "fetch">,
  _options: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  return new TrinoConnector(connection, host.fetch);
}

class TrinoConnector implements Connector {
  readonly capabilities = CAPABILITIES.trino;
  readonly #connection: TrinoConnection;
  readonly #source: HttpSource;
  readonly #statements = new ApiStatements();

  constructor(connection: TrinoConnection, fetch: typeof globalThis.fetch) {
    this.#connection = connection;
    const isAnswer = (status: number): boolean => status === 200 || status === 204 || isForgotten(status);
    this.#source = { fetch, origins: [originOf(connection)], maxBytes: MAX_ANSWER, isAnswer, quotesRefusals: false };
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return this.#run(statement, "", options);
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    // On a separate line, so that columns in error positions stay correct; only the line number is larger by one.
    const result = await this.#run(statement, "EXPLAIN (TYPE VALIDATE)\n", options);
    for await (const _ of result.batches);
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return readTrinoCatalog(this, request, options);
  }

  close(): Promise<void> {
    return this.#statements.close();
  }

  async #run(statement: Statement, prefix: string, options: CallOptions): Promise<ResultStream> {
    const sql = sendableSql(statement.sql);
    assertReads(sql);
    const headers = headersOf(this.#connection, statement, options.timeoutMs);
    const isFenced = statement.fenced === true;
    return this.#statements.query(new TrinoStatement(this.#source, headers, { prefix, sql, isFenced }), options);
  }
}

/** The members of a response that are used. */
interface Answer {
  readonly nextUri?: string;
  readonly columns?: readonly { readonly name: string; readonly type: string; readonly typeSignature: TypeSignature }[];
  readonly data?: readonly unknown[];
  readonly error?: TrinoError;
}

class TrinoStatement implements StatementApi<string> {
  readonly #source: HttpSource;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #prefix: string;
  readonly #sql: string;
  readonly #isFenced: boolean;
  #columns: readonly Column[] | undefined;
  #readers: readonly JsonColumn[] = [];

  constructor(
    source: HttpSource,
    headers: Readonly<Record<string, string>>,
    { prefix, sql, isFenced }: { readonly prefix: string; readonly sql: string; readonly isFenced: boolean },
  ) {
    this.#source = source;
    this.#headers = headers;
    this.#prefix = prefix;
    this.#sql = sql;
    this.#isFenced = isFenced;
  }

  async submit(signal: AbortSignal): Promise<StatementStep<string>> {
    const [origin = ""] = this.#source.origins;
    if (this.#isFenced) {
      const info = await request(this.#source, `${origin}/v1/info`, { headers: this.#headers, signal });
      if (!keepsFences(await jsonOf(info))) throw unfenced();
    }
    return this.#ask(`${origin}/v1/statement`, { method: "POST", body: this.#prefix + this.#sql, signal });
  }

  async poll(next: string, signal: AbortSignal): Promise<StatementStep<string>> {
    const step = await this.#ask(`${next}?targetResultSize=${TARGET_ANSWER}`, { signal });
    // Otherwise its rows would be read again in an endless loop.
    if (step.rows !== undefined && step.next !== undefined && leadsBack(step.next, next))
      throw notTrino("A part of the answer leads back.");
    return step;
  }

  async cancel(next: string, signal: AbortSignal): Promise<void> {
    await request(this.#source, next, { method: "DELETE", headers: this.#headers, signal });
  }

  async #ask(url: string, init: RequestInit): Promise<StatementStep<string>> {
    const response = await request(this.#source, url, { ...init, headers: this.#headers });
    if (isForgotten(response.status)) {
      await response.body?.cancel();
      if (init.method === "POST") throw notTrino();
      return { failure: noLonger(), next: undefined };
    }
    const { nextUri, columns, data, error } = await answerOf(response);
    if (columns !== undefined) this.#describe(columns);
    return {
      columns: this.#columns,
      rows: data === undefined ? undefined : batchesOfJson(data, this.#readers, "varchar"),
      failure: error === undefined ? undefined : trinoFailure(error, this.#sql, this.#prefix === "" ? 0 : 1),
      next: nextUri,
    };
  }

  #describe(columns: NonNullable<Answer["columns"]>): void {
    if (this.#columns !== undefined) return;
    const readers = columns.map(({ name, type, typeSignature }) => {
      try {
        return { name, ...typeReader(typeSignature, type) };
      } catch (cause) {
        throw notTrino(undefined, cause);
      }
    });
    this.#readers = readers;
    this.#columns = readers.map(({ name, type }) => ({ name, type }));
  }
}

/** The coordinator does not have, or no longer has, the statement or the part of its rows. */
function isForgotten(status: number): boolean {
  return status === 404 || status === 410;
}

function noLonger(): ConnectorFailure {
  return new ConnectorFailure("SOURCE_ERROR", "The result no longer exists.", {
    hint: "A coordinator forgets what nobody asks after for a while (query.client.timeout), and everything when it starts anew.",
  });
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return parseExactJson(await response.text());
  } catch (cause) {
    if (cause instanceof ConnectorFailure) throw cause;
    throw notTrino(undefined, cause);
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const answer = await jsonOf(response);
  if (typeof answer !== "object" || answer === null || !("stats" in answer)) throw notTrino();
  const { nextUri, columns, data, error } = answer as Answer;
  const isRead =
    (nextUri === undefined || (typeof nextUri === "string" && !/[?#]/.test(nextUri))) &&
    (columns === undefined || (Array.isArray(columns) && columns.every(isColumn))) &&
    (data === undefined || (Array.isArray(data) && columns !== undefined));
  if (!isRead) throw notTrino();
  return {
    ...(nextUri !== undefined && { nextUri }),
    ...(columns !== undefined && { columns }),
    ...(data !== undefined && { data }),
    ...(error != null && { error }),
  };
}

function isColumn(column: unknown): boolean {
  if (typeof column !== "object" || column === null) return false;
  const { name, type, typeSignature } = column as Readonly<Record<string, unknown>>;
  return typeof name === "string" && typeof type === "string" && typeof typeSignature === "object";
}

/** The addresses of parts end with a counter. */
function leadsBack(next: string, asked: string): boolean {
  if (next === asked) return true;
  const [, way, count] = COUNTED.exec(next) ?? [];
  const [, askedWay, askedCount] = COUNTED.exec(asked) ?? [];
  if (way !== askedWay || count === undefined || askedCount === undefined) return false;
  return BigInt(count) <= BigInt(askedCount);
}

const COUNTED = /^(.*\/)(\d{1,20})$/s;

function notTrino(
  message = "The answer is not that of Trino's client protocol.",
  cause: unknown = undefined,
): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", message, {
    hint: "Check that host and port are those of a Trino coordinator.",
    cause,
  });
}

function headersOf(connection: TrinoConnection, statement: Statement, timeoutMs: number): Record<string, string> {
  const { user, password, accessToken, catalog, schema, applicationName, isSecure } = connection;
  const settings = new Map([["query_max_execution_time", `${Math.max(1, Math.ceil(timeoutMs))}ms`]]);
  for (const { name, value } of [...connection.settings, ...statement.session]) settings.set(name, value);
  return {
    "content-type": "text/plain; charset=utf-8",
    "x-trino-user": user,
    "x-trino-catalog": catalog,
    "x-trino-schema": schema,
    "x-trino-source": applicationName ?? "siskin",
    "x-trino-time-zone": "UTC",
    // Without this capability, Trino rounds timestamps and times to milliseconds before it sends them.
    "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
    "x-trino-session": [...settings].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join(","),
    ...(isSecure && password !== undefined && { authorization: `Basic ${base64(`${user}:${password.reveal()}`)}` }),
    ...(isSecure && accessToken !== undefined && { authorization: `Bearer ${accessToken.reveal()}` }),
  };
}

/**
 * One byte per character, as Trino decodes it (seen on 476), and UTF-8 for texts with other characters: `btoa` accepts only
 * bytes.
 */
function base64(text: string): string {
  return btoa(/^[\0-\xff]*$/.test(text) ? text : String.fromCharCode(...new TextEncoder().encode(text)));
}

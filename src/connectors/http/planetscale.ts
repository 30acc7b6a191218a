/**
 * PlanetScale's SQL over HTTPS: one request per statement, the whole result at once. The servers do not prepare statements over
 * it, so only the plan and a check of the first keyword guarantee that statements are read-only.
 */

import { type Connection, connect, DatabaseError, type ExecutedQuery } from "@planetscale/database";
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, ResultStream, Row } from "../../result/types.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readMySqlCatalog } from "../catalog/mysql.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { MySqlConnection } from "../connection/mysql.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { asListMeant } from "../json-lists.ts";
import { silentPastTimeout, statementFailure } from "../mysql/failures.ts";
import { checkFences } from "../mysql/fences.ts";
import { asMeant } from "../mysql/meant-types.ts";
import { checkApplied, settingsOverHttp } from "../mysql/session-settings.ts";
import { type TextColumn, textColumn } from "../mysql/text-values.ts";
import { sendableSql } from "../sql-text.ts";
import { failureOfColumn, UnreadableValue } from "../unreadable-value.ts";
import { checkVariant } from "../variants.ts";
import { HttpCalls } from "./calls.ts";
import { request } from "./request.ts";

/** Maximum size of a response in bytes. Parsed rows take several times as much of the Worker's 128 MB. */
const MAX_ANSWER = 16 * 1024 * 1024;
const BATCH_ROWS = 1000;

/** Extra time, so that the server's own time-out with its message arrives first. */
const GRACE_MS = 1000;

/** Nothing is sent before the first statement. */
export async function openPlanetScale(
  connection: MySqlConnection,
  host: ConnectorHost,
  _options: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  return new PlanetScaleConnector(connection, host.fetch);
}

/** Texts of one character per byte, as the driver decodes them from base64. */
type RawRow = readonly (string | null)[];

class PlanetScaleConnector implements Connector {
  readonly capabilities = CAPABILITIES.planetscale;
  readonly #connection: MySqlConnection;
  readonly #request: (url: string, init: RequestInit) => Promise<Response>;
  readonly #calls = new HttpCalls();

  constructor(connection: MySqlConnection, fetch: typeof globalThis.fetch) {
    this.#connection = connection;
    const isAnswer = (status: number): boolean => status === 200 || status === 400;
    const source = {
      fetch,
      origins: [`https://${connection.host}`],
      maxBytes: MAX_ANSWER,
      isAnswer,
      quotesRefusals: true,
    };
    this.#request = (url, init) => request(source, url, init);
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    const { fields, rows } = await this.#run(statement, "", options);
    const columns = fields.map((field, index): TextColumn => {
      const column = textColumn(field);
      const told = statement.columns[index]?.type;
      return { name: column.name, ...asListMeant(asMeant(column, told), told) };
    });
    let start = 0;
    const pull = async (): Promise<Batch | undefined> => {
      if (options.signal.aborted) throw cancelled(options.signal);
      const some = (rows as RawRow[]).slice(start, start + BATCH_ROWS);
      start += BATCH_ROWS;
      return some.length === 0 ? undefined : some.map((row) => readRow(row, columns));
    };
    const batches = new PulledBatches(pull, async () => undefined);
    return { columns: columns.map(({ name, type }) => ({ name, type })), batches, close: () => batches.close() };
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    await this.#run(statement, "EXPLAIN ", options);
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return readMySqlCatalog(this, request, options);
  }

  async close(): Promise<void> {
    this.#calls.close();
  }

  /** Sends the settings first: the response names the session for the next request. */
  async #run(statement: Statement, prefix: string, options: CallOptions): Promise<ExecutedQuery> {
    // Vitess has its own query planner.
    checkFences(statement, false);
    checkVariant(statement, undefined);
    const sql = readOnly(sendableSql(statement.sql));
    const applied = settingsOverHttp(statement.session, options.timeoutMs);
    return this.#calls.run(options, options.timeoutMs + GRACE_MS, silentPastTimeout, async (signal) => {
      const session = this.#session(signal);
      await execute(session, applied.set);
      const { rows } = await execute(session, applied.readBack);
      checkApplied(applied, (rows as RawRow[])[0] ?? []);
      return execute(session, prefix + sql, sql);
    });
  }

  #session(signal: AbortSignal): Connection {
    const { host, user, password } = this.#connection;
    // The driver sets options that the platform does not support (`cache`), and passes no signal.
    const fetch = (url: string, { method, body, headers }: RequestInit): Promise<Response> =>
      this.#request(url, { method: method ?? "POST", body: body ?? null, headers: headers ?? {}, signal });
    const username = byteCharacters(user);
    return connect({ host, username, password: byteCharacters(password?.reveal() ?? ""), fetch: fetch as never });
  }
}

/** The driver encodes them in base64, which accepts only one-byte characters. */
function byteCharacters(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** `written`: the part of the SQL that the caller wrote. */
async function execute(session: Connection, sql: string, written?: string): Promise<ExecutedQuery> {
  try {
    return await session.execute(sql, null, { as: "array", cast: (_field, value) => value });
  } catch (error) {
    throw asFailure(error, written);
  }
}

const QUERY = /(?:SELECT|WITH|SHOW|VALUES|TABLE)\b/iy;
const BLANK_OR_PARENTHESIS = /[\s(]*/y;

/** The offset after blanks, parentheses and comments, except comments that the server runs (`/*! … *\/`). */
function firstWord(sql: string): number {
  for (let at = 0; ; ) {
    BLANK_OR_PARENTHESIS.lastIndex = at;
    at += BLANK_OR_PARENTHESIS.exec(sql)?.[0].length ?? 0;
    if (!sql.startsWith("/*", at) || sql[at + 2] === "!") return at;
    const end = sql.indexOf("*/", at + 2);
    if (end < 0) return sql.length;
    at = end + 2;
  }
}

/** The planner's grammar guarantees that a plan is a query; this check stops any other text. */
function readOnly(sql: string): string {
  QUERY.lastIndex = firstWord(sql);
  if (QUERY.test(sql)) return sql;
  throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only queries are run: this statement is not one.");
}

function readRow(row: RawRow, columns: readonly TextColumn[]): Row {
  if (!Array.isArray(row) || row.length !== columns.length) throw notPlanetScale();
  return columns.map(({ name, read }, index) => {
    const value = row[index];
    if (typeof value !== "string") return null;
    try {
      return read(Uint8Array.from(value, (character) => character.charCodeAt(0)));
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw notPlanetScale(error);
      throw failureOfColumn(name, error, "text");
    }
  });
}

function notPlanetScale(cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer is not that of PlanetScale's SQL over HTTP.", { cause });
}

/** The message of the MySQL server is between the names of the servers that forwarded it. */
const SERVER_ERROR = / \(errno (\d+)\) \(sqlstate (\w{5})\)/;

function asFailure(error: unknown, sql: string | undefined): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  if (!(error instanceof DatabaseError)) return notPlanetScale(error);
  const found = SERVER_ERROR.exec(error.message);
  if (found !== null) {
    const [, number = "", state = ""] = found;
    const line = error.message.slice(error.message.lastIndexOf("\n", found.index) + 1, found.index);
    const message = line.split("desc = ").at(-1) ?? "";
    return statementFailure({ number: Number(number), state, message }, sql);
  }
  const { code } = (error.body ?? {}) as { readonly code?: string };
  const reason = code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED" ? "AUTHENTICATION" : "SOURCE_ERROR";
  return new ConnectorFailure(reason, error.message.slice(0, 4096), {
    ...(typeof code === "string" && { engineCode: code }),
    cause: error,
  });
}

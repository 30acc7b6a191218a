/**
 * ClickHouse over its HTTP interface (https://clickhouse.com/docs/interfaces/http). The vendor's client sends the requests. This
 * file handles time limits, cancellation, answers and errors (docs/decisions/0056-vendors-clients.md#decision).
 */
import { ClickHouseLogLevel, createClient } from "@clickhouse/client-web";
import type { Column, ResultStream } from "../../result/types.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readClickHouseCatalog } from "../catalog/clickhouse.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import { clickHouseFailure, isSettingRefused, parseException } from "../clickhouse/failures.ts";
import { IDENTIFY_SERVER, keepsFences, unfenced } from "../clickhouse/fences.ts";
import { RowStream } from "../clickhouse/row-stream.ts";
import { customSetting, OF_EVERY_STATEMENT } from "../clickhouse/settings.ts";
import { type ClickHouseConnection, originOf } from "../connection/clickhouse.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { asMeant } from "../meant-type.ts";
import { isOfCaller } from "../session-properties.ts";
import { sendableSql } from "../sql-text.ts";
import { pause } from "../watch.ts";
import { byteLimited } from "./byte-limit.ts";
import { type HttpSource, request } from "./request.ts";
import { ApiStatements, type StatementApi, type StatementStep } from "./statement-api.ts";

const FORMAT = "RowBinaryWithNamesAndTypes";
/** Maximum length of an exception's text, which may contain the whole statement. */
const MAX_EXCEPTION = 64 * 1024;
/** The client's own time-out, which covers only the headers of a response, is set to the maximum of a timer. */
const NEVER_MS = 2 ** 31 - 1;
/** Chunks of a body that are read before the event loop gets a turn. */
const PIECES_IN_A_ROW = 16;
/** A statement to kill may not have started yet: pauses before the next attempts. */
const KILL_PAUSES_MS = [0, 50, 250, 1000];

/** Nothing is sent before the first statement. */
export async function openClickHouse(
  connection: ClickHouseConnection,
  host: Pick<ConnectorHost, "fetch">,
  _options: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  return new ClickHouseConnector(connection, host.fetch);
}

class ClickHouseConnector implements Connector {
  readonly capabilities = CAPABILITIES.clickhouse;
  readonly #server: Server;
  readonly #statements = new ApiStatements();

  constructor(connection: ClickHouseConnection, fetch: typeof globalThis.fetch) {
    this.#server = new Server(connection, fetch);
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return asMeant(await this.#run(statement, "", "", options), statement);
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    // ClickHouse determines the types of a query's columns without running any part of it; EXPLAIN would compute scalar
    // subqueries.
    const result = await this.#run(statement, "DESCRIBE TABLE (", "\n)", options);
    for await (const _ of result.batches);
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return readClickHouseCatalog(this, request, options);
  }

  close(): Promise<void> {
    return this.#statements.close();
  }

  async #run(statement: Statement, before: string, behind: string, options: CallOptions): Promise<ResultStream> {
    const sql = sendableSql(statement.sql);
    return this.#statements.query(
      new ClickHouseStatement(this.#server, { ...statement, sql }, before, behind, options.timeoutMs),
      options,
    );
  }
}

type Settings = Readonly<Record<string, string>>;

interface Answer {
  readonly body: ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An exception instead of a result. */
class Refused extends Error {
  readonly text: string;

  constructor(text: string) {
    super("refused");
    this.text = text;
  }
}

/** Requests to the server of a connection. */
class Server {
  readonly connection: ClickHouseConnection;
  readonly #source: HttpSource;

  constructor(connection: ClickHouseConnection, fetch: typeof globalThis.fetch) {
    this.connection = connection;
    const isAnswer = (status: number, headers: Headers): boolean =>
      status === 200 || headers.has("x-clickhouse-exception-code");
    const maxBytes = Number.POSITIVE_INFINITY;
    this.#source = { fetch, origins: [originOf(connection)], maxBytes, isAnswer, quotesRefusals: false };
  }

  /** Rejects with `Refused`, with `ConnectorFailure`, or with any error once the signal has fired. */
  async ask(sql: string, id: string, settings: Settings, signal: AbortSignal): Promise<Answer> {
    let failure: unknown;
    const client = createClient({
      ...this.#configuration(),
      fetch: async (input, init) => {
        try {
          const response = await request(this.#source, String(input), init ?? {});
          if (response.status === 200 && !response.headers.has("x-clickhouse-exception-code")) return response;
          throw new Refused(await new Response(byteLimited(response.body, MAX_EXCEPTION)).text());
        } catch (error) {
          failure = error;
          throw error;
        }
      },
    });
    try {
      // The client omits a database with the name `default`, although the user may have another default database.
      const { database } = this.connection;
      const sent = { query: sql, query_id: id, clickhouse_settings: { ...settings, database }, abort_signal: signal };
      const { stream, response_headers } = await client.exec(sent);
      return { body: stream, headers: response_headers };
    } catch (error) {
      // The client replaces the text of every exception with its own error.
      throw failure ?? error;
    }
  }

  /**
   * Whether the user's profile allows neither writing nor settings: then the server may have rejected a setting of the statement.
   */
  async onlyReads(signal: AbortSignal): Promise<boolean> {
    return (await this.line("SELECT toUInt8(getSetting('readonly'))", signal).catch(() => "")) === "1\n";
  }

  /** Runs a statement of the connector, and returns its output. */
  async line(sql: string, signal: AbortSignal): Promise<string> {
    const { body } = await this.ask(sql, crypto.randomUUID(), { default_format: "TabSeparated" }, signal);
    return new Response(body).text();
  }

  #configuration() {
    const { user, password, accessToken, applicationName } = this.connection;
    const account =
      accessToken === undefined
        ? { username: byteCharacters(user), password: byteCharacters(password?.reveal() ?? "") }
        : { access_token: accessToken.reveal() };
    return {
      url: originOf(this.connection),
      ...account,
      request_timeout: NEVER_MS,
      keep_alive: { enabled: false },
      log: { level: ClickHouseLogLevel.OFF },
      http_headers: { "user-agent": applicationName ?? "siskin" },
    };
  }
}

/** The client encodes them in base64, which accepts only one-byte characters. */
function byteCharacters(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** The start of a step: the request until its response, and then its body. */
interface Running {
  readonly answer: Promise<Answer>;
  readonly ending: AbortController;
}

class ClickHouseStatement implements StatementApi<Running> {
  readonly #server: Server;
  readonly #statement: Statement;
  readonly #before: string;
  readonly #behind: string;
  readonly #timeoutMs: number;
  readonly #id = crypto.randomUUID();
  #rows: RowStream | undefined;
  #body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isBare = false;
  #pieces = 0;

  constructor(server: Server, statement: Statement, before: string, behind: string, timeoutMs: number) {
    this.#server = server;
    this.#statement = statement;
    this.#before = before;
    this.#behind = behind;
    this.#timeoutMs = timeoutMs;
  }

  /** The connector chooses the query id, so the statement can be cancelled as soon as the request is sent. */
  async submit(): Promise<StatementStep<Running>> {
    return { next: this.#start() };
  }

  async poll(running: Running, signal: AbortSignal): Promise<StatementStep<Running>> {
    try {
      return await this.#step(running);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Refused) return this.#refused(error.text, signal);
      // An unreadable row ends the statement; a failed request has already ended it.
      if (this.#body !== undefined) throw error;
      return { failure: error instanceof ConnectorFailure ? error : notClickHouse(error), next: undefined };
    }
  }

  async cancel({ ending }: Running, signal: AbortSignal): Promise<void> {
    ending.abort();
    // A statement with a response has started, and is found at once unless closing the connection has ended it.
    for (const milliseconds of this.#body === undefined ? KILL_PAUSES_MS : [0]) {
      if (milliseconds > 0) await pause(milliseconds, signal);
      // The answer has one line for each killed statement.
      if ((await this.#server.line(`KILL QUERY WHERE query_id = '${this.#id}' ASYNC`, signal)) !== "") return;
    }
  }

  #start(): Running {
    const ending = new AbortController();
    const answer = this.#answer(ending.signal);
    // `poll` reports the failure; without a poll it may be ignored.
    answer.catch(() => undefined);
    return { answer, ending };
  }

  async #answer(signal: AbortSignal): Promise<Answer> {
    const { sql, fenced } = this.#statement;
    if (fenced === true && !keepsFences(await this.#server.line(IDENTIFY_SERVER, signal))) throw unfenced();
    const text = this.#before + sql + this.#behind + this.#customSettings();
    return this.#server.ask(text, this.#id, this.#settings(), signal);
  }

  /** Custom settings with values of the caller's session, as literals of the statement. DESCRIBE reads no row. */
  #customSettings(): string {
    const custom = this.#before === "" ? this.#statement.session.filter(isOfCaller) : [];
    return custom.length === 0 ? "" : `\nSETTINGS ${custom.map(customSetting).join(", ")}`;
  }

  #settings(): Settings {
    const format = { default_format: FORMAT, enable_http_compression: "1" };
    if (this.#isBare) return { default_format: FORMAT };
    const limit = { name: "max_execution_time", value: String(Math.max(1, this.#timeoutMs) / 1000) };
    const settings = [limit, ...this.#server.connection.settings, ...OF_EVERY_STATEMENT, ...this.#statement.session];
    const sent = settings.filter((setting) => !isOfCaller(setting));
    return { ...format, ...Object.fromEntries(sent.map(({ name, value }) => [name, value])) };
  }

  async #step(running: Running): Promise<StatementStep<Running>> {
    if (this.#body === undefined) {
      const { body, headers } = await running.answer;
      if (headers["x-clickhouse-format"] !== FORMAT) {
        running.ending.abort();
        throw notClickHouse();
      }
      this.#body = body.getReader();
      const tag = headers["x-clickhouse-exception-tag"]?.toString() ?? null;
      // DESCRIBE TABLE returns columns that describe the table's columns.
      const columns = this.#before === "" ? this.#statement.columns : [];
      this.#rows = new RowStream(tag, !this.#isBare, (column) => columns[column]?.type);
    }
    const rows = this.#rows as RowStream;
    for (;;) {
      const batches = rows.rows();
      if (batches !== undefined) return { columns: rows.columns, rows: batches, next: running };
      // If bytes are always available, workerd runs no timers and detects no disconnect.
      if (++this.#pieces % PIECES_IN_A_ROW === 0) await pause(0, running.ending.signal);
      const piece = await this.#body.read().catch((cause: unknown) => ({ done: true as const, cause }));
      if (piece.done) return this.#over(rows, "cause" in piece ? piece.cause : undefined);
      rows.push(piece.value as Uint8Array);
    }
  }

  /** `cause`: the reason why the body broke off, if it did. */
  #over(rows: RowStream, cause: unknown): StatementStep<Running> {
    rows.end();
    const exception = rows.exception();
    if (exception !== undefined) return { columns: rows.columns, failure: this.#failure(exception), next: undefined };
    // Bytes that were held back may be the last rows.
    const batches = rows.rows();
    const columns: readonly Column[] | undefined = rows.columns;
    if (cause === undefined && batches === undefined && !rows.isCut()) return { columns, next: undefined };
    if (cause === undefined && batches !== undefined) {
      return { columns, rows: untilCut(batches, rows), next: undefined };
    }
    const details = cause === undefined ? {} : { cause };
    return {
      columns,
      failure: new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer broke off.", details),
      next: undefined,
    };
  }

  async #refused(text: string, signal: AbortSignal): Promise<StatementStep<Running>> {
    const exception = parseException(text);
    // A statement without settings means the same in any session; this holds for the catalogue's statements.
    const isFree = !this.#isBare && this.#statement.session.length === 0;
    if (exception && isSettingRefused(exception) && isFree && (await this.#server.onlyReads(signal))) {
      this.#isBare = true;
      return { next: this.#start() };
    }
    return { failure: this.#failure(text), next: undefined };
  }

  #failure(text: string): ConnectorFailure {
    const exception = parseException(text);
    if (exception === undefined) return notClickHouse();
    const { sql } = this.#statement;
    // The client trims the statement, which shifts positions.
    const blanks = this.#before === "" ? sql.length - sql.trimStart().length : 0;
    return clickHouseFailure(
      exception,
      { sql, before: this.#before.length - blanks },
      this.#server.connection.database,
    );
  }
}

function* untilCut<T>(batches: Iterator<T>, rows: RowStream): Generator<T, void> {
  for (let next = batches.next(); !next.done; next = batches.next()) yield next.value;
  if (rows.isCut()) throw new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer broke off.");
}

function notClickHouse(cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer is not that of ClickHouse's HTTP interface.", {
    hint: "Check that the port is that of HTTP (8123, or 8443 with TLS), and not of the native protocol (9000, 9440).",
    cause,
  });
}

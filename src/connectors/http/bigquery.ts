/**
 * BigQuery by its REST API: a statement is sent with `jobs.query` and polled with `getQueryResults`, and its rows are read in
 * pages (https://cloud.google.com/bigquery/docs/reference/rest). No state outlives a statement: its settings are sent with it.
 */
import type { Secret } from "../../guard/secret.ts";
import type { Column, ResultStream } from "../../result/types.ts";
import { accessToken } from "../bigquery/access-token.ts";
import { errorIn, isJson, type Job, jsonOf, notBigQuery, type QueryAnswer, queryAnswer } from "../bigquery/answers.ts";
import { bigQueryFailure } from "../bigquery/failures.ts";
import { assertReads } from "../bigquery/queries.ts";
import { columnOf } from "../bigquery/values.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readBigQueryCatalog } from "../catalog/bigquery.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { BigQueryConnection } from "../connection/bigquery.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { sendableSql } from "../sql-text.ts";
import { within } from "../watch.ts";
import { HttpCalls } from "./calls.ts";
import { batchesOfJson, type JsonColumn } from "./json-rows.ts";
import { type HttpSource, request, retryAfterHeader } from "./request.ts";
import { ApiStatements, type StatementApi, type StatementStep } from "./statement-api.ts";

const ORIGIN = "https://bigquery.googleapis.com";

/** Maximum size of a response: Google puts up to 10 MB of rows into one, plus the JSON syntax. */
const MAX_ANSWER = 48 * 1024 * 1024;
/** Maximum rows per response; Google may send fewer. */
const PAGE_ROWS = 10_000;

/** No job id is known before the first response, so it cannot be cancelled. Most statements have ended by then. */
const FIRST_WAIT_MS = 1000;
/** Later responses may take longer: the connection is closed when the caller stops. */
const WAIT_MS = 10_000;

/** Maximum consecutive failed polls; a failed job returns the same status. */
const MOST_RETRIES = 5;

/** Requests an access token; sends nothing else before the first statement. */
export async function openBigQuery(
  connection: BigQueryConnection,
  { fetch, connectTimeoutMs }: Pick<ConnectorHost, "fetch" | "connectTimeoutMs">,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const token = await within(
    { signal, milliseconds: connectTimeoutMs },
    (ending) => (ending === "aborted" ? cancelled(signal) : unanswered()),
    (asking) => accessToken(connection.account, fetch, asking),
  );
  return new BigQueryConnector(connection, new Api(token, fetch));
}

function unanswered(): ConnectorFailure {
  return new ConnectorFailure("HOST_UNREACHABLE", "An access token for the service account was not given in time.");
}

class BigQueryConnector implements Connector {
  readonly capabilities = CAPABILITIES.bigquery;
  readonly #connection: BigQueryConnection;
  readonly #api: Api;
  readonly #statements = new ApiStatements();
  readonly #calls = new HttpCalls();

  constructor(connection: BigQueryConnection, api: Api) {
    this.#connection = connection;
    this.#api = api;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    const sql = checkedSql(statement);
    const timeoutMs = Math.min(options.timeoutMs, this.#connection.jobTimeoutMs ?? options.timeoutMs);
    return this.#statements.query(new BigQueryStatement(this.#connection, this.#api, sql, timeoutMs), {
      ...options,
      timeoutMs,
    });
  }

  /** Google checks names, types and permissions, and estimates the cost; it runs nothing, and charges nothing. */
  dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const { timeoutMs } = options;
    return this.#calls.run(
      options,
      timeoutMs,
      () => late(timeoutMs),
      async (signal) => {
        const sql = checkedSql(statement);
        const body = { ...questionOf(this.#connection, sql, timeoutMs), dryRun: true, useQueryCache: false };
        const answer = await this.#api.query(this.#connection, body, sql, signal);
        const [error] = answer.errors;
        if (answer.fields.length === 0 && error !== undefined) throw bigQueryFailure(error, sql, true);
        return answer.bytesProcessed === undefined ? {} : { bytes: answer.bytesProcessed };
      },
    );
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    const { timeoutMs } = options;
    const list = (path: string, parameters: Readonly<Record<string, string>>): Promise<object> =>
      this.#calls.run(
        options,
        timeoutMs,
        () => late(timeoutMs),
        (signal) => this.#api.get(path, parameters, signal),
      );
    return readBigQueryCatalog({ connection: this.#connection, query: this.query.bind(this), list }, request, options);
  }

  async close(): Promise<void> {
    this.#calls.close();
    await this.#statements.close();
  }
}

function late(timeoutMs: number): ConnectorFailure {
  return new ConnectorFailure("STATEMENT_TIMEOUT", `BigQuery did not answer within ${timeoutMs} ms.`);
}

/** Checks that the plan's session settings are those that every statement sends. */
function checkedSql({ sql, session }: Statement): string {
  const unknown = session.find(({ name, value }) => name !== "time_zone" || value !== "UTC");
  if (unknown !== undefined) throw new Error(`BigQuery is used without sessions, so ${unknown.name} cannot be set`);
  const text = sendableSql(sql);
  assertReads(text);
  return text;
}

/** https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query#QueryRequest */
function questionOf(connection: BigQueryConnection, query: string, timeoutMs: number): object {
  const { project, dataset, location, maximumBytesBilled, labels } = connection;
  return {
    query,
    useLegacySql: false,
    // A project may have another default.
    connectionProperties: [{ key: "time_zone", value: "UTC" }],
    formatOptions: { useInt64Timestamp: true },
    maxResults: PAGE_ROWS,
    timeoutMs: FIRST_WAIT_MS,
    jobTimeoutMs: String(Math.max(1, Math.ceil(timeoutMs))),
    ...(dataset !== undefined && { defaultDataset: { projectId: project, datasetId: dataset } }),
    ...(location !== undefined && { location }),
    ...(maximumBytesBilled !== undefined && { maximumBytesBilled: String(maximumBytesBilled) }),
    ...(Object.keys(labels).length > 0 && { labels }),
  };
}

/** Requests to Google with one access token. */
class Api {
  readonly #source: HttpSource;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(token: Secret, fetch: typeof globalThis.fetch) {
    this.#source = { fetch, origins: [ORIGIN], maxBytes: MAX_ANSWER, isAnswer: isJson, quotesRefusals: false };
    this.#headers = {
      authorization: `Bearer ${token.reveal()}`,
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "siskin",
    };
  }

  async query({ project }: BigQueryConnection, body: object, sql: string, signal: AbortSignal): Promise<QueryAnswer> {
    const init = { method: "POST", body: JSON.stringify(body), signal };
    return queryAnswer(await this.#ask(pathOf(project, "queries"), {}, init, { sql, isChecked: "dryRun" in body }));
  }

  async results(
    { project, id, location }: Job,
    page: string | undefined,
    sql: string,
    signal: AbortSignal,
  ): Promise<QueryAnswer> {
    const parameters = {
      ...(location !== undefined && { location }),
      maxResults: String(PAGE_ROWS),
      timeoutMs: String(WAIT_MS),
      "formatOptions.useInt64Timestamp": "true",
      ...(page !== undefined && { pageToken: page }),
    };
    return queryAnswer(
      await this.#ask(pathOf(project, "queries", id), parameters, { signal }, { sql, isChecked: false }),
    );
  }

  async cancel({ project, id, location }: Job, signal: AbortSignal): Promise<void> {
    const parameters = location === undefined ? {} : { location };
    await this.#ask(
      pathOf(project, "jobs", id, "cancel"),
      parameters,
      { method: "POST", body: "{}", signal },
      NO_STATEMENT,
    );
  }

  get(path: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<object> {
    return this.#ask(path, parameters, { signal }, NO_STATEMENT);
  }

  async #ask(
    path: string,
    parameters: Readonly<Record<string, string>>,
    init: RequestInit,
    { sql, isChecked }: { readonly sql: string; readonly isChecked: boolean },
  ): Promise<object> {
    const query = new URLSearchParams(parameters).toString();
    const url = `${ORIGIN}/bigquery/v2/${path}${query === "" ? "" : `?${query}`}`;
    const response = await request(this.#source, url, { ...init, headers: this.#headers });
    const json = await jsonOf(response);
    if (response.status === 200) return json;
    const error = errorIn(json);
    if (error === undefined) throw notBigQuery();
    // Google reports 401 with several reasons, some of which mean something else with other statuses.
    const isUnknown = response.status === 401;
    const failure = bigQueryFailure(isUnknown ? { ...error, reason: "authError" } : error, sql, isChecked);
    const retryAfter = retryAfterHeader(response.headers);
    if (failure.reason === "OVERLOADED" && retryAfter !== undefined) {
      const { engineCode, hint } = failure;
      throw new ConnectorFailure("OVERLOADED", failure.message, {
        ...(engineCode !== undefined && { engineCode }),
        ...(hint !== undefined && { hint }),
        retryAfter,
        isRetryAfterSaid: true,
      });
    }
    throw failure;
  }
}

const NO_STATEMENT = { sql: "", isChecked: false };

function pathOf(project: string, ...parts: readonly string[]): string {
  return ["projects", project, ...parts].map(encodeURIComponent).join("/");
}

interface Asked {
  readonly job: Job;
  /** Token of the next page of rows; undefined while the statement runs. */
  readonly page?: string;
}

class BigQueryStatement implements StatementApi<Asked> {
  readonly #connection: BigQueryConnection;
  readonly #api: Api;
  readonly #sql: string;
  readonly #timeoutMs: number;
  #columns: readonly Column[] | undefined;
  #readers: readonly JsonColumn[] = [];
  #rows = 0;
  #retries = 0;

  constructor(connection: BigQueryConnection, api: Api, sql: string, timeoutMs: number) {
    this.#connection = connection;
    this.#api = api;
    this.#sql = sql;
    this.#timeoutMs = timeoutMs;
  }

  /** Retries once without a response: Google recognises a statement that it has already started by its request id. */
  async submit(signal: AbortSignal): Promise<StatementStep<Asked>> {
    const question = questionOf(this.#connection, this.#sql, this.#timeoutMs);
    const body = { ...question, useQueryCache: true, requestId: crypto.randomUUID() };
    const ask = () => this.#api.query(this.#connection, body, this.#sql, signal);
    const answer = await ask().catch((error: unknown) => {
      if (signal.aborted || !(error instanceof ConnectorFailure) || error.reason !== "HOST_UNREACHABLE") throw error;
      return ask();
    });
    return this.#take(answer, answer.job, undefined);
  }

  async poll(asked: Asked, signal: AbortSignal): Promise<StatementStep<Asked>> {
    const { job, page } = asked;
    try {
      const answer = await this.#api.results(job, page, this.#sql, signal);
      this.#retries = 0;
      return this.#take(answer, job, page);
    } catch (error) {
      const isOverloaded = error instanceof ConnectorFailure && error.reason === "OVERLOADED";
      if (isOverloaded && ++this.#retries > MOST_RETRIES) return { failure: error, next: asked };
      throw error;
    }
  }

  async cancel({ job, page }: Asked, signal: AbortSignal): Promise<void> {
    // While rows are read, they come from a stored table, and no job runs.
    if (page === undefined) await this.#api.cancel(job, signal);
  }

  #take(answer: QueryAnswer, job: Job | undefined, page: string | undefined): StatementStep<Asked> {
    if (!answer.isComplete) {
      if (job === undefined || page !== undefined) throw notBigQuery();
      return { next: { job } };
    }
    const { fields, rows, totalRows, pageToken, errors } = answer;
    if (fields.length === 0) {
      const [error] = errors;
      if (error === undefined) throw notBigQuery();
      return { failure: bigQueryFailure(error, this.#sql, false), next: undefined };
    }
    if (this.#columns === undefined) {
      this.#readers = fields.map(columnOf);
      this.#columns = this.#readers.map(({ name, type }) => ({ name, type }));
    }
    this.#rows += rows.length;
    const next = pageToken === undefined ? undefined : this.#next(job, page, pageToken);
    const isWhole = next === undefined ? this.#rows === totalRows : this.#rows <= (totalRows ?? 0);
    if (!isWhole) throw notBigQuery(`The result has ${totalRows} rows, and ${this.#rows} came.`);
    return { columns: this.#columns, rows: batchesOfJson(rows, this.#readers, "STRING"), next };
  }

  #next(job: Job | undefined, page: string | undefined, pageToken: string): Asked {
    if (pageToken === page) throw notBigQuery("It gives the same page again and again.");
    if (job === undefined) throw notBigQuery();
    return { job, page: pageToken };
  }
}

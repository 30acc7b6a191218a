/**
 * Databricks' SQL warehouses by the Statement Execution API: a statement is sent and polled until it has ended, and its rows are
 * fetched in chunks from cloud storage (https://docs.databricks.com/api/workspace/statementexecution). Rows come as Arrow: the
 * JSON format has only three fraction digits of a second, and texts for nested values.
 */
import type { Secret } from "../../guard/secret.ts";
import type { Batch, Column, ResultStream, Row } from "../../result/types.ts";
import { type ArrowBatch, readArrowStream } from "../arrow/stream.ts";
import { type RowReader, rowReader } from "../arrow/values.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readDatabricksCatalog } from "../catalog/databricks.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import { type DatabricksConnection, originOf } from "../connection/databricks.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { accessToken } from "../databricks/access-token.ts";
import {
  type ExternalLink,
  jsonOf,
  linksIn,
  type Manifest,
  notDatabricks,
  type StatementAnswer,
  statementAnswer,
} from "../databricks/answers.ts";
import { partOf } from "../databricks/external-link.ts";
import { endFailure, refusal } from "../databricks/failures.ts";
import { isSentAs, typeOf } from "../databricks/types.ts";
import { assertSettings, SETTINGS_QUERY } from "../databricks/warehouse-settings.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { asMeant } from "../meant-type.ts";
import { sendableSql } from "../sql-text.ts";
import { within } from "../watch.ts";
import { type HttpSource, request } from "./request.ts";
import { ApiStatements, type StatementApi, type StatementStep } from "./statement-api.ts";

/** Maximum size of a response: it lists columns and chunks, and contains no rows. */
const MAX_ANSWER = 16 * 1024 * 1024;

/** Text before and after a statement. Both accept only queries in the parentheses: `WITH … INSERT` is not a query. */
const QUERY = ["(", "\n)"] as const;
const DRY_RUN = ["SELECT * FROM (", "\n) AS sub LIMIT 0"] as const;
type Frame = typeof QUERY | typeof DRY_RUN;

/** Requests a service principal's token; sends nothing else before the first statement. */
export async function openDatabricks(
  connection: DatabricksConnection,
  { fetch, connectTimeoutMs }: Pick<ConnectorHost, "fetch" | "connectTimeoutMs">,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const token = await within(
    { signal, milliseconds: connectTimeoutMs },
    (ending) => (ending === "aborted" ? cancelled(signal) : unanswered()),
    (asking) => accessToken(connection, fetch, asking),
  );
  return new DatabricksConnector(new Warehouse(connection, token, fetch));
}

function unanswered(): ConnectorFailure {
  return new ConnectorFailure("HOST_UNREACHABLE", "An access token for the service principal was not given in time.");
}

class DatabricksConnector implements Connector {
  readonly capabilities = CAPABILITIES.databricks;
  readonly #warehouse: Warehouse;
  readonly #statements = new ApiStatements();

  constructor(warehouse: Warehouse) {
    this.#warehouse = warehouse;
  }

  query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return this.#checked(statement, QUERY, options);
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const result = await this.#checked(statement, DRY_RUN, options);
    await result.close();
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    // Catalogue queries return names and types, which no setting changes.
    return readDatabricksCatalog({ query: ({ sql }) => this.#run(sql, QUERY, options) }, request, options);
  }

  close(): Promise<void> {
    return this.#statements.close();
  }

  /**
   * The settings are read in parallel with the statement, which only reads. This costs no time, and no rows are returned without
   * them.
   */
  async #checked(statement: Statement, frame: Frame, options: CallOptions): Promise<ResultStream> {
    const sql = sendableSql(statement.sql);
    const unknown = statement.session.find(({ name, value }) => !isAskedFor(name, value));
    if (unknown !== undefined) throw new Error(`The API has no sessions, so ${unknown.name} cannot be set`);
    const stopping = new AbortController();
    const settings = this.#run(SETTINGS_QUERY, QUERY, options)
      .then(rowsOf)
      .then((rows) => assertSettings(rows, sql));
    settings.catch((error: unknown) => stopping.abort(error));
    const signal = AbortSignal.any([options.signal, stopping.signal]);
    const result = await this.#run(sql, frame, { ...options, signal });
    await settings;
    return asMeant(result, statement);
  }

  #run(sql: string, frame: Frame, options: CallOptions): Promise<ResultStream> {
    return this.#statements.query(new DatabricksStatement(this.#warehouse, sql, frame), options);
  }
}

/** The settings by their Databricks names. Any other setting of a plan is impossible on Databricks. */
function isAskedFor(name: string, value: string): boolean {
  return (name === "ANSI_MODE" && value === "true") || (name === "TIMEZONE" && value === "UTC");
}

async function rowsOf({ batches }: ResultStream): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

/** Requests to one warehouse with one token. */
class Warehouse {
  readonly id: string;
  readonly fetch: typeof globalThis.fetch;
  readonly origin: string;
  readonly #host: string;
  readonly #source: HttpSource;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(connection: DatabricksConnection, token: Secret, fetch: typeof globalThis.fetch) {
    this.id = connection.warehouse;
    this.fetch = fetch;
    this.origin = originOf(connection);
    this.#host = connection.host;
    const isAnswer = (status: number): boolean => [200, 400, 401, 403, 404].includes(status);
    this.#source = { fetch, origins: [this.origin], maxBytes: MAX_ANSWER, isAnswer, quotesRefusals: false };
    this.#headers = {
      authorization: `Bearer ${token.reveal()}`,
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "siskin",
    };
  }

  /** `path` follows `/statements`. `missing` is the failure for 404. */
  async ask(path: string, init: RequestInit, missing?: ConnectorFailure): Promise<object> {
    const url = `${this.origin}/api/2.0/sql/statements${path}`;
    const response = await request(this.#source, url, { ...init, headers: this.#headers });
    if (response.status === 200) return jsonOf(response);
    const said = await jsonOf(response).catch(() => ({}));
    if (response.status === 404 && missing !== undefined) throw missing;
    throw refusal(response.status, said, this.#host);
  }
}

interface Asked {
  readonly id: string;
  /** Index of the next chunk of rows; undefined while the statement runs. */
  readonly part?: number;
  readonly links?: readonly ExternalLink[];
}

class DatabricksStatement implements StatementApi<Asked> {
  readonly #warehouse: Warehouse;
  readonly #sql: string;
  readonly #frame: Frame;
  #manifest: Manifest | undefined;
  #columns: readonly Column[] = [];
  #rows = 0;

  constructor(warehouse: Warehouse, sql: string, frame: Frame) {
    this.#warehouse = warehouse;
    this.#sql = sql;
    this.#frame = frame;
  }

  async submit(signal: AbortSignal): Promise<StatementStep<Asked>> {
    const [before, behind] = this.#frame;
    const body = JSON.stringify({
      warehouse_id: this.#warehouse.id,
      statement: before + this.#sql + behind,
      disposition: "EXTERNAL_LINKS",
      format: "ARROW_STREAM",
      // No statement id is known before the first response, so it must come at once.
      wait_timeout: "0s",
    });
    const missing = new ConnectorFailure("AUTHENTICATION", "There is no such SQL warehouse in the workspace.", {
      hint: "Check httpPath: /sql/1.0/warehouses/{id}.",
    });
    return this.#take(await this.#warehouse.ask("", { method: "POST", body, signal }, missing));
  }

  async poll(asked: Asked, signal: AbortSignal): Promise<StatementStep<Asked>> {
    const { id, part } = asked;
    if (part !== undefined) return this.#readPart(asked, part, signal);
    return this.#take(await this.#warehouse.ask(`/${id}`, { signal }, noLonger()));
  }

  async cancel({ id, part }: Asked, signal: AbortSignal): Promise<void> {
    if (part !== undefined) return;
    await this.#warehouse.ask(`/${id}/cancel`, { method: "POST", body: "{}", signal });
  }

  #take(json: object): StatementStep<Asked> {
    const answer = statementAnswer(json);
    const { id, state, manifest, links } = answer;
    switch (state) {
      case "PENDING":
      case "RUNNING":
        return { next: { id } };
      case "SUCCEEDED":
        if (manifest === undefined) throw notDatabricks();
        return this.#begin(id, manifest, links);
      case "FAILED":
      case "CANCELED":
      case "CLOSED":
        return { failure: this.#failureOf(answer), next: undefined };
      default:
        return state satisfies never;
    }
  }

  #failureOf(answer: StatementAnswer): ConnectorFailure {
    return endFailure(answer, this.#sql, this.#frame[0].length);
  }

  #begin(id: string, manifest: Manifest, links: readonly ExternalLink[]): StatementStep<Asked> {
    if (manifest.isTruncated) {
      return {
        failure: new ConnectorFailure("SOURCE_ERROR", "The result is not whole: rows were left out."),
        next: undefined,
      };
    }
    this.#manifest = manifest;
    this.#columns = manifest.columns.map(({ name, typeText }) => ({ name, type: typeOf(typeText) }));
    return { columns: this.#columns, next: this.#nextOf(id, 0, links) };
  }

  /** Undefined after the last chunk, if all rows have arrived. */
  #nextOf(id: string, part: number, links: readonly ExternalLink[]): Asked | undefined {
    const { chunks = 0, rows = 0 } = this.#manifest ?? {};
    if (part < chunks) return { id, part, links };
    if (this.#rows !== rows) throw notDatabricks(`The result has ${rows} rows, and ${this.#rows} came.`);
    return undefined;
  }

  async #readPart({ id, links = [] }: Asked, part: number, signal: AbortSignal): Promise<StatementStep<Asked>> {
    const known = links.find(({ chunk }) => chunk === part);
    const isFresh = known !== undefined && (known.expires === undefined || known.expires > Date.now());
    let link = isFresh ? known : await this.#linkTo(id, part, signal);
    const { fetch, origin } = this.#warehouse;
    let bytes = await partOf(link, origin, fetch, signal);
    if (bytes === "expired") {
      link = await this.#linkTo(id, part, signal);
      bytes = await partOf(link, origin, fetch, signal);
    }
    if (bytes === "expired") throw new ConnectorFailure("SOURCE_ERROR", "The storage does not give the rows out.");
    if (link.rowOffset !== this.#rows || (link.nextChunk !== undefined && link.nextChunk !== part + 1)) {
      throw notDatabricks("The result has parts that do not follow each other.");
    }
    const rows = this.#batchesIn(bytes, link.rowCount);
    this.#rows += link.rowCount;
    return { columns: this.#columns, rows, next: this.#nextOf(id, part + 1, links) };
  }

  async #linkTo(id: string, part: number, signal: AbortSignal): Promise<ExternalLink> {
    const json = await this.#warehouse.ask(`/${id}/result/chunks/${part}`, { signal }, noLonger());
    const link = linksIn(json).find(({ chunk }) => chunk === part);
    if (link === undefined) throw notDatabricks("A part of the result has no address.");
    return link;
  }

  #batchesIn(bytes: Uint8Array, rowCount: number): Iterator<Batch> {
    return guarded(() => {
      const { fields, batches } = readArrowStream(bytes);
      const reader = rowReader(fields);
      if (reader.columns.length !== this.#columns.length) throw notDatabricks();
      for (const [index, { name, type }] of this.#columns.entries()) {
        if (isSentAs(type, reader.columns[index]?.type ?? { kind: "null" })) continue;
        const message = `Column "${name}" comes in another form than its type has.`;
        throw new ConnectorFailure("SOURCE_ERROR", message, { hint: "Cast the column to STRING." });
      }
      if (batches.reduce((sum, batch) => sum + batch.rows, 0) !== rowCount) {
        throw notDatabricks("A part of the result has other rows than were told.");
      }
      const each = batchesOf(batches, reader);
      return { next: () => guarded(() => each.next()) };
    });
  }
}

function noLonger(): ConnectorFailure {
  return new ConnectorFailure("SOURCE_ERROR", "The result no longer exists.");
}

function* batchesOf(parts: readonly ArrowBatch[], reader: RowReader): Generator<Batch, void> {
  for (const part of parts) yield* reader.batches(part);
}

/** Converts any parsing error into a failure about the server's data. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConnectorFailure ? error : notDatabricks("The rows are not Arrow.", error);
  }
}

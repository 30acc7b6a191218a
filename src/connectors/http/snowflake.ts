/**
 * Snowflake by its SQL API: a statement is sent, asked after until it has ended, and its rows are fetched in partitions
 * (https://docs.snowflake.com/developer-guide/sql-api/intro). What a session would have goes with every statement.
 */
import type { Secret } from "../../guard/secret.ts";
import type { Column, ResultStream, Row } from "../../result/types.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readSnowflakeCatalog } from "../catalog/snowflake.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import { hostOf, type SnowflakeConnection } from "../connection/snowflake.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import type { ConnectorHost } from "../open-here.ts";
import {
  errorIn,
  handleIn,
  isAnswer,
  jsonOf,
  notSnowflake,
  type ResultSet,
  type RowType,
  resultSet,
  rowsIn,
} from "../snowflake/answers.ts";
import { snowflakeFailure } from "../snowflake/failures.ts";
import { keyPairToken } from "../snowflake/key-pair-token.ts";
import { assertQuery } from "../snowflake/queries.ts";
import { columnOf } from "../snowflake/values.ts";
import { sendableSql } from "../sql-text.ts";
import { batchesOfJson, type JsonColumn } from "./json-rows.ts";
import { type HttpSource, request } from "./request.ts";
import { ApiStatements, type StatementApi, type StatementStep } from "./statement-api.ts";

/** Of an answer; Snowflake makes partitions of some ten megabytes. */
const MAX_ANSWER = 48 * 1024 * 1024;

/** On a line of its own: places that errors tell are then as they are in the statement, a line further down. */
const DRY_RUN = "EXPLAIN USING JSON\n";

/** Signs a token; nothing is sent before the first statement. */
export async function openSnowflake(
  connection: SnowflakeConnection,
  { fetch }: Pick<ConnectorHost, "fetch">,
  _options: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  return new SnowflakeConnector(connection, new Account(connection, await keyPairToken(connection), fetch));
}

class SnowflakeConnector implements Connector {
  readonly capabilities = CAPABILITIES.snowflake;
  readonly #connection: SnowflakeConnection;
  readonly #account: Account;
  readonly #statements = new ApiStatements();

  constructor(connection: SnowflakeConnection, account: Account) {
    this.#connection = connection;
    this.#account = account;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return this.#run({ ...statement, sql: checkedSql(statement) }, "", options);
  }

  /** A plan is made and nothing runs: no warehouse is needed. */
  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const result = await this.#run({ ...statement, sql: checkedSql(statement), columns: [] }, DRY_RUN, options);
    let row: Row | undefined;
    for await (const batch of result.batches) for (const one of batch) row ??= one;
    return bytesIn(row);
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    const query = (sql: string): Promise<ResultStream> => this.#run({ sql, columns: [], session: [] }, "", options);
    return readSnowflakeCatalog(query, request);
  }

  close(): Promise<void> {
    return this.#statements.close();
  }

  async #run(statement: Asks, prefix: string, { timeoutMs, ...options }: CallOptions): Promise<ResultStream> {
    const sent = { ...statement, prefix, timeoutMs };
    return this.#statements.query(new SnowflakeStatement(this.#connection, this.#account, sent), {
      timeoutMs,
      ...options,
    });
  }
}

type Asks = Pick<Statement, "sql" | "columns" | "session">;

/** Parameters that the API documents, of those that a statement's meaning hangs on (…/sql-api/reference#statements-parameters). */
const SETTABLE: ReadonlySet<string> = new Set(["TIMEZONE", "ROWS_PER_RESULTSET", "BINARY_OUTPUT_FORMAT"]);

function checkedSql({ sql, session }: Statement): string {
  const unknown = session.find(({ name }) => !SETTABLE.has(name));
  if (unknown !== undefined) throw new Error(`The SQL API has no sessions, so ${unknown.name} cannot be set`);
  const text = sendableSql(sql);
  assertQuery(text);
  return text;
}

/** `{"GlobalStats":{"partitionsTotal":…,"partitionsAssigned":…,"bytesAssigned":1024},…}` */
function bytesIn(row: Row | undefined): DryRunReport {
  try {
    const { GlobalStats } = JSON.parse(String(row?.[0])) as {
      readonly GlobalStats?: { readonly bytesAssigned?: unknown };
    };
    const bytes = GlobalStats?.bytesAssigned;
    return typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes >= 0 ? { bytes: BigInt(bytes) } : {};
  } catch {
    return {};
  }
}

/** What is asked of one account, by one token. */
class Account {
  readonly #source: HttpSource;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(connection: SnowflakeConnection, token: Secret, fetch: typeof globalThis.fetch) {
    const origin = `https://${hostOf(connection)}`;
    this.#address = `${origin}/api/v2/statements`;
    this.#source = { fetch, origins: [origin], maxBytes: MAX_ANSWER, isAnswer, quotesRefusals: false };
    this.#headers = {
      authorization: `Bearer ${token.reveal()}`,
      "x-snowflake-authorization-token-type": "KEYPAIR_JWT",
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "siskin",
    };
  }

  /** `path` begins behind `/statements`. */
  async ask(path: string, init: RequestInit): Promise<{ readonly status: number; readonly json: object }> {
    const response = await request(this.#source, this.#address + path, { ...init, headers: this.#headers });
    const json = await jsonOf(response);
    if (response.status === 401 || response.status === 403) {
      const { message, hint, engineCode } = snowflakeFailure(errorIn(json), "", 0);
      throw new ConnectorFailure("AUTHENTICATION", message, {
        hint: hint ?? "Check account, user and private_key.",
        ...(engineCode !== undefined && { engineCode }),
      });
    }
    return { status: response.status, json };
  }
}

interface Sent extends Asks {
  readonly prefix: string;
  readonly timeoutMs: number;
}

interface Asked {
  readonly handle: string;
  /** The partition that is next; undefined while the statement runs. */
  readonly partition?: number;
}

class SnowflakeStatement implements StatementApi<Asked> {
  readonly #connection: SnowflakeConnection;
  readonly #account: Account;
  readonly #sent: Sent;
  #columns: readonly Column[] = [];
  #readers: readonly JsonColumn[] = [];
  #partitions: readonly number[] = [];

  constructor(connection: SnowflakeConnection, account: Account, sent: Sent) {
    this.#connection = connection;
    this.#account = account;
    this.#sent = sent;
  }

  /** Once more when no answer came: by its name Snowflake knows a statement that it has begun already. */
  async submit(signal: AbortSignal): Promise<StatementStep<Asked>> {
    const { database, schema, warehouse, role, queryTag } = this.#connection;
    const { sql, session, prefix, timeoutMs } = this.#sent;
    const body = JSON.stringify({
      statement: prefix + sql,
      timeout: Math.max(1, Math.ceil(timeoutMs / 1000)),
      database,
      schema,
      ...(warehouse !== undefined && { warehouse }),
      ...(role !== undefined && { role }),
      parameters: {
        TIMEZONE: "UTC",
        ...Object.fromEntries(session.map(({ name, value }) => [name, value])),
        MULTI_STATEMENT_COUNT: "1",
        ...(queryTag !== undefined && { QUERY_TAG: queryTag }),
      },
    });
    // Whoever waits for the first answer has no handle yet to cancel by.
    const path = `?async=true&requestId=${crypto.randomUUID()}`;
    const ask = (again: string) => this.#ask(path + again, { method: "POST", body, signal });
    return ask("").catch((error: unknown) => {
      if (signal.aborted || !(error instanceof ConnectorFailure) || error.reason !== "HOST_UNREACHABLE") throw error;
      return ask("&retry=true");
    });
  }

  async poll({ handle, partition }: Asked, signal: AbortSignal): Promise<StatementStep<Asked>> {
    if (partition === undefined) return this.#ask(`/${handle}`, { signal });
    const { status, json } = await this.#account.ask(`/${handle}?partition=${partition}`, { signal });
    if (status !== 200) throw this.#failureIn(json);
    return this.#rows(handle, partition, rowsIn(json));
  }

  async cancel({ handle, partition }: Asked, signal: AbortSignal): Promise<void> {
    if (partition !== undefined) return;
    await this.#account.ask(`/${handle}/cancel`, { method: "POST", body: "{}", signal });
  }

  async #ask(path: string, init: RequestInit): Promise<StatementStep<Asked>> {
    const { status, json } = await this.#account.ask(path, init);
    if (status === 202) return { next: { handle: handleIn(json) } };
    if (status !== 200) return { failure: this.#failureIn(json), next: undefined };
    return this.#begin(handleIn(json), resultSet(json));
  }

  #failureIn(json: object): ConnectorFailure {
    const { sql, prefix } = this.#sent;
    return snowflakeFailure(errorIn(json), sql, prefix === "" ? 0 : 1);
  }

  #begin(handle: string, { columns, partitions, total, rows }: ResultSet): StatementStep<Asked> {
    if (columns.length === 0 || partitions.reduce((sum, count) => sum + count, 0) !== total) throw notSnowflake();
    const meant = this.#sent.columns;
    refuseFoldedNames(columns, meant);
    this.#readers = columns.map((column, index) => columnOf(column, meant[index]?.type.kind === "decimal"));
    this.#columns = this.#readers.map(({ name, type }) => ({ name, type }));
    this.#partitions = partitions;
    return this.#rows(handle, 0, rows);
  }

  #rows(handle: string, partition: number, rows: readonly unknown[]): StatementStep<Asked> {
    const told = this.#partitions[partition] ?? 0;
    if (rows.length !== told) throw notSnowflake(`A part of the result has ${told} rows, and ${rows.length} came.`);
    const isLast = partition + 1 >= this.#partitions.length;
    return {
      columns: this.#columns,
      rows: batchesOfJson(rows, this.#readers, "VARCHAR"),
      next: isLast ? undefined : { handle, partition: partition + 1 },
    };
  }
}

/** Where QUOTED_IDENTIFIERS_IGNORE_CASE is on, names in quotes are others; no statement of the API can set it. */
function refuseFoldedNames(columns: readonly RowType[], meant: Statement["columns"]): void {
  const isFolded = columns.some(({ name }, index) => {
    const wanted = meant[index]?.name;
    return wanted !== undefined && name !== wanted && name === wanted.toUpperCase();
  });
  if (!isFolded) return;
  throw new ConnectorFailure("SOURCE_ERROR", "Snowflake does not tell names in quotes apart by their case.", {
    hint: "ALTER USER … SET QUOTED_IDENTIFIERS_IGNORE_CASE = FALSE",
  });
}

/** Snowflake, by its SQL API with a key or a token, and by a session with a password. */
import type { ResultStream, Row } from "../../result/types.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readSnowflakeCatalog } from "../catalog/snowflake.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { SnowflakeConnection } from "../connection/snowflake.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import type { ConnectorHost } from "../host.ts";
import type { Sent, SnowflakeAccess } from "../snowflake/access.ts";
import { assertQuery } from "../snowflake/queries.ts";
import { openSession } from "../snowflake/session.ts";
import { openSqlApi } from "../snowflake/sql-api.ts";
import { sendableSql } from "../sql-text.ts";

/** On a separate line (`Sent.prefix`). */
const DRY_RUN = "EXPLAIN USING JSON\n";

/** Logs in where Snowflake has sessions; otherwise sends nothing before the first statement. */
export async function openSnowflake(
  connection: SnowflakeConnection,
  { fetch, connectTimeoutMs }: Pick<ConnectorHost, "fetch" | "connectTimeoutMs">,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const { login } = connection;
  return new SnowflakeConnector(
    login.by === "password"
      ? await openSession(connection, login, { fetch, connectTimeoutMs, signal })
      : await openSqlApi(connection, login, fetch),
  );
}

class SnowflakeConnector implements Connector {
  readonly capabilities = CAPABILITIES.snowflake;
  readonly #access: SnowflakeAccess;

  constructor(access: SnowflakeAccess) {
    this.#access = access;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return this.#access.query(checked(statement, ""), options);
  }

  /** Snowflake plans the statement and runs nothing: no warehouse is needed. */
  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const result = await this.#access.query({ ...checked(statement, DRY_RUN), columns: [] }, options);
    let row: Row | undefined;
    for await (const batch of result.batches) for (const one of batch) row ??= one;
    return bytesIn(row);
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    const query = (sql: string): Promise<ResultStream> =>
      this.#access.query({ sql, columns: [], session: [], prefix: "" }, options);
    return readSnowflakeCatalog(query, request);
  }

  close(): Promise<void> {
    return this.#access.close();
  }
}

/** Documented parameters of the SQL API that can change a statement's meaning (…/sql-api/reference#statements-parameters). */
const SETTABLE: ReadonlySet<string> = new Set(["TIMEZONE", "ROWS_PER_RESULTSET", "BINARY_OUTPUT_FORMAT"]);

function checked({ sql, columns, session }: Statement, prefix: string): Sent {
  const unknown = session.find(({ name }) => !SETTABLE.has(name));
  if (unknown !== undefined) throw new Error(`The SQL API has no sessions, so ${unknown.name} cannot be set`);
  const text = sendableSql(sql);
  assertQuery(text);
  return { sql: text, columns, session, prefix };
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

/**
 * Athena by its API: a statement is started and polled until it has ended, and its rows are read in pages
 * (https://docs.aws.amazon.com/athena/latest/APIReference/). Athena has no sessions: a statement has no settings.
 */
import type {
  AthenaClient,
  AthenaClientConfig,
  GetQueryResultsCommandOutput,
  QueryExecutionStatus,
} from "@aws-sdk/client-athena";
import type { Column, ResultStream } from "../../result/types.ts";
import { athenaTypeReader } from "../athena/values.ts";
import { identityFor } from "../aws/credentials.ts";
import { endpointOf } from "../aws/endpoints.ts";
import { awsFailure } from "../aws/failures.ts";
import { awsRequestHandler } from "../aws/request-handler.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readAthenaCatalog } from "../catalog/athena.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { AthenaConnection } from "../connection/athena.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { sendableSql } from "../sql-text.ts";
import { trinoFailure } from "../trino/failures.ts";
import { assertReads } from "../trino/queries.ts";
import { within } from "../watch.ts";
import { batchesOfJson, type JsonColumn } from "./json-rows.ts";
import { ApiStatements, type StatementApi, type StatementStep } from "./statement-api.ts";

/** On a separate line, so that columns in error positions stay correct; only the line number is larger by one. */
const CHECK = "EXPLAIN (TYPE VALIDATE)\n";

type Commands = Pick<
  typeof import("@aws-sdk/client-athena"),
  "GetQueryExecutionCommand" | "GetQueryResultsCommand" | "StartQueryExecutionCommand" | "StopQueryExecutionCommand"
>;

/** Gets the keys of a role from STS, if there is one; sends nothing else before the first statement. */
export async function openAthena(
  connection: AthenaConnection,
  host: Pick<ConnectorHost, "fetch" | "connectTimeoutMs" | "awsCredentials">,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const { region, credentials } = connection;
  const { AthenaClient, ...commands } = await import("@aws-sdk/client-athena");
  const identity = await within(
    { signal, milliseconds: host.connectTimeoutMs },
    (ending) => (ending === "aborted" ? cancelled(signal) : unanswered()),
    (asking) => identityFor(credentials, region, host, asking),
  );
  const endpoint = endpointOf("athena", region);
  const client = new AthenaClient({
    region,
    endpoint,
    credentials: identity,
    // `ApiStatements` retries polls, which is safe; the SDK would also start statements again.
    maxAttempts: 1,
    // With an `info` function, the SDK would copy each page of rows for it.
    logger: { debug: quiet, warn: quiet, error: quiet } as NonNullable<AthenaClientConfig["logger"]>,
    requestHandler: awsRequestHandler(host.fetch, [endpoint]),
  });
  return new AthenaConnector(connection, client, commands);
}

function quiet(): void {}

function unanswered(): ConnectorFailure {
  return new ConnectorFailure("HOST_UNREACHABLE", "AWS did not answer in time who may take on the role.");
}

class AthenaConnector implements Connector {
  readonly capabilities = CAPABILITIES.athena;
  readonly #connection: AthenaConnection;
  readonly #client: AthenaClient;
  readonly #commands: Commands;
  readonly #statements = new ApiStatements();

  constructor(connection: AthenaConnection, client: AthenaClient, commands: Commands) {
    this.#connection = connection;
    this.#client = client;
    this.#commands = commands;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return this.#run(statement, "", options);
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const result = await this.#run(statement, CHECK, options);
    await result.close();
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return readAthenaCatalog(this, request, options);
  }

  async close(): Promise<void> {
    await this.#statements.close();
    this.#client.destroy();
  }

  async #run(statement: Statement, prefix: string, options: CallOptions): Promise<ResultStream> {
    const sql = sendableSql(statement.sql);
    assertReads(sql);
    const [setting] = statement.session;
    if (setting !== undefined) throw new Error(`Athena has no sessions, so ${setting.name} cannot be set`);
    return this.#statements.query(
      new AthenaStatement(this.#connection, this.#client, this.#commands, prefix, sql),
      options,
    );
  }
}

interface Asked {
  readonly id: string;
  /** Token of the next page of rows; undefined while the statement runs. */
  readonly page?: string;
}

class AthenaStatement implements StatementApi<Asked> {
  readonly #connection: AthenaConnection;
  readonly #client: AthenaClient;
  readonly #commands: Commands;
  readonly #prefix: string;
  readonly #sql: string;
  #columns: readonly Column[] | undefined;
  #readers: readonly JsonColumn[] = [];

  constructor(connection: AthenaConnection, client: AthenaClient, commands: Commands, prefix: string, sql: string) {
    this.#connection = connection;
    this.#client = client;
    this.#commands = commands;
    this.#prefix = prefix;
    this.#sql = sql;
  }

  async submit(abortSignal: AbortSignal): Promise<StatementStep<Asked>> {
    const { schema, catalog, outputLocation, workgroup } = this.#connection;
    const command = new this.#commands.StartQueryExecutionCommand({
      QueryString: this.#prefix + this.#sql,
      QueryExecutionContext: { Database: schema, ...(catalog !== undefined && { Catalog: catalog }) },
      ResultConfiguration: { OutputLocation: outputLocation },
      ...(workgroup !== undefined && { WorkGroup: workgroup }),
    });
    try {
      const { QueryExecutionId: id } = await this.#client.send(command, { abortSignal });
      if (id === undefined) throw notAthena();
      return { next: { id } };
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  async poll({ id, page }: Asked, abortSignal: AbortSignal): Promise<StatementStep<Asked>> {
    try {
      if (page !== undefined) return await this.#rows(id, page, abortSignal);
      const command = new this.#commands.GetQueryExecutionCommand({ QueryExecutionId: id });
      const { QueryExecution } = await this.#client.send(command, { abortSignal });
      const status = QueryExecution?.Status;
      switch (status?.State) {
        case "QUEUED":
        case "RUNNING":
          return { next: { id } };
        case "SUCCEEDED":
          // The check reports problems as a failure; its other output is not needed.
          if (this.#prefix !== "") return { columns: [], next: undefined };
          return await this.#rows(id, undefined, abortSignal);
        case "FAILED":
        case "CANCELLED":
          return { failure: this.#failureIn(status), next: undefined };
        default:
          throw notAthena();
      }
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  async cancel({ id, page }: Asked, abortSignal: AbortSignal): Promise<void> {
    if (page !== undefined) return;
    await this.#client.send(new this.#commands.StopQueryExecutionCommand({ QueryExecutionId: id }), { abortSignal });
  }

  async #rows(id: string, page: string | undefined, abortSignal: AbortSignal): Promise<StatementStep<Asked>> {
    const command = new this.#commands.GetQueryResultsCommand({
      QueryExecutionId: id,
      ...(page !== undefined && { NextToken: page }),
    });
    const { ResultSet, NextToken: next } = await this.#client.send(command, { abortSignal });
    if (next !== undefined && next === page) throw notAthena("It gives the same page again and again.");
    const rows = (ResultSet?.Rows ?? []).map(({ Data = [] }) => Data.map(({ VarCharValue }) => VarCharValue ?? null));
    if (page === undefined) this.#describe(ResultSet, rows.shift());
    return {
      columns: this.#columns,
      rows: batchesOfJson(rows, this.#readers, "varchar"),
      next: next === undefined ? undefined : { id, page: next },
    };
  }

  /** In queries, the first row of all contains the column names. */
  #describe(result: GetQueryResultsCommandOutput["ResultSet"], header: readonly (string | null)[] | undefined): void {
    const columns = result?.ResultSetMetadata?.ColumnInfo;
    if (columns === undefined || columns.length !== header?.length) throw notAthena();
    this.#readers = columns.map((column, index) => {
      const name = column.Name ?? "";
      if (name !== header[index]) throw notAthena();
      return { name, ...athenaTypeReader(column) };
    });
    this.#columns = this.#readers.map(({ name, type }) => ({ name, type }));
  }

  #failureOf(error: unknown): ConnectorFailure {
    const failure = awsFailure(error);
    // A statement with a syntax error is rejected before it starts.
    return failure.engineCode === "InvalidRequestException" ? this.#failureFrom(failure.message, true) : failure;
  }

  #failureIn({ State, StateChangeReason, AthenaError }: QueryExecutionStatus): ConnectorFailure {
    const message = StateChangeReason ?? AthenaError?.ErrorMessage;
    if (State === "CANCELLED") {
      return new ConnectorFailure("SOURCE_ERROR", message ?? "The statement was stopped on Athena.");
    }
    return this.#failureFrom(message ?? "The statement failed.", AthenaError?.ErrorCategory === USER_ERROR);
  }

  /** `COLUMN_NOT_FOUND: line 1:8: Column 'x' cannot be resolved` */
  #failureFrom(message: string, isUsers: boolean): ConnectorFailure {
    const [, errorName, line, column] = /^(?:([A-Z][A-Z0-9_]+): )?(?:line (\d+):(\d+):)?/.exec(message) ?? [];
    const hasPlace = line !== undefined && column !== undefined;
    return trinoFailure(
      {
        message,
        ...(errorName !== undefined && { errorName }),
        ...((isUsers || hasPlace) && { errorType: "USER_ERROR" }),
        ...(hasPlace && { errorLocation: { lineNumber: Number(line), columnNumber: Number(column) } }),
      },
      this.#sql,
      this.#prefix === "" ? 0 : 1,
    );
  }
}

/** https://docs.aws.amazon.com/athena/latest/APIReference/API_AthenaError.html */
const USER_ERROR = 2;

function notAthena(what = "The answer is not that of Athena's API."): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", what);
}

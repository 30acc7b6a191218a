/**
 * Canner: Trino's SQL over PostgreSQL's protocol, and metadata by GraphQL at the same host
 * (https://docs.cannerdata.com/product/data_sharing/canner_protocol/overview). The session receives only the statement: Canner is
 * not known to have PostgreSQL's settings, or a command that resets them.
 */
import type { ResultStream } from "../../result/types.ts";
import { readingOf } from "../canner/reading.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { type QueryGraph, readCannerCatalog } from "../catalog/canner.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import { type CannerConnection, canonicalCannerConnection } from "../connection/canner.ts";
import { connectionIdentity } from "../connection/connection.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { HttpCalls } from "../http/calls.ts";
import { queryGraph } from "../http/graph.ts";
import type { HttpSource } from "../http/request.ts";
import { silentPastTimeout } from "../postgres/failures.ts";
import { assertReads } from "../trino/queries.ts";
import { openOnServer, type ServerKind } from "./postgres-connector.ts";
import { openSession } from "./postgres-session.ts";

/** Maximum size of a GraphQL response in bytes; its records take several times as much of the Worker's 128 MB. */
const MAX_ANSWER = 16 * 1024 * 1024;

type Host = Pick<ConnectorHost, "dial" | "fetch" | "connectTimeoutMs">;

/** Nothing is sent before the first call: GraphQL needs no session. */
export async function openCanner(
  connection: CannerConnection,
  host: Host,
  _options: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  return new CannerConnector(connection, host);
}

class CannerConnector implements Connector {
  readonly capabilities = CAPABILITIES.canner;
  readonly #connection: CannerConnection;
  readonly #host: Host;
  readonly #graph: HttpSource;
  readonly #calls = new HttpCalls();
  #server: Promise<Connector> | undefined;
  #isClosed = false;

  constructor(connection: CannerConnection, host: Host) {
    this.#connection = connection;
    this.#host = host;
    const { host: name, isSecure } = connection;
    const { origin } = new URL(`${isSecure ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}`);
    // GraphQL servers report an invalid document with status 400.
    const isAnswer = (status: number): boolean => status === 200 || status === 400;
    this.#graph = { fetch: host.fetch, origins: [origin], maxBytes: MAX_ANSWER, isAnswer, quotesRefusals: false };
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    assertReads(statement.sql);
    return (await this.#opened(options)).query(statement, options);
  }

  /** Canner cannot describe a statement without running it, so it runs with LIMIT 0 (docs/spec/contract.md#dry-runs). */
  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const { sql } = statement;
    assertReads(sql);
    const server = await this.#opened(options);
    try {
      const result = await server.query({ ...statement, sql: `${BEFORE}${sql}${BEHIND}` }, options);
      for await (const _ of result.batches);
      return {};
    } catch (error) {
      throw error instanceof ConnectorFailure ? within(error, sql) : error;
    }
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    const { token, workspace } = this.#connection;
    const url = `${this.#graph.origins[0]}/web/graphql`;
    return this.#calls.run(options, options.timeoutMs, silentPastTimeout, (signal) => {
      const ask: QueryGraph = (query, variables) =>
        queryGraph(this.#graph, url, `Token ${token.reveal()}`, { query, variables }, signal);
      return readCannerCatalog<K>(ask, workspace, request);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#calls.close();
    const server = await this.#server?.catch(() => undefined);
    await server?.close();
  }

  async #opened({ signal }: CallOptions): Promise<Connector> {
    if (signal.aborted) throw cancelled(signal);
    if (this.#isClosed) throw new ConnectorFailure("CANCELLED", "The connector is closed.");
    this.#server ??= this.#open(signal);
    try {
      return await this.#server;
    } catch (error) {
      this.#server = undefined;
      throw error;
    }
  }

  #open(signal: AbortSignal): Promise<Connector> {
    const { workspace: database, token: password, connectTimeoutMs, ...login } = this.#connection;
    const timeoutMs = connectTimeoutMs ?? this.#host.connectTimeoutMs;
    const { dial } = this.#host;
    const access = {
      settings: [],
      identity: () => connectionIdentity("canner", canonicalCannerConnection(this.#connection)),
      open: () => openSession({ ...login, database, password }, { dial, timeoutMs, signal, afterwards: undefined }),
    };
    return openOnServer(CANNER, access, undefined, signal);
  }
}

const CANNER: ServerKind = {
  capabilities: CAPABILITIES.canner,
  settings: undefined,
  reading: readingOf,
  readCatalog: () => Promise.reject(new TypeError("metadata is asked by GraphQL")),
};

/** On separate lines, so that a comment at the statement's end does not extend further. */
const BEFORE = "SELECT * FROM (\n";
const BEHIND = "\n) AS checked LIMIT 0";

/** Positions refer to the sent text, which includes a prefix. */
function within(failure: ConnectorFailure, sql: string): ConnectorFailure {
  const { reason, message, hint, engineCode, position: sent, retryAfter, cause } = failure;
  const position = sent === undefined ? undefined : sent - BEFORE.length;
  return new ConnectorFailure(reason, message, {
    ...(hint !== undefined && { hint }),
    ...(engineCode !== undefined && { engineCode }),
    ...(position !== undefined && position >= 0 && position <= sql.length && { position }),
    ...(retryAfter !== undefined && { retryAfter }),
    cause,
  });
}

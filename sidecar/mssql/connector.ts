/** SQL Server over TDS: rows as they are pulled, and ended on the server when nobody wants them any more. */
import { CAPABILITIES } from "../../src/connectors/capabilities.ts";
import { readMsSqlCatalog } from "../../src/connectors/catalog/mssql.ts";
import type { CatalogAnswers, CatalogRequest } from "../../src/connectors/catalog/types.ts";
import { connectionIdentity } from "../../src/connectors/connection/connection.ts";
import { canonicalMsSqlConnection, type MsSqlConnection } from "../../src/connectors/connection/mssql.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../../src/connectors/connector.ts";
import { ConnectorFailure, cancelled } from "../../src/connectors/failure.ts";
import { type ConnectionPool, type Loan, openForOne } from "../../src/connectors/pooling.ts";
import type { Dial } from "../../src/connectors/socket/wire.ts";
import { sendableSql } from "../../src/connectors/sql-text.ts";
import { Watch } from "../../src/connectors/watch.ts";
import { PulledBatches } from "../../src/result/stream/pulled.ts";
import type { Batch, ResultStream } from "../../src/result/types.ts";
import { ranOutOfTime } from "./failures.ts";
import { openSession } from "./opening.ts";
import { checkServer } from "./server-version.ts";
import type { TdsSession } from "./session.ts";
import { MsSqlStatement } from "./statement.ts";

export interface MsSqlHost {
  readonly dial: Dial;
  readonly connectTimeoutMs: number;
  readonly pool?: ConnectionPool;
}

/** Connects before it resolves, or takes a session of the host's pool. Fails with `ConnectorFailure`. */
export async function openMsSql(
  connection: MsSqlConnection,
  { dial, connectTimeoutMs, pool }: MsSqlHost,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const timeoutMs = connection.connectTimeoutMs ?? connectTimeoutMs;
  const open = (): Promise<TdsSession> => openSession(connection, { dial, timeoutMs, signal });
  const identity = (): string => connectionIdentity(connection.source, canonicalMsSqlConnection(connection));
  return new MsSqlConnector(await (pool === undefined ? openForOne(open) : pool.borrow(identity(), open, signal)));
}

class MsSqlConnector implements Connector {
  readonly capabilities = CAPABILITIES.mssql;
  #loan: Loan<TdsSession>;
  /** The session has answered this request before. */
  #isProven = false;
  #running: Run | undefined;
  #closed: Promise<void> | undefined;

  constructor(loan: Loan<TdsSession>) {
    this.#loan = loan;
  }

  query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return this.#ask(statement, options, async (run) => {
      const columns = await run.statement.execute();
      const pull = (): Promise<Batch | undefined> => run.step(() => run.statement.batch());
      const batches = new PulledBatches(pull, () => run.abandon());
      return { columns, batches, close: () => batches.close() };
    });
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    await this.#ask(statement, options, (run) => run.statement.describe());
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return readMsSqlCatalog(this, request, options);
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#running?.abandon();
      await this.#loan.end();
    })();
    return this.#closed;
  }

  /** A session that broke while nobody used it is replaced once; one that has begun to answer is not asked again. */
  async #ask<T>(statement: Statement, options: CallOptions, answer: (run: Run) => Promise<T>): Promise<T> {
    const run = this.#start(statement, options);
    try {
      const answered = await run.step(async () => {
        run.statement.check();
        checkServer(await this.#loan.connection.apply(statement.session));
        return answer(run);
      });
      this.#isProven = true;
      return answered;
    } catch (error) {
      const isBroken = error instanceof ConnectorFailure && error.reason === "UPSTREAM_PROTOCOL";
      if (!isBroken || !this.#loan.isReused || this.#isProven || run.statement.isAnswered) throw error;
      if (options.signal.aborted || this.#closed !== undefined) throw error;
      this.#running = undefined;
      this.#loan = await this.#loan.replace();
      return this.#ask(statement, options, answer);
    }
  }

  #start(statement: Statement, options: CallOptions): Run {
    if (options.signal.aborted) throw cancelled(options.signal);
    if (this.#closed !== undefined || this.#running?.isAbandoned) {
      throw new ConnectorFailure("CANCELLED", "The connector is closed.");
    }
    if (this.#running?.isOver === false) {
      throw new ConnectorFailure("SOURCE_ERROR", "The connection is busy with another statement.");
    }
    this.#running = new Run(this.#loan.connection, sendableSql(statement.sql), options);
    return this.#running;
  }
}

/** A statement on its way: watched by the clock and by the caller's signal, and ended on the server when either fires. */
class Run {
  readonly statement: MsSqlStatement;
  readonly #session: TdsSession;
  readonly #signal: AbortSignal;
  readonly #watch: Watch;
  /** Rejects when it is given up, whatever the wire then does. */
  readonly #givenUp = Promise.withResolvers<never>();
  #failure: ConnectorFailure | undefined;
  #abandoned: Promise<void> | undefined;

  constructor(session: TdsSession, sql: string, { signal, timeoutMs }: CallOptions) {
    this.statement = new MsSqlStatement(session, sql);
    this.#session = session;
    this.#signal = signal;
    this.#givenUp.promise.catch(() => {});
    // The server itself has no limit for a statement.
    this.#watch = new Watch({ signal, milliseconds: timeoutMs }, (ending) => {
      this.#failure = ending === "aborted" ? cancelled(signal) : ranOutOfTime(timeoutMs);
      void this.abandon();
    });
  }

  get isOver(): boolean {
    return this.statement.isOver;
  }

  get isAbandoned(): boolean {
    return this.#abandoned !== undefined;
  }

  /** A step of the statement, which is ended on the server when the step fails while that still works. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    try {
      // The server may be through while rows are still waiting here.
      if (this.#signal.aborted) throw cancelled(this.#signal);
      const done = await Promise.race([work(), this.#givenUp.promise]);
      if (this.statement.isOver) this.#watch.end();
      return done;
    } catch (error) {
      void this.abandon();
      throw this.#failure ?? error;
    }
  }

  /** Ends the statement on the server; nothing happens when it is over already. Resolves when the server has said so. */
  abandon(): Promise<void> {
    this.#watch.end();
    if (this.#abandoned === undefined && this.statement.isOver) return Promise.resolve();
    if (this.#abandoned === undefined) {
      this.#abandoned = this.#session.abandon();
      this.#givenUp.reject(this.#failure ?? new ConnectorFailure("CANCELLED", "The statement was closed."));
    }
    return this.#abandoned;
  }
}

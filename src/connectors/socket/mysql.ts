/** MySQL and MariaDB over a socket: rows as they are pulled, and ended on the server when nobody wants them any more. */
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, ResultStream } from "../../result/types.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readMySqlCatalog } from "../catalog/mysql.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import { connectionIdentity } from "../connection/connection.ts";
import { canonicalMySqlConnection, type MySqlConnection } from "../connection/mysql.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { silentPastTimeout } from "../mysql/failures.ts";
import { checkFences } from "../mysql/fences.ts";
import type { ConnectorHost } from "../open-here.ts";
import { type Loan, openForOne } from "../pooling.ts";
import { sendableSql } from "../sql-text.ts";
import { checkVariant } from "../variants.ts";
import { Watch } from "../watch.ts";
import { type MySqlSession, openSession } from "./mysql-session.ts";
import { MySqlStatement } from "./mysql-statement.ts";

/** The server keeps the time itself; we step in when it does not answer even then. */
const GRACE_MS = 1000;

/** Connects before it resolves, or takes a session of the host's pool. Fails with `ConnectorFailure`. */
export async function openMySql(
  connection: MySqlConnection,
  host: ConnectorHost,
  options: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const timeoutMs = connection.connectTimeoutMs ?? host.connectTimeoutMs;
  const { dial, pool } = host;
  const open = (): Promise<MySqlSession> => openSession(connection, { dial, timeoutMs, signal: options.signal });
  const identity = (): string => connectionIdentity(connection.source, canonicalMySqlConnection(connection));
  const loan = await (pool === undefined ? openForOne(open) : pool.borrow(identity(), open, options.signal));
  return new MySqlConnector(loan);
}

class MySqlConnector implements Connector {
  readonly capabilities = CAPABILITIES.mysql;
  #loan: Loan<MySqlSession>;
  /** The session has answered this request before. */
  #isProven = false;
  #running: Run | undefined;
  #closed: Promise<void> | undefined;

  constructor(loan: Loan<MySqlSession>) {
    this.#loan = loan;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return this.#ask(statement, options, async (run) => {
      const columns = await run.statement.execute(statement);
      const pull = (): Promise<Batch | undefined> => run.step(() => run.statement.batch());
      const batches = new PulledBatches(pull, () => run.abandon());
      return { columns, batches, close: () => batches.close() };
    });
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    await this.#ask(statement, options, async (run) => run.statement.finish());
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return readMySqlCatalog(this, request, options);
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
    const { variant } = this.#loan.connection;
    checkFences(statement, variant.isItself);
    checkVariant(statement, variant.isItself ? variant : undefined);
    const run = this.#start(statement, options);
    try {
      const answered = await run.step(async () => {
        await this.#loan.connection.apply(statement.session, options.timeoutMs);
        await run.statement.prepare();
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
  readonly statement: MySqlStatement;
  readonly #session: MySqlSession;
  readonly #signal: AbortSignal;
  readonly #watch: Watch;
  /** Rejects when it is given up, whatever the wire then does. */
  readonly #givenUp = Promise.withResolvers<never>();
  #failure: ConnectorFailure | undefined;
  #abandoned: Promise<void> | undefined;

  constructor(session: MySqlSession, sql: string, { signal, timeoutMs }: CallOptions) {
    this.statement = new MySqlStatement(session, sql);
    this.#session = session;
    this.#signal = signal;
    this.#givenUp.promise.catch(() => {});
    this.#watch = new Watch({ signal, milliseconds: timeoutMs + GRACE_MS }, (ending) => {
      this.#failure = ending === "aborted" ? cancelled(signal) : silentPastTimeout();
      this.abandon();
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
      this.abandon();
      throw this.#failure ?? error;
    }
  }

  /** Ends the statement on the server and the session with it; nothing happens when it is over already. */
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

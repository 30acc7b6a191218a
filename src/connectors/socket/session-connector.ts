/**
 * A connector over one session of a server that takes one statement at a time: rows are read as they are pulled, and a statement
 * that is no longer needed is ended on the server. `SessionKind` defines the server's protocol. PostgreSQL, where statements are
 * sent before the previous answers, has a connector of its own.
 */
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, Column, ResultStream } from "../../result/types.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { CallOptions, Capabilities, Connector, DryRunReport, Statement } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { type ConnectionPool, type Loan, openForOne, type Reusable } from "../pooling.ts";
import { sendableSql } from "../sql-text.ts";
import { Watch } from "../watch.ts";

export interface StatementSession extends Reusable {
  /**
   * Ends the running statement on the server. Resolves when the server has confirmed it, or after a time limit. Never rejects.
   */
  abandon(): Promise<void>;
}

/** A statement on a session. */
export interface SessionStatement {
  /** The server has finished the statement. */
  readonly isOver: boolean;
  /** The server has started to answer. */
  readonly isAnswered: boolean;
  /** The next rows; undefined after the last. */
  batch(): Promise<Batch | undefined>;
}

/** Differences between servers. */
export interface SessionKind<Session extends StatementSession, Own extends SessionStatement> {
  readonly capabilities: Capabilities;
  readonly readCatalog: <K extends CatalogRequest["kind"]>(
    connector: Connector,
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ) => Promise<CatalogAnswers[K]>;
  /** Throws for a statement that must not run on this server. */
  readonly check?: (session: Session, statement: Statement) => void;
  readonly statement: (session: Session, sql: string) => Own;
  /** Applies settings, and other steps before the statement runs. */
  readonly prepare: (own: Own, session: Session, statement: Statement, timeoutMs: number) => Promise<void>;
  /** Resolves when the columns are known. */
  readonly execute: (own: Own, statement: Statement) => Promise<readonly Column[]>;
  /** Used by a dry run in place of `execute`. */
  readonly describe: (own: Own) => Promise<unknown>;
  /** Extra wait for a server that enforces the time limit itself; 0 for a server that does not. */
  readonly graceMs: number;
  readonly ranOutOfTime: (timeoutMs: number) => ConnectorFailure;
}

/** Connects before it resolves, or takes a session of the pool. Rejects with `ConnectorFailure`. */
export async function openOnSession<Session extends StatementSession, Own extends SessionStatement>(
  kind: SessionKind<Session, Own>,
  { identity, open }: { readonly identity: () => string; readonly open: () => Promise<Session> },
  pool: ConnectionPool | undefined,
  signal: AbortSignal,
): Promise<Connector> {
  return new SessionConnector(
    kind,
    await (pool === undefined ? openForOne(open) : pool.borrow(identity(), open, signal)),
  );
}

class SessionConnector<Session extends StatementSession, Own extends SessionStatement> implements Connector {
  readonly #kind: SessionKind<Session, Own>;
  #loan: Loan<Session>;
  /** The session has answered in this request before. */
  #isProven = false;
  #running: Run<Own> | undefined;
  #closed: Promise<void> | undefined;

  constructor(kind: SessionKind<Session, Own>, loan: Loan<Session>) {
    this.#kind = kind;
    this.#loan = loan;
  }

  get capabilities(): Capabilities {
    return this.#kind.capabilities;
  }

  query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return this.#ask(statement, options, async (run) => {
      const columns = await this.#kind.execute(run.statement, statement);
      const pull = (): Promise<Batch | undefined> => run.step(() => run.statement.batch());
      const batches = new PulledBatches(pull, () => run.abandon());
      return { columns, batches, close: () => batches.close() };
    });
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    await this.#ask(statement, options, (run) => this.#kind.describe(run.statement));
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return this.#kind.readCatalog(this, request, options);
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#running?.abandon();
      await this.#loan.end();
    })();
    return this.#closed;
  }

  /** A session that broke while idle is replaced once; a statement with a response is not sent again. */
  async #ask<T>(statement: Statement, options: CallOptions, answer: (run: Run<Own>) => Promise<T>): Promise<T> {
    this.#kind.check?.(this.#loan.connection, statement);
    const run = this.#start(statement, options);
    try {
      const answered = await run.step(async () => {
        await this.#kind.prepare(run.statement, this.#loan.connection, statement, options.timeoutMs);
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

  #start(statement: Statement, options: CallOptions): Run<Own> {
    if (options.signal.aborted) throw cancelled(options.signal);
    if (this.#closed !== undefined || this.#running?.isAbandoned) {
      throw new ConnectorFailure("CANCELLED", "The connector is closed.");
    }
    if (this.#running?.statement.isOver === false) {
      throw new ConnectorFailure("SOURCE_ERROR", "The connection is busy with another statement.");
    }
    const { graceMs, ranOutOfTime, statement: begin } = this.#kind;
    const session = this.#loan.connection;
    const limits = { milliseconds: options.timeoutMs + graceMs, failure: () => ranOutOfTime(options.timeoutMs) };
    this.#running = new Run(begin(session, sendableSql(statement.sql)), session, options.signal, limits);
    return this.#running;
  }
}

/** A running statement: it has a time limit and the caller's signal, and is ended on the server when either fires. */
class Run<Own extends SessionStatement> {
  readonly statement: Own;
  readonly #session: StatementSession;
  readonly #signal: AbortSignal;
  readonly #watch: Watch;
  /** Rejects when the statement is abandoned, whatever the wire does. */
  readonly #givenUp = Promise.withResolvers<never>();
  #failure: ConnectorFailure | undefined;
  #abandoned: Promise<void> | undefined;

  constructor(
    statement: Own,
    session: StatementSession,
    signal: AbortSignal,
    limits: { readonly milliseconds: number; readonly failure: () => ConnectorFailure },
  ) {
    this.statement = statement;
    this.#session = session;
    this.#signal = signal;
    this.#givenUp.promise.catch(() => {});
    this.#watch = new Watch({ signal, milliseconds: limits.milliseconds }, (ending) => {
      this.#failure = ending === "aborted" ? cancelled(signal) : limits.failure();
      void this.abandon();
    });
  }

  get isAbandoned(): boolean {
    return this.#abandoned !== undefined;
  }

  /** Runs a step of the statement, and ends the statement on the server if the step fails while the statement still runs. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    try {
      // The server may have finished while rows are still buffered.
      if (this.#signal.aborted) throw cancelled(this.#signal);
      const done = await Promise.race([work(), this.#givenUp.promise]);
      if (this.statement.isOver) this.#watch.end();
      return done;
    } catch (error) {
      void this.abandon();
      throw this.#failure ?? error;
    }
  }

  /** Ends the statement on the server; does nothing when it is over. Resolves when the server has confirmed the end. */
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

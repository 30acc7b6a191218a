/**
 * Servers with PostgreSQL's protocol over a socket: rows stream as the server produces them, and a statement that is no longer
 * needed is cancelled on the server.
 */
import type { SessionSetting } from "../../planner/plan.ts";
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Column, ResultStream } from "../../result/types.ts";
import type { readPostgresCatalog } from "../catalog/postgres.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { CallOptions, Capabilities, Connector, DryRunReport, Statement } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { type ConnectionPool, type Loan, openForOne } from "../pooling.ts";
import { silentPastTimeout } from "../postgres/failures.ts";
import { type ColumnReading, describeColumns, needsSample, readColumns } from "../postgres/rows.ts";
import { effectiveTimeout, type SettingsFor } from "../postgres/session.ts";
import { sendableSql } from "../sql-text.ts";
import { Watch } from "../watch.ts";
import type { PostgresSession } from "./postgres-session.ts";
import { PostgresStatement } from "./postgres-statement.ts";

/**
 * The server enforces the time limit, from the first message to the last row, including the time of a slow reader. The connector
 * ends the statement when the server does not.
 */
const GRACE_MS = 1000;

const READING: ColumnReading = { needsSample, readColumns };

/** Differences between servers of the family. */
export interface ServerKind {
  readonly capabilities: Capabilities;
  /** Undefined for a server without PostgreSQL's settings: then the connector enforces the time limit. */
  readonly settings: SettingsFor | undefined;
  /** Defaults to PostgreSQL's. */
  readonly reading?: (statement: Statement) => ColumnReading;
  readonly readCatalog: typeof readPostgresCatalog;
}

/** Access to one server of the family. */
export interface ServerAccess {
  readonly settings: readonly SessionSetting[];
  /** See `connectionIdentity`. */
  readonly identity: () => string;
  readonly open: () => Promise<PostgresSession>;
}

/** Connects before it resolves, or takes a session of the pool. Rejects with `ConnectorFailure`. */
export async function openOnServer(
  kind: ServerKind,
  { settings, identity, open }: ServerAccess,
  pool: ConnectionPool | undefined,
  signal: AbortSignal,
): Promise<Connector> {
  const loan = await (pool === undefined ? openForOne(open) : pool.borrow(identity(), open, signal));
  return new PostgresConnector(kind, settings, loan);
}

class PostgresConnector implements Connector {
  readonly #kind: ServerKind;
  readonly #settings: readonly SessionSetting[];
  #loan: Loan<PostgresSession>;
  /** The session has answered in this request before. */
  #isProven = false;
  #running: Run | undefined;
  #closed: Promise<void> | undefined;

  constructor(kind: ServerKind, settings: readonly SessionSetting[], loan: Loan<PostgresSession>) {
    this.#kind = kind;
    this.#settings = settings;
    this.#loan = loan;
  }

  get capabilities(): Capabilities {
    return this.#kind.capabilities;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return this.#ask(statement, options, false, async (run) =>
      rowsOf(run, describeColumns(await run.statement.columns())),
    );
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    await this.#ask(statement, options, true, (run) => run.statement.checked());
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
  async #ask<T>(
    statement: Statement,
    options: CallOptions,
    checkOnly: boolean,
    answer: (run: Run) => Promise<T>,
  ): Promise<T> {
    const run = this.#start(statement, options, checkOnly);
    try {
      const answered = await run.wait(() => answer(run));
      this.#isProven = true;
      return answered;
    } catch (error) {
      const isBroken = error instanceof ConnectorFailure && error.reason === "UPSTREAM_PROTOCOL";
      if (!isBroken || !this.#loan.isReused || this.#isProven || run.statement.isAnswered) throw error;
      if (options.signal.aborted || this.#closed !== undefined) throw error;
      this.#loan = await this.#loan.replace();
      return this.#ask(statement, options, checkOnly, answer);
    }
  }

  #start(statement: Statement, options: CallOptions, checkOnly: boolean): Run {
    if (options.signal.aborted) throw cancelled(options.signal);
    if (this.#closed !== undefined || this.#running?.abandoned) {
      throw new ConnectorFailure("CANCELLED", "The connector is closed.");
    }
    if (this.#running !== undefined) {
      throw new ConnectorFailure("SOURCE_ERROR", "The connection is busy with another statement.");
    }
    const settings = this.#settings;
    const { settings: settingsFor, reading } = this.#kind;
    const session = this.#loan.connection;
    const submitted = new PostgresStatement(
      sendableSql(statement.sql),
      settingsFor?.(settings, statement.session, options.timeoutMs),
      reading?.(statement) ?? READING,
      checkOnly,
      session,
      () => {
        run.stopWatching();
        if (!run.abandoned) this.#running = undefined;
      },
    );
    const limit = effectiveTimeout(settings, options.timeoutMs);
    const patience = settingsFor === undefined || limit === undefined ? limit : limit + GRACE_MS;
    const run = new Run(submitted, session, options.signal, patience);
    this.#running = run;
    session.submit(submitted);
    return run;
  }
}

/** A running statement: it has a time limit and the caller's signal, and is ended on the server when either fires. */
class Run {
  readonly statement: PostgresStatement;
  readonly signal: AbortSignal;
  readonly #session: PostgresSession;
  readonly #watch: Watch;
  #abandoned: Promise<void> | undefined;

  constructor(
    statement: PostgresStatement,
    session: PostgresSession,
    signal: AbortSignal,
    milliseconds: number | undefined,
  ) {
    this.statement = statement;
    this.signal = signal;
    this.#session = session;
    this.#watch = new Watch({ signal, milliseconds }, (ending) => {
      statement.fail(ending === "aborted" ? cancelled(signal) : silentPastTimeout());
      this.abandon();
    });
  }

  get abandoned(): boolean {
    return this.#abandoned !== undefined;
  }

  /** Runs `step`, and ends the statement on the server if the step fails while the statement still runs. */
  async wait<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** Ends the statement on the server and the session with it; does nothing when the statement is over. */
  abandon(): Promise<void> {
    this.stopWatching();
    if (this.#abandoned === undefined && this.statement.isOver) return Promise.resolve();
    if (this.#abandoned === undefined) {
      this.statement.discard();
      this.#abandoned = this.#session.abandon(this.statement.over);
    }
    return this.#abandoned;
  }

  stopWatching(): void {
    this.#watch.end();
  }
}

function rowsOf(run: Run, columns: readonly Column[]): ResultStream {
  const pull = async () => {
    // The server may have finished while rows are still buffered.
    if (run.signal.aborted) throw cancelled(run.signal);
    return run.wait(() => run.statement.batch(columns));
  };
  const batches = new PulledBatches(pull, () => run.abandon());
  return { columns, batches, close: () => batches.close() };
}

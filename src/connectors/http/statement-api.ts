/**
 * Statements that an HTTP source answers in several steps: each request contains the handle of the previous response. One loop
 * serves all such sources: it backs off, reads pages as they are pulled, and sends exactly one cancel request whenever a
 * statement ends early. Each source defines its requests and responses (`StatementApi`).
 */
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, Column, ResultStream } from "../../result/types.ts";
import type { CallOptions } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { pause, Watch, waitFor, within } from "../watch.ts";

/** The contents of a response. */
export interface StatementStep<Handle> {
  /** In the first response that has them, before any rows. */
  readonly columns?: readonly Column[] | undefined;
  /** Rows in batches, made as they are pulled. */
  readonly rows?: Iterator<Batch> | undefined;
  /** The failure that the source reports; the statement has then ended. */
  readonly failure?: ConnectorFailure | undefined;
  /** The handle for the next request, or for cancelling; undefined when the statement is over. */
  readonly next: Handle | undefined;
}

/** One statement. Each function sends one request, and rejects with `ConnectorFailure` when there is no response. */
export interface StatementApi<Handle> {
  /** Continues for a while after the caller has stopped: only the response contains the handle for cancelling. */
  submit(signal: AbortSignal): Promise<StatementStep<Handle>>;
  poll(next: Handle, signal: AbortSignal): Promise<StatementStep<Handle>>;
  cancel(next: Handle, signal: AbortSignal): Promise<void>;
}

/** Pauses between empty responses: the first one, doubled each time up to the last. Sources also delay responses themselves. */
const FIRST_PAUSE_MS = 5;
const LAST_PAUSE_MS = 1000;
/** Maximum wait for a cancel request: sources end statements that are no longer polled. */
const FAREWELL_MS = 5000;

/** The statements of one connector. */
export class ApiStatements {
  readonly #running = new Set<ApiStatement<unknown>>();
  #isClosed = false;

  /** Resolves when the columns are known. */
  async query<Handle>(api: StatementApi<Handle>, options: CallOptions): Promise<ResultStream> {
    if (options.signal.aborted) throw cancelled(options.signal);
    if (this.#isClosed) throw closed();
    const statement = new ApiStatement(api, options, () => this.#running.delete(statement as ApiStatement<unknown>));
    this.#running.add(statement as ApiStatement<unknown>);
    const columns = await statement.columns();
    const batches = new PulledBatches(
      () => statement.rows(),
      () => statement.close(),
    );
    return { columns, batches, close: () => batches.close() };
  }

  /** Ends running statements. Resolves when the source has been notified. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((statement) => statement.close()));
  }
}

class ApiStatement<Handle> {
  readonly #api: StatementApi<Handle>;
  readonly #watch: Watch;
  readonly #onOver: () => void;
  /** Aborted with the failure when the statement is no longer needed. */
  readonly #asking = new AbortController();
  readonly #submission = new AbortController();
  #submitted: Promise<StatementStep<Handle>> | undefined;
  #columns: readonly Column[] | undefined;
  #page: Iterator<Batch> | undefined;
  #batch: Batch | undefined;
  #next: Handle | undefined;
  /** The delay that the source requested in its last response. */
  #rest = 0;
  readonly #deadline: number;
  /** A failure of the source; it follows the rows in the same response. */
  #failure: ConnectorFailure | undefined;
  #isOver = false;
  #ended: Promise<void> | undefined;

  constructor(api: StatementApi<Handle>, { signal, timeoutMs }: CallOptions, onOver: () => void) {
    this.#api = api;
    this.#onOver = onOver;
    this.#deadline = performance.now() + timeoutMs;
    this.#watch = new Watch({ signal, milliseconds: timeoutMs }, (ending) => {
      void this.#giveUp(ending === "aborted" ? cancelled(signal) : late(timeoutMs));
    });
  }

  async columns(): Promise<readonly Column[]> {
    await this.#until(() => this.#columns !== undefined);
    if (this.#columns === undefined) throw new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer has no columns.");
    return this.#columns;
  }

  /** Undefined after the last batch. */
  async rows(): Promise<Batch | undefined> {
    this.#batch = undefined;
    await this.#until(() => {
      this.#batch ??= this.#nextOfPage();
      return this.#batch !== undefined;
    });
    return this.#batch;
  }

  #nextOfPage(): Batch | undefined {
    const next = this.#page?.next();
    if (next !== undefined && !next.done) return next.value;
    this.#page = undefined;
    return undefined;
  }

  /** Ends the statement on the source, unless it is over. */
  close(): Promise<void> {
    return this.#giveUp(closed());
  }

  async #until(holds: () => boolean): Promise<void> {
    try {
      // The response to the submission usually contains only the handle.
      for (let milliseconds = this.#submitted === undefined ? 0 : FIRST_PAUSE_MS; ; ) {
        this.#asking.signal.throwIfAborted();
        if (holds()) return;
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#isOver) return;
        await this.#step();
        if (this.#isOver || holds()) continue;
        const wait = Math.max(milliseconds, this.#rest);
        if (wait > 0) await pause(wait, this.#asking.signal);
        milliseconds = milliseconds === 0 ? FIRST_PAUSE_MS : Math.min(2 * milliseconds, LAST_PAUSE_MS);
      }
    } catch (error) {
      void this.#giveUp(error);
      throw error;
    }
  }

  async #step(): Promise<void> {
    const { signal } = this.#asking;
    const { columns, rows, failure, next } = await waitFor(this.#ask(), { signal }, () => signal.reason);
    this.#columns ??= columns;
    this.#page = rows;
    this.#failure = failure;
    this.#next = next;
    if (next === undefined) this.#over();
  }

  async #ask(): Promise<StatementStep<Handle>> {
    if (this.#submitted === undefined) {
      this.#submitted = this.#api.submit(this.#submission.signal);
      return this.#submitted;
    }
    const next = this.#next as Handle;
    this.#rest = 0;
    try {
      return await this.#api.poll(next, this.#asking.signal);
    } catch (error) {
      // A poll changes nothing and can be retried; a statement is not sent twice.
      if (!(error instanceof ConnectorFailure) || error.reason !== "OVERLOADED") throw error;
      if (error.isRetryAfterSaid) this.#rest = 1000 * (error.retryAfter ?? 0);
      // The caller gets the error, and the delay, before its time-out.
      if (performance.now() + this.#rest >= this.#deadline) throw error;
      return { next };
    }
  }

  #over(): void {
    this.#isOver = true;
    this.#watch.end();
    this.#onOver();
  }

  /** Pending reads reject with the first reason. Resolves when the source has been notified; never rejects. */
  #giveUp(reason: unknown): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#asking.abort(reason);
    this.#watch.end();
    this.#ended ??= this.#tell().finally(this.#onOver);
    return this.#ended;
  }

  async #tell(): Promise<void> {
    try {
      await within({ milliseconds: FAREWELL_MS }, closed, async (signal) => {
        const next = this.#next ?? (await this.#submitted)?.next;
        if (next !== undefined) await this.#api.cancel(next, signal);
      });
    } catch {
      // There is no handle to cancel with.
      this.#submission.abort();
    }
  }
}

function late(timeoutMs: number): ConnectorFailure {
  return new ConnectorFailure("STATEMENT_TIMEOUT", `The statement ran longer than ${timeoutMs} ms.`);
}

function closed(): ConnectorFailure {
  return new ConnectorFailure("CANCELLED", "The connector is closed.");
}

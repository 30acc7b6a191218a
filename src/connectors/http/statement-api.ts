/**
 * Statements that a source takes over HTTP and answers by and by: it is asked again and again, each time with what it gave
 * the last time. One loop for all of them: back-off, pages as they are pulled, and a cancel request, exactly one, whatever
 * ends a statement before its time. A source says how its requests and answers look (`StatementApi`).
 */
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, Column, ResultStream } from "../../result/types.ts";
import type { CallOptions } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { pause, Watch, waitFor, within } from "../watch.ts";

/** What an answer of the source says. */
export interface StatementStep<Handle> {
  /** In the answer that first knows them, before any rows. */
  readonly columns?: readonly Column[] | undefined;
  /** Rows, in as many batches as a reader is to get them; made as they are pulled. */
  readonly rows?: Iterator<Batch> | undefined;
  /** What the source says went wrong; the statement is over there. */
  readonly failure?: ConnectorFailure | undefined;
  /** What to ask with next, or to cancel by; undefined when the statement is over. */
  readonly next: Handle | undefined;
}

/** One statement. Each function sends one request, and fails with `ConnectorFailure` when there is no answer to it. */
export interface StatementApi<Handle> {
  /** Goes on for a while when nobody wants its answer any more, which alone says what is to be cancelled. */
  submit(signal: AbortSignal): Promise<StatementStep<Handle>>;
  poll(next: Handle, signal: AbortSignal): Promise<StatementStep<Handle>>;
  cancel(next: Handle, signal: AbortSignal): Promise<void>;
}

/** Between answers that bring nothing: the first, doubled each time up to the last. Sources hold an answer back themselves. */
const FIRST_PAUSE_MS = 5;
const LAST_PAUSE_MS = 1000;
/** Cancelling that takes longer is not worth waiting for: sources end what nobody asks for by themselves. */
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

  /** Ends what still runs. Resolves when the source has been told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((statement) => statement.close()));
  }
}

class ApiStatement<Handle> {
  readonly #api: StatementApi<Handle>;
  readonly #watch: Watch;
  readonly #onOver: () => void;
  /** Aborted, with the failure, when nobody wants the statement any more. */
  readonly #asking = new AbortController();
  readonly #submission = new AbortController();
  #submitted: Promise<StatementStep<Handle>> | undefined;
  #columns: readonly Column[] | undefined;
  #page: Iterator<Batch> | undefined;
  #batch: Batch | undefined;
  #next: Handle | undefined;
  /** What the source has asked to be left alone for, with its last answer. */
  #rest = 0;
  readonly #deadline: number;
  /** Of the source; it comes behind the rows that came with it. */
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

  /** Undefined after the last. */
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

  /** Ends it on the source, unless it is over. */
  close(): Promise<void> {
    return this.#giveUp(closed());
  }

  async #until(holds: () => boolean): Promise<void> {
    try {
      // The answer to the submission brings nothing but where to ask, mostly.
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
      // Asking how it is changes nothing, so it can be asked once more; a statement is not sent twice.
      if (!(error instanceof ConnectorFailure) || error.reason !== "OVERLOADED") throw error;
      if (error.isRetryAfterSaid) this.#rest = 1000 * (error.retryAfter ?? 0);
      // Whoever called is told sooner than by its time-out, and how long.
      if (performance.now() + this.#rest >= this.#deadline) throw error;
      return { next };
    }
  }

  #over(): void {
    this.#isOver = true;
    this.#watch.end();
    this.#onOver();
  }

  /** Whoever waits fails with the first reason. Resolves when the source has been told; never rejects. */
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
      // There is nobody left to tell.
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

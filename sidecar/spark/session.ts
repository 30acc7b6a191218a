/**
 * A Spark session for one statement, or for one catalogue reading: sets settings and reads them back; every end of the session ends
 * its running work. Cancelling a call stops nothing on the server (seen on 4.0.1): the session is released, or, on 3.5, which
 * cannot, interrupted; and only once the running work can be ended (docs/decisions/0034-abort.md#decision).
 */
import { randomUUID } from "node:crypto";
import { type ServiceError, status } from "@grpc/grpc-js";
import { type ArrowBatch, readArrowStream } from "../../src/connectors/arrow/stream.ts";
import { type RowReader, rowReader } from "../../src/connectors/arrow/values.ts";
import type { CallOptions, Statement } from "../../src/connectors/connector.ts";
import { ConnectorFailure, cancelled } from "../../src/connectors/failure.ts";
import { type EngineError, statementFailure } from "../../src/connectors/spark/failures.ts";
import { pause, Watch, waitFor, within } from "../../src/connectors/watch.ts";
import type { SessionSetting } from "../../src/planner/plan.ts";
import { PulledBatches } from "../../src/result/stream/pulled.ts";
import type { Batch, Column, ResultStream, Value } from "../../src/result/types.ts";
import { type Execution, engineInfoOf, type SparkChannel } from "./channel.ts";
import { callFailure, closed, engineErrorOf, engineErrorOfTrailer, notSpark } from "./failures.ts";
import type { InSession, Relation, UnaryCalls } from "./protocol.ts";

/** Maximum wait for the server to learn of the end: it ends idle sessions by itself. */
const FAREWELL_MS = 5000;
/** Attempts to interrupt work that may not have begun or may be over, and the pause between them. */
const ATTEMPTS = 10;
const AGAIN_MS = 100;

/**
 * A statement that is ended just as it begins leaves jobs behind that nothing ends any more: Spark cancels those that it has,
 * and other threads of its own are about to submit more. How long that takes behind the first answer, and the longest wait.
 */
const SETTLING_MS = 1000;
const BEGINNING_MS = 3000;

/** The SQL sent, and the length of its prefix before the caller's. */
export interface SentSql {
  readonly sql: string;
  readonly before: number;
}

const NO_SQL: SentSql = { sql: "", before: 0 };

export class SparkSession {
  readonly #channel: SparkChannel;
  readonly #identity: InSession;
  readonly #watch: Watch;
  readonly #onOver: (session: SparkSession) => void;
  /** Aborted with the failure when the session is no longer needed. */
  readonly #asking = new AbortController();
  readonly #executions = new Set<Execution>();
  #hasAnswered = false;
  #ended: Promise<void> | undefined;

  constructor(
    channel: SparkChannel,
    user: string,
    { signal, timeoutMs }: CallOptions,
    onOver: (session: SparkSession) => void,
  ) {
    this.#channel = channel;
    this.#onOver = onOver;
    // A session of its own: it shares no state with others on the server.
    this.#identity = {
      sessionId: randomUUID(),
      userContext: { userId: user, userName: user },
      clientType: "siskin",
    };
    this.#watch = new Watch({ signal, milliseconds: timeoutMs }, (ending) => {
      void this.end(
        ending === "aborted"
          ? cancelled(signal)
          : new ConnectorFailure("STATEMENT_TIMEOUT", `The statement ran longer than ${timeoutMs} ms.`),
      );
    });
  }

  /** Fails for a setting that the server rejects or changes. */
  async set(settings: readonly SessionSetting[]): Promise<void> {
    const pairs = settings.map(({ name, value }) => ({ key: name, value }));
    await this.#ask("Config", { operation: { set: { pairs } } });
    const wanted = new Map(settings.map(({ name, value }) => [name, value]));
    const found = await this.#ask("Config", { operation: { get: { keys: [...wanted.keys()] } } });
    const values = new Map(found.pairs.map(({ key, value }) => [key, value]));
    for (const [name, value] of wanted) {
      if (values.get(name)?.toLowerCase() === value.toLowerCase()) continue;
      throw new ConnectorFailure("SOURCE_ERROR", `The server does not keep the session setting ${name}=${value}.`);
    }
  }

  /** The values of the settings that the server has. */
  async settings(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { pairs } = await this.#ask("Config", { operation: { getOption: { keys } } });
    return new Map(pairs.flatMap(({ key, value }) => (value == null ? [] : [[key, value]])));
  }

  /** The server's version: `4.0.1`, possibly with a vendor's suffix. */
  async release(): Promise<string> {
    const { sparkVersion } = await this.#ask("AnalyzePlan", { sparkVersion: {} });
    return sparkVersion?.version ?? "";
  }

  /** Names and types are looked up; nothing runs. */
  async analyze(sent: SentSql, root: Relation): Promise<void> {
    await this.#ask("AnalyzePlan", { schema: { plan: { root } } }, sent);
  }

  /** Resolves when the columns are known. The session ends with the rows. */
  async query(sent: SentSql, root: Relation, meant: Statement["columns"] = []): Promise<ResultStream> {
    const rows = this.#rows(root, sent, meant);
    const columns = await rows.columns();
    const pull = async (): Promise<Batch | undefined> => {
      let batch: Batch | undefined;
      try {
        batch = await rows.next();
        return batch;
      } finally {
        // The server keeps the session until it is released; nobody waits for that.
        if (batch === undefined) void this.end(closed());
      }
    };
    const batches = new PulledBatches(pull, () => this.end(closed()));
    return { columns, batches, close: () => batches.close() };
  }

  /** Each row by the names of its columns. */
  async list(root: Relation): Promise<readonly Readonly<Record<string, Value>>[]> {
    const rows = this.#rows(root, NO_SQL);
    const names = (await rows.columns()).map(({ name }) => name);
    const all: Readonly<Record<string, Value>>[] = [];
    for (let batch = await rows.next(); batch !== undefined; batch = await rows.next()) {
      for (const row of batch) all.push(Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])));
    }
    return all;
  }

  /** Resolves when the server has released the session. Never rejects. */
  end(reason: ConnectorFailure): Promise<void> {
    if (this.#ended === undefined) {
      this.#watch.end();
      this.#asking.abort(reason);
      this.#ended = this.#tell().finally(() => this.#onOver(this));
    }
    return this.#ended;
  }

  #rows(root: Relation, sent: SentSql, meant: Statement["columns"] = []): Rows {
    const { signal } = this.#asking;
    signal.throwIfAborted();
    const execution = this.#channel.execute({ ...this.#identity, plan: { root } });
    this.#executions.add(execution);
    return new Rows(() => this.#next(execution, sent), meant);
  }

  async #next(execution: Execution, sent: SentSql): Promise<Uint8Array | undefined> {
    const { signal } = this.#asking;
    for (;;) {
      const pulled = waitFor(execution.next(), { signal }, () => signal.reason);
      const answer = await pulled.catch((error: unknown) => this.#fail(error, sent));
      this.#hasAnswered = true;
      if (answer === undefined) return undefined;
      // A view of memory that other messages share.
      if (answer.arrowBatch?.data !== undefined) return new Uint8Array(answer.arrowBatch.data);
    }
  }

  async #ask<M extends keyof UnaryCalls>(
    method: M,
    request: UnaryCalls[M][0],
    sent = NO_SQL,
  ): Promise<UnaryCalls[M][1]> {
    try {
      const answer = await this.#channel.ask(method, { ...request, ...this.#identity }, this.#asking.signal);
      this.#hasAnswered = true;
      return answer;
    } catch (error) {
      return this.#fail(error, sent);
    }
  }

  async #fail(error: unknown, { sql, before }: SentSql): Promise<never> {
    if (!isServiceError(error)) throw error;
    const info = engineInfoOf(error);
    if (info === undefined) throw callFailure(error, this.#hasAnswered);
    throw statementFailure(await this.#explain(error, info), sql, before);
  }

  /** A trailer is small: the full error is requested if the server still has it. */
  async #explain(error: ServiceError, info: Readonly<Record<string, string>>): Promise<EngineError> {
    const brief = engineErrorOfTrailer(error.details, info);
    const { errorId } = info;
    if (errorId === undefined) return brief;
    const { signal } = this.#asking;
    try {
      const details = await this.#channel.ask("FetchErrorDetails", { ...this.#identity, errorId }, signal);
      const whole = engineErrorOf(details);
      if (whole === undefined) return brief;
      return { ...whole, errorClass: whole.errorClass ?? brief.errorClass, sqlState: whole.sqlState ?? brief.sqlState };
    } catch (reason) {
      if (signal.aborted) throw reason;
      return brief;
    }
  }

  async #tell(): Promise<void> {
    try {
      await within({ milliseconds: FAREWELL_MS }, closed, async (signal) => {
        await Promise.all([...this.#executions].map((execution) => untilBegun(execution)));
        try {
          await this.#channel.ask("ReleaseSession", this.#identity, signal);
        } catch (error) {
          if (!isServiceError(error) || error.code !== status.UNIMPLEMENTED) throw error;
          await this.#interrupt(signal);
        }
      });
    } catch {
      // Nobody is waiting for the error.
    } finally {
      for (const execution of this.#executions) execution.cancel();
    }
  }

  get #isRunning(): boolean {
    return [...this.#executions].some(({ isOver }) => !isOver);
  }

  /** Repeats until there is something to interrupt: the call may overtake the statement. */
  async #interrupt(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; this.#isRunning && attempt < ATTEMPTS; attempt++) {
      const request = { ...this.#identity, interruptType: "INTERRUPT_TYPE_ALL" } as const;
      const { interruptedIds } = await this.#channel.ask("Interrupt", request, signal);
      if (interruptedIds.length > 0) return;
      await pause(AGAIN_MS, signal);
    }
  }
}

async function untilBegun(execution: Execution): Promise<void> {
  void execution.letGo();
  const waiting = new AbortController();
  const { signal } = waiting;
  const settled = execution.answered.then(() => pause(SETTLING_MS, signal));
  await Promise.race([execution.begun, settled, pause(BEGINNING_MS, signal)]);
  waiting.abort();
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "metadata" in error;
}

/** The rows of parts in Arrow, each with the schema of all. */
class Rows {
  readonly #pull: () => Promise<Uint8Array | undefined>;
  readonly #meant: Statement["columns"];
  #reader: RowReader | undefined;
  #batches: Iterator<Batch, void> | undefined;

  constructor(pull: () => Promise<Uint8Array | undefined>, meant: Statement["columns"]) {
    this.#pull = pull;
    this.#meant = meant;
  }

  async columns(): Promise<readonly Column[]> {
    await this.#take();
    if (this.#reader === undefined) throw notSpark();
    return this.#reader.columns;
  }

  async next(): Promise<Batch | undefined> {
    for (;;) {
      const step = guarded(() => this.#batches?.next());
      if (step !== undefined && step.done !== true) return step.value;
      if (!(await this.#take())) return undefined;
    }
  }

  async #take(): Promise<boolean> {
    const bytes = await this.#pull();
    if (bytes === undefined) return false;
    this.#batches = guarded(() => {
      const { fields, batches } = readArrowStream(bytes);
      const reader = rowReader(fields, this.#meant);
      this.#reader ??= reader;
      if (JSON.stringify(reader.columns) !== JSON.stringify(this.#reader.columns)) throw notSpark();
      return batchesOf(batches, reader);
    });
    return true;
  }
}

function* batchesOf(parts: readonly ArrowBatch[], reader: RowReader): Generator<Batch, void> {
  for (const part of parts) yield* reader.batches(part);
}

/** Whatever reading fails with is of what was sent. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConnectorFailure ? error : notSpark(error);
  }
}

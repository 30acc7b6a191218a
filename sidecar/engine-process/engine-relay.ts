/**
 * One call on DuckDB: sends it to a process, watches it, and ends the process with the call unless the answer was
 * complete.
 */
import type { CallOptions } from "../../src/connectors/connector.ts";
import { ConnectorFailure, cancelled } from "../../src/connectors/failure.ts";
import { failureFromJson } from "../../src/connectors/remote/failure-wire.ts";
import type { Relay } from "../../src/connectors/remote/host.ts";
import type { Watch } from "../../src/connectors/watch.ts";
import { FrameError } from "../../src/result/encode/frames/format.ts";
import { relayFrames } from "../../src/result/encode/frames/reader.ts";
import type { RelayedAnswer, RelayedResult, ReportAnswer } from "../../src/result/encode/frames/writer.ts";
import { PulledBatches } from "../../src/result/stream/pulled.ts";
import { watchStatement } from "../statement-watch.ts";
import { EngineFault } from "./engine-fault.ts";
import type { EngineLease, EnginePool } from "./engine-pool.ts";
import type { EngineCall } from "./messages.ts";
import { failureOfEnd } from "./process-end.ts";

/** The engine ends a statement at its time by itself, if it listens; afterwards it is ended. */
const GRACE_MS = 500;
/** Wait after a broken answer: the process is about to end and may still write its last error. */
const LAST_WORDS_MS = 1000;

export interface EngineQuestion extends Pick<EngineCall, "connection" | "root" | "call"> {
  /** A digest of the connection, if the process receives only part of it. */
  readonly identity?: string;
}

export class EngineRelay implements Relay {
  readonly #pool: EnginePool;
  readonly #question: EngineQuestion;
  readonly #closing = new AbortController();
  #lease: EngineLease | undefined;
  /** The answer is complete: this call must not end the process any more. */
  #givenBack: Promise<void> | undefined;
  /** The reason why the sidecar ended the process. */
  #stopped: ConnectorFailure | undefined;
  #watch: Watch | undefined;

  constructor(pool: EnginePool, question: EngineQuestion) {
    this.#pool = pool;
    this.#question = question;
  }

  /** A file that ends the process is left out of the listing of its directory, like others that cannot be read. */
  async relay({ signal, timeoutMs, isolation }: CallOptions): Promise<RelayedAnswer | ReportAnswer> {
    const skipped: string[] = [];
    const until = Date.now() + timeoutMs;
    for (;;) {
      try {
        return await this.#attempt({ signal, timeoutMs: Math.max(1, until - Date.now()), isolation }, skipped);
      } catch (error) {
        const path = this.#lease?.process.describing;
        if (!endedItsProcess(error) || path === undefined || skipped.includes(path)) throw error;
        skipped.push(path);
        this.#end();
        this.#lease = undefined;
      }
    }
  }

  async #attempt(
    { signal, timeoutMs, isolation }: CallOptions,
    skipped: readonly string[],
  ): Promise<RelayedAnswer | ReportAnswer> {
    const given = AbortSignal.any([signal, this.#closing.signal]);
    try {
      const owner = ownerOf(this.#question, isolation);
      const lease = await this.#pool.take(owner, given, (failure) => this.#stop(failure));
      this.#lease = lease;
      this.#watch = watchStatement({ signal: given, timeoutMs }, (failure) => this.#stop(failure), GRACE_MS);
      const { connection, root, call } = this.#question;
      const frames = lease.process.ask({ connection, root, call, timeoutMs, skipped });
      const answer = await relayFrames(frames, { revive });
      lease.moved();
      void this.#pool.refill();
      if (answer.kind === "relayed") return { kind: "relayed", stream: this.#watched(answer.stream) };
      this.#giveBack();
      return answer;
    } catch (error) {
      throw given.aborted && this.#lease === undefined ? cancelled(given) : await this.#failureOf(error);
    }
  }

  /** Resolves when the process is gone, or waits for another call. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#end();
    await (this.#givenBack ?? this.#lease?.process.ended);
  }

  #watched({ columns, batches, close }: RelayedResult): RelayedResult {
    const pull = async () => {
      this.#lease?.moved();
      try {
        const next = await batches.next();
        if (next.done) this.#giveBack();
        return next.done ? undefined : next.value;
      } catch (error) {
        throw await this.#failureOf(error);
      }
    };
    const watched = new PulledBatches(pull, () => {
      this.#end();
      return close();
    });
    return { columns, batches: watched, close: () => watched.close() };
  }

  #stop(failure: ConnectorFailure): void {
    this.#stopped ??= failure;
    this.#end();
  }

  #giveBack(): void {
    if (this.#stopped !== undefined) return;
    this.#watch?.end();
    this.#givenBack ??= this.#lease?.giveBack();
  }

  #end(): void {
    this.#watch?.end();
    if (this.#givenBack === undefined) this.#lease?.process.kill();
    void this.#pool.refill();
  }

  /** An answer that broke off has its reason in how the process ended. */
  async #failureOf(error: unknown): Promise<unknown> {
    if (this.#stopped !== undefined) return this.#stopped;
    if (!(error instanceof FrameError) || this.#lease === undefined) return error;
    const { process } = this.#lease;
    if (error.code !== "TRUNCATED") return new EngineFault(`${error.code}: ${error.message}`);
    const impatient = setTimeout(() => process.kill(), LAST_WORDS_MS);
    const end = await process.ended;
    clearTimeout(impatient);
    return this.#stopped ?? failureOfEnd(end);
  }
}

function endedItsProcess(error: unknown): boolean {
  if (!(error instanceof ConnectorFailure)) return false;
  return error.reason === "SOURCE_CRASHED" || error.reason === "SOURCE_OUT_OF_MEMORY";
}

/**
 * Owner of the data that the process may hold: caller and session values by the isolation key, the connection by the
 * fields that the process receives and a digest of the rest. Undefined for a call without a key.
 */
function ownerOf(
  { connection: { url, format }, identity }: EngineQuestion,
  isolation: string | undefined,
): string | undefined {
  return isolation === undefined ? undefined : JSON.stringify([isolation, url, format, identity]);
}

function revive(json: unknown): Error {
  const fault = typeof json === "object" && json !== null && "fault" in json ? json.fault : undefined;
  return failureFromJson(json) ?? new EngineFault(typeof fault === "string" ? fault : "nothing readable");
}

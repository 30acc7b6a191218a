/**
 * One process that is kept running: probed while it runs, ended when it hangs, and started again whenever it has ended. The
 * process itself and the clock are arguments.
 */
import { setTimeout as after } from "node:timers/promises";
import { WRONG_SETTINGS } from "../src/config/exit-code.ts";
import { MOST_MISSES, ProbeCount, pauseAfter, STEADY_MS } from "./patience.ts";

/** How a process ended. */
export interface End {
  /** Undefined after a signal, and where the process could not be started. */
  readonly code: number | undefined;
  /** `code 1`, `SIGKILL`, or why it could not be started. */
  readonly how: string;
}

export interface RunningProcess {
  /** Resolves when the process serves; never rejects. */
  readonly ready: Promise<unknown>;
  /** Resolves when the process has ended; never rejects. */
  readonly ended: Promise<End>;
  /** Calls `answered` when the event loop of the process has turned. Stops waiting with `signal`. */
  probe(answered: () => void, signal: AbortSignal): void;
  signal(name: "SIGTERM" | "SIGKILL"): void;
}

/** An act of the supervisor. `process` is the name that sentences begin with. */
export type SupervisorEvent =
  | { readonly event: "hung"; readonly process: string; readonly milliseconds: number }
  | { readonly event: "ended"; readonly process: string; readonly how: string; readonly code: number | undefined };

/** A monotonic clock and its timer; tests bring their own. */
export interface Clock {
  now(): number;
  /** Resolves after `milliseconds`, or at once when `signal` is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const MONOTONIC: Clock = {
  now: () => performance.now(),
  wait: (milliseconds, signal) => after(milliseconds, undefined, { signal }).catch(() => undefined),
};

export interface Supervision {
  /** Setting `PROBE_INTERVAL_MS`; 0 sends no probes. */
  readonly probeIntervalMs: number;
  /** Setting `RESTART_MAX_PAUSE_MS`. */
  readonly longestPauseMs: number;
  readonly report: (event: SupervisorEvent) => void;
}

export interface SupervisedOptions extends Supervision {
  /** The beginning of a sentence: `The sidecar`. */
  readonly name: string;
  readonly start: () => RunningProcess;
  /** True by default. */
  readonly isProbed?: boolean;
  /** Called once when it has ended with `WRONG_SETTINGS` after it had run: with its settings it would do so again. */
  readonly onRefused?: () => void;
  readonly clock?: Clock;
}

interface Outcome {
  readonly end: End;
  /** The supervisor has ended it. */
  readonly isHung: boolean;
}

/** The first start failed. */
export class StartFailure extends Error {
  readonly end: End;

  constructor(name: string, end: End) {
    super(`${name} did not start (${end.how}).`);
    this.end = end;
  }
}

/** Time that a process may take until it serves, however short the intervals are. */
const START_MS = 60_000;
/** Ends of a process that has never answered a probe, after which it is not started again: its settings end it each time. */
const MOST_VAIN_STARTS = 3;
/** Milliseconds between SIGTERM and SIGKILL for a process that hangs. */
const LAST_WORDS_MS = 1000;

export class Supervised {
  readonly #options: SupervisedOptions;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #process: RunningProcess | undefined;
  #isOver = false;
  /** While the first start waits for an answer. */
  #onAnswer: (() => void) | undefined;

  constructor(options: SupervisedOptions) {
    this.#options = options;
    this.#clock = options.clock ?? MONOTONIC;
  }

  /**
   * Resolves when the process serves and has answered a probe. Rejects with `StartFailure` when it has ended before it served, and
   * when it has ended by itself three times without an answer. Then nothing is started again.
   */
  async start(): Promise<void> {
    const { name, longestPauseMs, report, probeIntervalMs, isProbed = true } = this.#options;
    for (let vainStarts = 1; ; vainStarts++) {
      const process = this.#launch();
      const watched = this.#watch(process);
      let isServing = false;
      const ready = process.ready.then(async () => {
        isServing = true;
        if (probeIntervalMs > 0 && isProbed) await this.#answerOf(process);
      });
      const outcome = await Promise.race([ready, watched]);
      if (outcome === undefined) return void this.#keep(watched);
      const { end, isHung } = outcome;
      if (isHung) vainStarts--;
      const isLast = !isServing || vainStarts >= MOST_VAIN_STARTS || end.code === WRONG_SETTINGS;
      if (isLast || this.#stopping.signal.aborted) {
        this.#isOver = true;
        throw new StartFailure(name, end);
      }
      report({ event: "ended", process: name, ...end });
      await this.#clock.wait(pauseAfter(Math.max(0, vainStarts - 1), longestPauseMs), this.#stopping.signal);
      if (this.#stopping.signal.aborted) {
        this.#isOver = true;
        throw new StartFailure(name, end);
      }
    }
  }

  /** Resolves when the process answers: to a probe of its own, since the next one of `#watch` is an interval away, or to a later one. */
  async #answerOf(process: RunningProcess): Promise<void> {
    const asking = new AbortController();
    void process.ended.then(() => asking.abort());
    await new Promise<void>((resolve) => {
      this.#onAnswer = resolve;
      process.probe(resolve, asking.signal);
    });
    this.#onAnswer = undefined;
    asking.abort();
  }

  /** Sends SIGTERM and resolves when the process has ended, or after `patienceMs` if given. */
  async stop(patienceMs?: number): Promise<void> {
    this.#stopping.abort();
    const process = this.#process;
    if (process === undefined || this.#isOver) return;
    process.signal("SIGTERM");
    if (patienceMs !== undefined && !(await this.#endsWithin(process, patienceMs))) await this.hurry();
    await process.ended;
  }

  /** Sends a second SIGTERM, on which the process ends at once; kills it if it does not end within a second. */
  async hurry(): Promise<void> {
    if (this.#process !== undefined && !this.#isOver) await this.#end(this.#process, LAST_WORDS_MS);
  }

  #launch(): RunningProcess {
    const process = this.#options.start();
    this.#process = process;
    return process;
  }

  async #keep(first: Promise<Outcome>): Promise<void> {
    const { name, longestPauseMs, report, onRefused } = this.#options;
    let deaths = 0;
    let started = this.#clock.now();
    for (let watched = first; ; watched = this.#watch(this.#launch())) {
      const { end } = await watched;
      if (this.#stopping.signal.aborted) break;
      if (end.code === WRONG_SETTINGS) {
        this.#isOver = true;
        return onRefused?.();
      }
      if (this.#clock.now() - started > STEADY_MS) deaths = 0;
      report({ event: "ended", process: name, ...end });
      await this.#clock.wait(pauseAfter(deaths++, longestPauseMs), this.#stopping.signal);
      if (this.#stopping.signal.aborted) break;
      started = this.#clock.now();
    }
    this.#isOver = true;
  }

  /** Probes the process until it has ended, and ends it when it hangs. */
  async #watch(process: RunningProcess): Promise<Outcome> {
    const { name, probeIntervalMs: interval, isProbed: mayBeProbed = true, report } = this.#options;
    if (interval === 0 || !mayBeProbed) return { end: await process.ended, isHung: false };
    const count = new ProbeCount(Math.max(MOST_MISSES, Math.ceil(START_MS / interval)));
    const over = new AbortController();
    const end = (): void => over.abort();
    this.#stopping.signal.addEventListener("abort", end);
    void process.ended.then(() => {
      this.#stopping.signal.removeEventListener("abort", end);
      end();
    });
    let isReady = false;
    let isHung = false;
    void process.ready.then(() => {
      isReady = true;
    });
    // Probes wait until one is answered: a busy process reaches them in turn, and one that asked again would be the last in line.
    let probing = new AbortController();
    let waiting = 0;
    let hasAnswered = false;
    while (!over.signal.aborted) {
      const isProbed = isReady;
      if (isProbed) {
        // Where every interval is late, none of them counts: the probes that wait are given up, or they would grow without end.
        if (hasAnswered || waiting >= MOST_MISSES) {
          probing.abort();
          probing = new AbortController();
          waiting = 0;
        }
        waiting++;
        hasAnswered = false;
        process.probe(() => {
          hasAnswered = true;
          this.#onAnswer?.();
        }, probing.signal);
      }
      const sent = this.#clock.now();
      await this.#clock.wait(interval, over.signal);
      if (over.signal.aborted) break;
      const isLate = this.#clock.now() - sent > interval * 1.5;
      if (!count.isHungAfter({ isReady: isProbed, hasAnswered, isLate })) continue;
      isHung = true;
      report({ event: "hung", process: name, milliseconds: interval * MOST_MISSES });
      await this.#end(process, Math.min(LAST_WORDS_MS, interval));
      break;
    }
    probing.abort();
    return { end: await process.ended, isHung };
  }

  async #end(process: RunningProcess, milliseconds: number): Promise<void> {
    process.signal("SIGTERM");
    if (!(await this.#endsWithin(process, milliseconds))) process.signal("SIGKILL");
  }

  async #endsWithin(process: RunningProcess, milliseconds: number): Promise<boolean> {
    const ended = new AbortController();
    void process.ended.then(() => ended.abort());
    await this.#clock.wait(milliseconds, ended.signal);
    return ended.signal.aborted;
  }
}

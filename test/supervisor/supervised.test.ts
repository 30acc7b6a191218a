/** Restarts and probes by a clock of the test, over processes that are none. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  type Clock,
  type End,
  type RunningProcess,
  StartFailure,
  Supervised,
  type SupervisedOptions,
  type SupervisorEvent,
} from "../../supervisor/supervised.ts";

const INTERVAL = 1000;

class TestClock implements Clock {
  time = 0;
  readonly #waits: { readonly due: number; readonly ring: () => void }[] = [];

  now(): number {
    return this.time;
  }

  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((ring) => {
      if (signal.aborted) return ring();
      this.#waits.push({ due: this.time + milliseconds, ring });
      signal.addEventListener("abort", () => ring(), { once: true });
    });
  }

  /** Time passes in one step, as for a process that did not run meanwhile. */
  async jump(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    const due = this.#waits.filter((wait) => wait.due <= this.time);
    for (const wait of due) this.#waits.splice(this.#waits.indexOf(wait), 1);
    for (const wait of due) wait.ring();
    await settled();
  }

  async pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 100) await this.jump(100);
  }
}

/** Everything that waits for nothing but promises has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class TestProcess implements RunningProcess {
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<End>();
  readonly ready = this.#ready.promise;
  readonly ended = this.#ended.promise;
  readonly signals: string[] = [];
  answers = true;
  heedsSigterm = true;
  /** Time from a probe to its answer. */
  answersAfter = 0;
  probes = 0;
  readonly #signals: AbortSignal[] = [];

  /** Probes that are not given up. */
  get waiting(): number {
    return this.#signals.filter(({ aborted }) => !aborted).length;
  }

  probe(answered: () => void, signal: AbortSignal): void {
    this.probes++;
    this.#signals.push(signal);
    if (!this.answers) return;
    if (this.answersAfter === 0) answered();
    else void clock.wait(this.answersAfter, signal).then(() => signal.aborted || answered());
  }

  signal(name: "SIGTERM" | "SIGKILL"): void {
    this.signals.push(name);
    if (name === "SIGKILL" || this.heedsSigterm) this.end(undefined, name);
  }

  serve(): void {
    this.#ready.resolve();
  }

  end(code: number | undefined, how = `code ${code}`): void {
    this.#ended.resolve({ code, how });
  }

  hang(): void {
    this.answers = false;
    this.heedsSigterm = false;
  }
}

let clock: TestClock;
let started: TestProcess[];
let events: SupervisorEvent[];
let refusals: number;
beforeEach(() => {
  clock = new TestClock();
  started = [];
  events = [];
  refusals = 0;
});

const last = (): TestProcess => started.at(-1)!;

function supervised(options: Partial<SupervisedOptions> = {}): Supervised {
  return new Supervised({
    name: "The process",
    start: () => {
      started.push(new TestProcess());
      return last();
    },
    probeIntervalMs: INTERVAL,
    longestPauseMs: 1000,
    report: (event) => void events.push(event),
    onRefused: () => void refusals++,
    clock,
    ...options,
  });
}

async function serving(options: Partial<SupervisedOptions> = {}): Promise<Supervised> {
  const process = supervised(options);
  const start = process.start();
  last().serve();
  await start;
  await settled();
  return process;
}

describe("probes", () => {
  it("go on for as long as they are answered", async () => {
    await serving();
    await clock.pass(20 * INTERVAL);
    expect(last().probes).toBeGreaterThanOrEqual(19);
    expect([started.length, events]).toEqual([1, []]);
  });

  it("end a process that leaves three unanswered, by SIGTERM and then by SIGKILL, and another one is started", async () => {
    await serving();
    await clock.pass(3 * INTERVAL);
    last().hang();
    await clock.pass(6 * INTERVAL);
    expect(started).toHaveLength(2);
    expect(started[0]?.signals).toEqual(["SIGTERM", "SIGKILL"]);
    expect(events).toEqual([
      { event: "hung", process: "The process", milliseconds: 3 * INTERVAL },
      { event: "ended", process: "The process", code: undefined, how: "SIGKILL" },
    ]);
  });

  it("spare a busy process, whose answers come later than the next probe", async () => {
    await serving();
    last().answersAfter = 2.5 * INTERVAL;
    await clock.pass(20 * INTERVAL);
    expect([started.length, events]).toEqual([1, []]);
    last().answersAfter = 4 * INTERVAL;
    await clock.pass(10 * INTERVAL);
    expect(events[0]).toMatchObject({ event: "hung" });
  });

  it("do not pile up where the supervisor is late each time", async () => {
    await serving();
    last().answers = false;
    const waiting = new Set<number>();
    for (let late = 0; late < 20; late++) {
      await clock.jump(2 * INTERVAL);
      waiting.add(last().waiting);
    }
    expect([...waiting].sort()).toEqual([1, 2, 3]);
    expect(events).toEqual([]);
  });

  it("spare a process that heeds SIGTERM the SIGKILL", async () => {
    await serving();
    last().answers = false;
    await clock.pass(5 * INTERVAL);
    expect(started[0]?.signals).toEqual(["SIGTERM"]);
  });

  it("do not count while the supervisor itself was paused, however long, nor the first one after that", async () => {
    await serving();
    last().answers = false;
    await clock.pass(INTERVAL);
    await clock.jump(100 * INTERVAL);
    await clock.pass(INTERVAL);
    last().answers = true;
    await clock.pass(10 * INTERVAL);
    expect([started.length, events]).toEqual([1, []]);
  });

  it("end a process that does not serve within a minute", async () => {
    await serving();
    last().end(1);
    await settled();
    await clock.pass(100);
    expect(started).toHaveLength(2);
    last().heedsSigterm = false;
    await clock.pass(59_000);
    expect(started).toHaveLength(2);
    await clock.pass(4000);
    expect([started.length, started[1]?.signals, started[1]?.probes]).toEqual([3, ["SIGTERM", "SIGKILL"], 0]);
  });

  it.each<[string, Partial<SupervisedOptions>]>([
    ["are not sent when their interval is 0", { probeIntervalMs: 0 }],
    ["are not sent to a process in a debugger", { isProbed: false }],
  ])("%s", async (_, options) => {
    await serving(options);
    last().hang();
    await clock.pass(20 * INTERVAL);
    expect([last().probes, events]).toEqual([0, []]);
  });
});

describe("restarts", () => {
  it("have no end, and pauses that grow to the longest", async () => {
    await serving({ longestPauseMs: 1000 });
    const pauses: number[] = [];
    for (let death = 0; death < 20; death++) {
      last().end(undefined, "SIGSEGV");
      await settled();
      const died = clock.time;
      while (started.length === death + 1) await clock.jump(100);
      pauses.push(clock.time - died);
    }
    expect(pauses).toEqual([100, 200, 400, 800, ...Array(16).fill(1000)]);
    expect(events).toHaveLength(20);
  });

  it("begin with a short pause again after a process that ran for a minute", async () => {
    await serving();
    for (let death = 0; death < 5; death++) {
      last().end(1);
      await settled();
      await clock.pass(1000);
    }
    last().serve();
    await clock.pass(61_000);
    last().end(1);
    await settled();
    await clock.pass(100);
    expect(started).toHaveLength(7);
  });

  it("stop when the process says that a setting is wrong", async () => {
    await serving();
    last().end(78);
    await clock.pass(10 * INTERVAL);
    expect([started.length, refusals, events]).toEqual([1, 1, []]);
  });

  it.each([1, 78])("are none for a first start that fails, with code %d", async (code) => {
    const start = supervised().start();
    last().end(code);
    const failure = await start.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartFailure);
    expect(failure).toMatchObject({ message: `The process did not start (code ${code}).`, end: { code } });
    await clock.pass(10 * INTERVAL);
    expect([started.length, refusals]).toEqual([1, 0]);
  });
});

describe("a process that ends at once, whatever it says before", () => {
  /** Serves, answers nothing, and ends by itself. */
  async function endInVain(): Promise<void> {
    last().answers = false;
    last().serve();
    await settled();
    last().end(1);
    await settled();
  }

  it("is started three times, and then the first start has failed", async () => {
    const start = supervised({ start: silentStart })
      .start()
      .catch((error: unknown) => error);
    for (let time = 1; time <= 3; time++) {
      await endInVain();
      expect([started.length, events.length]).toEqual([time, Math.min(time, 2)]);
      await clock.pass(1000);
    }
    expect(await start).toBeInstanceOf(StartFailure);
    expect(started).toHaveLength(3);
  });

  it("is kept running without end once it has answered", async () => {
    const start = supervised({ start: silentStart }).start();
    await endInVain();
    await clock.pass(1000);
    last().answers = true;
    last().serve();
    await clock.pass(2 * INTERVAL);
    await start;
    for (let death = 0; death < 10; death++) {
      await endInVain();
      await clock.pass(1000);
    }
    expect(started).toHaveLength(12);
  });

  it("is not given up where the supervisor has ended it, since a busy machine may be the reason", async () => {
    const process = supervised({ start: silentStart });
    const start = process.start().catch((error: unknown) => error);
    for (let time = 0; time < 5; time++) {
      last().serve();
      await clock.pass(6 * INTERVAL);
    }
    expect(started.length).toBeGreaterThan(4);
    await process.stop();
    expect(await start).toBeInstanceOf(StartFailure);
  });

  it("is not started again while the service ends", async () => {
    const process = supervised({ start: silentStart });
    const start = process.start().catch((error: unknown) => error);
    await endInVain();
    await process.stop();
    expect(await start).toBeInstanceOf(StartFailure);
    await clock.pass(10_000);
    expect(started).toHaveLength(1);
  });

  it("is kept running where it is not probed", async () => {
    const start = supervised({ start: silentStart, probeIntervalMs: 0 }).start();
    last().serve();
    await start;
    for (let death = 0; death < 5; death++) {
      await endInVain();
      await clock.pass(1000);
    }
    expect(started).toHaveLength(6);
  });

  const silentStart = (): TestProcess => {
    started.push(new TestProcess());
    last().answers = false;
    return last();
  };
});

describe("the end", () => {
  it("waits for the process, which is neither probed nor started again", async () => {
    const process = await serving();
    last().heedsSigterm = false;
    await clock.pass(5 * INTERVAL);
    const { probes } = last();
    let isOver = false;
    const stopped = process.stop().then(() => {
      isOver = true;
    });
    await clock.pass(60_000);
    expect([isOver, last().signals, last().probes]).toEqual([false, ["SIGTERM"], probes]);
    last().end(0);
    await stopped;
    await clock.pass(60_000);
    expect([started.length, events]).toEqual([1, []]);
  });

  it("does not wait for longer than it is told", async () => {
    const process = await serving();
    last().hang();
    const stopped = process.stop(500);
    await clock.pass(2000);
    await stopped;
    expect(last().signals).toEqual(["SIGTERM", "SIGTERM", "SIGKILL"]);
  });

  it("comes at once between a death and a restart", async () => {
    const process = await serving();
    last().end(1);
    await settled();
    await process.stop();
    await clock.pass(10_000);
    expect([started.length, last().signals]).toEqual([1, ["SIGTERM"]]);
  });

  it("of a first start that is not over yet is its failure", async () => {
    const process = supervised();
    const start = process.start().catch((error: unknown) => error);
    await process.stop();
    expect(await start).toBeInstanceOf(StartFailure);
    expect(started).toHaveLength(1);
  });
});

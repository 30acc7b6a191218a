import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Bounds, type Ending, Watch, waitFor, within } from "../../src/connectors/watch.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Nothing is left to go off: neither a timer nor a listener. */
function expectQuiet(signal: AbortSignal): void {
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(signal, "abort")).toEqual([]);
}

const failure = (ending: Ending): Error => new Error(ending);
const never = (): Promise<never> => new Promise(() => {});

interface Event {
  readonly what: string;
  readonly happens: (controller: AbortController) => unknown;
  readonly ending: Ending;
}

const ENDINGS: readonly Event[] = [
  { what: "the signal fires", happens: (controller) => controller.abort(), ending: "aborted" },
  { what: "time is over", happens: () => vi.advanceTimersByTime(100), ending: "late" },
];

describe("Watch", () => {
  it.each(ENDINGS)("tells once when $what, and is quiet then", ({ happens, ending }) => {
    const controller = new AbortController();
    const over = vi.fn();
    new Watch({ signal: controller.signal, milliseconds: 100 }, over);
    happens(controller);
    expect(over.mock.calls).toEqual([[ending]]);
    expectQuiet(controller.signal);
    for (const other of ENDINGS) other.happens(controller);
    expect(over).toHaveBeenCalledTimes(1);
  });

  it.each(ENDINGS)("says nothing after its end when $what", ({ happens }) => {
    const controller = new AbortController();
    const over = vi.fn();
    const watch = new Watch({ signal: controller.signal, milliseconds: 100 }, over);
    watch.end();
    watch.end();
    expectQuiet(controller.signal);
    happens(controller);
    expect(over).not.toHaveBeenCalled();
  });

  it("waits for the whole of its time", () => {
    const over = vi.fn();
    new Watch({ milliseconds: 100 }, over);
    vi.advanceTimersByTime(99);
    expect(over).not.toHaveBeenCalled();
  });

  it("has no timer without a time", () => {
    new Watch({ signal: new AbortController().signal }, () => {});
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    { ends: false, calls: [["aborted"]] },
    { ends: true, calls: [] },
  ])("tells of a signal that had fired after the constructor (ended before: $ends)", async ({ ends, calls }) => {
    const over = vi.fn();
    const watch = new Watch({ signal: AbortSignal.abort(), milliseconds: 100 }, over);
    expect(over).not.toHaveBeenCalled();
    if (ends) watch.end();
    await Promise.resolve();
    expect(over.mock.calls).toEqual(calls);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.each([
  ["waitFor", <T>(bounds: Bounds, work: () => Promise<T>) => waitFor(work(), bounds, failure)],
  ["within", <T>(bounds: Bounds, work: () => Promise<T>) => within(bounds, failure, work)],
] as const)("%s", (_, wait) => {
  it.each(ENDINGS)("fails as it is told to when $what", async ({ happens, ending }) => {
    const controller = new AbortController();
    const waiting = wait({ signal: controller.signal, milliseconds: 100 }, never);
    happens(controller);
    await expect(waiting).rejects.toThrow(ending);
    expectQuiet(controller.signal);
  });

  it("ends as the work does, and is quiet then", async () => {
    const { signal } = new AbortController();
    const bounds = { signal, milliseconds: 100 };
    expect(await wait(bounds, async () => "done")).toBe("done");
    await expect(wait(bounds, () => Promise.reject(new Error("of the work")))).rejects.toThrow("of the work");
    expectQuiet(signal);
  });

  it("leaves no rejection behind when the work fails after it was given up", async () => {
    const work = Promise.withResolvers<never>();
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const waiting = wait({ milliseconds: 100 }, () => work.promise);
    vi.advanceTimersByTime(100);
    await expect(waiting).rejects.toThrow("late");
    work.reject(new Error("too late to matter"));
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe("within", () => {
  it.each(ENDINGS)("tells the work why when $what", async ({ happens, ending }) => {
    const controller = new AbortController();
    let given: AbortSignal | undefined;
    const waiting = within({ signal: controller.signal, milliseconds: 100 }, failure, (signal) => {
      given = signal;
      return never();
    });
    expect(given?.aborted).toBe(false);
    happens(controller);
    const error = await waiting.catch((error: unknown) => error);
    expect(given?.reason).toBe(error);
    expect(String(error)).toContain(ending);
  });

  it("begins nothing after an abort", async () => {
    const work = vi.fn(never);
    await expect(within({ signal: AbortSignal.abort() }, failure, work)).rejects.toThrow("aborted");
    expect(work).not.toHaveBeenCalled();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startDeadline } from "../../src/service/deadline.ts";
import { createInFlightGate, type InFlightLimits, type Place } from "../../src/service/in-flight.ts";

const gateOf = (limits: Partial<InFlightLimits> = {}) =>
  createInFlightGate({ places: 2, waitMs: 5000, holdMs: 20_000, ...limits });
const client = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Outcome of a request for a slot: the slot, the reason of the rejection, or nothing yet. */
function asking(gate: ReturnType<typeof gateOf>, caller = "a", signal = client): { place?: Place; reason?: unknown } {
  const outcome: { place?: Place; reason?: unknown } = {};
  gate.enter(caller, signal).then(
    (place) => {
      outcome.place = place;
    },
    (error: { reason: unknown }) => {
      outcome.reason = error.reason;
    },
  );
  return outcome;
}

/** A place and the call that holds it: every request that waits for a source has a deadline, which looks at its place. */
interface Holding extends Place {
  readonly signal: AbortSignal;
}

async function listening(gate: ReturnType<typeof gateOf>, caller = "a"): Promise<Holding> {
  const place = await gate.enter(caller, client);
  const { signal, clear } = startDeadline("query", {
    client,
    milliseconds: 1_000_000,
    makeWay: () => place.makeWay(),
  });
  expect(signal.aborted).toBe(false);
  const release = (): void => {
    clear();
    place.release();
  };
  return { ...place, release, signal };
}

describe("places", () => {
  it("are given at once while there are some, and refused at once where nobody may wait", async () => {
    const gate = gateOf({ waitMs: 0 });
    const place = await gate.enter("a", client);
    await gate.enter("a", client);
    await expect(gate.enter("a", client)).rejects.toMatchObject({
      reason: "OVERLOADED",
      outcome: { status: 503, retryAfter: 1 },
    });
    place.release();
    place.release();
    expect(gate.inFlight).toBe(1);
    await expect(gate.enter("a", client)).resolves.toBeDefined();
  });

  it("are waited for, in the order of coming", async () => {
    const gate = gateOf({ places: 1 });
    const place = await gate.enter("a", client);
    // The gate lets as many wait as run, so this asks for two gates' worth of slots.
    const first = asking(gate);
    const tooMany = asking(gate);
    await vi.advanceTimersByTimeAsync(100);
    expect([gate.waiting, first.place, tooMany.reason]).toEqual([1, undefined, "OVERLOADED"]);
    place.release();
    // Somebody else came in between: not before those that wait.
    const later = asking(gate);
    await vi.advanceTimersByTimeAsync(100);
    expect([first.place !== undefined, later.place]).toEqual([true, undefined]);
  });

  it("are not waited for longer than allowed, nor by those who have gone", async () => {
    const gate = gateOf({ places: 2 });
    await gate.enter("a", client);
    await gate.enter("a", client);
    const leaver = new AbortController();
    const patient = asking(gate);
    const gone = asking(gate, "a", leaver.signal);
    leaver.abort();
    await vi.advanceTimersByTimeAsync(100);
    expect([patient.reason, gone.reason, gate.waiting]).toEqual([undefined, "CANCELLED", 1]);
    await vi.advanceTimersByTimeAsync(5000);
    expect([patient.reason, gate.waiting]).toEqual(["OVERLOADED", 0]);
  });

  it("that get free go to the caller that holds the fewest", async () => {
    const gate = gateOf({ places: 3 });
    const held = await Promise.all([gate.enter("greedy", client), gate.enter("greedy", client)]);
    await gate.enter("modest", client);
    const greedy = asking(gate, "greedy");
    const modest = asking(gate, "modest");
    const newcomer = asking(gate, "new");
    held[0].release();
    await vi.advanceTimersByTimeAsync(100);
    expect([greedy.place, modest.place, newcomer.place !== undefined]).toEqual([undefined, undefined, true]);
    held[1].release();
    await vi.advanceTimersByTimeAsync(100);
    // Both hold one or none now: greedy holds none.
    expect([greedy.place !== undefined, modest.place]).toEqual([true, undefined]);
  });
});

describe("who makes way", () => {
  it("is nobody while nobody waits, however long nothing moves", async () => {
    const gate = gateOf({ places: 1 });
    const place = await listening(gate);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(place.signal.aborted).toBe(false);
  });

  it("is the one that has been still the longest, one for each that waits", async () => {
    const gate = gateOf({ places: 3 });
    const places: Holding[] = [];
    for (let i = 0; i < 3; i++) {
      places.push(await listening(gate));
      await vi.advanceTimersByTimeAsync(1000);
    }
    await vi.advanceTimersByTimeAsync(30_000);
    // The first got rows just now.
    places[0]?.moved();
    const waiting = asking(gate);
    await vi.advanceTimersByTimeAsync(1000);
    expect(places.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
    expect(places[1]?.signal.reason).toMatchObject({ reason: "OVERLOADED", outcome: { status: 503, retryAfter: 10 } });
    places[1]?.release();
    await vi.advanceTimersByTimeAsync(100);
    expect(waiting.place).toBeDefined();
  });

  it("is nobody before its time, and nobody whose answer moves", async () => {
    const gate = gateOf({ places: 1, waitMs: 60_000 });
    const place = await listening(gate);
    asking(gate);
    for (let i = 0; i < 20; i++) {
      await vi.advanceTimersByTimeAsync(1900);
      expect(place.signal.aborted).toBe(false);
      if (i % 10 === 9) place.moved();
    }
    await vi.advanceTimersByTimeAsync(20_000);
    expect(place.signal.aborted).toBe(true);
  });

  it("is of the caller that holds the most", async () => {
    const gate = gateOf({ places: 3 });
    const modest = await listening(gate, "modest");
    await vi.advanceTimersByTimeAsync(1000);
    const greedy = [await listening(gate, "greedy"), await listening(gate, "greedy")];
    await vi.advanceTimersByTimeAsync(30_000);
    asking(gate, "new");
    await vi.advanceTimersByTimeAsync(1000);
    expect(modest.signal.aborted).toBe(false);
    expect(greedy.filter(({ signal }) => signal.aborted)).toHaveLength(1);
  });

  it("leaves no timer behind", async () => {
    const gate = gateOf({ places: 1 });
    const place = await listening(gate);
    asking(gate);
    await vi.advanceTimersByTimeAsync(6000);
    place.release();
    expect(vi.getTimerCount()).toBe(0);
  });
});

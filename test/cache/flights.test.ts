import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Flight, Flights } from "../../src/cache/flights.ts";

const { signal } = new AbortController();

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("a follower", () => {
  it("learns how the flight ended, and the first end counts", async () => {
    const flight = new Flight(Date.now);
    const ended = flight.ended(signal);
    flight.land({ kind: "alone" });
    flight.land({ kind: "cancelled" });
    await vi.advanceTimersByTimeAsync(20);
    expect(await ended).toEqual({ kind: "alone" });
  });

  it("waits for a leader that lives, however long it takes", async () => {
    const flight = new Flight(Date.now);
    flight.depart();
    let end: unknown;
    void flight.ended(signal).then((value) => {
      end = value;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(end).toBeUndefined();
    flight.land({ kind: "cancelled" });
    await vi.advanceTimersByTimeAsync(20);
    expect(end).toEqual({ kind: "cancelled" });
  });

  it("does not wait for one whose request the platform ended without a word", async () => {
    // Its timers end with it; ours go on.
    const beat = vi.spyOn(globalThis, "setInterval").mockImplementationOnce(() => 0 as never);
    const flight = new Flight(Date.now);
    flight.depart();
    beat.mockRestore();
    const ended = flight.ended(signal);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await ended).toEqual({ kind: "cancelled" });
    // Nobody after that waits at all.
    expect(await flight.ended(signal)).toEqual({ kind: "cancelled" });
  });

  it("gets what a flight brought, however long ago that was", async () => {
    const flight = new Flight(Date.now);
    flight.land({ kind: "alone" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await flight.ended(signal)).toEqual({ kind: "alone" });
  });

  it("that has gone looks no more", async () => {
    const flight = new Flight(Date.now);
    const leaving = new AbortController();
    const ended = flight.ended(leaving.signal);
    leaving.abort();
    await vi.advanceTimersByTimeAsync(20);
    expect(await ended).toEqual({ kind: "cancelled" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves no timer behind", async () => {
    const flight = new Flight(Date.now);
    flight.depart();
    const ended = flight.ended(signal);
    flight.land({ kind: "alone" });
    await vi.advanceTimersByTimeAsync(20);
    await ended;
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("a later flight takes the place of an earlier one, which cannot remove it", () => {
  const flights = new Flights(Date.now);
  const first = flights.begin("a");
  const second = flights.begin("a");
  expect([first.superseded, second.superseded]).toEqual([true, false]);
  flights.remove("a", first);
  expect(flights.get("a")).toBe(second);
  flights.remove("a", second);
  expect(flights.get("a")).toBeUndefined();
  first.land({ kind: "alone" });
  second.land({ kind: "alone" });
});

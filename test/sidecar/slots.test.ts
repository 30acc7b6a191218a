import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Slot, Slots } from "../../sidecar/slots.ts";
import { failureOf } from "../connectors/contract.ts";

const slotsOf = (places: number) => new Slots({ places, waitMs: 1000, holdMs: 30_000 });
const stay = (): void => undefined;
const never = (): AbortSignal => new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("places", () => {
  it("are given in the order they were asked for", async () => {
    const slots = slotsOf(1);
    const { giveBack } = await slots.take(never(), stay);
    const order: string[] = [];
    const waiting = ["a", "b", "c"].map(async (name) => {
      const { giveBack: give } = await slots.take(never(), stay);
      order.push(name);
      give();
    });
    giveBack();
    await Promise.all(waiting);
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("given back twice are one place", async () => {
    const slots = slotsOf(1);
    const { giveBack } = await slots.take(never(), stay);
    giveBack();
    giveBack();
    await slots.take(never(), stay);
    const second = failureOf(slots.take(never(), stay));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await second).toMatchObject({ reason: "OVERLOADED", retryAfter: 1 });
  });

  it("are not kept by those who stopped waiting", async () => {
    const slots = slotsOf(1);
    const { giveBack } = await slots.take(never(), stay);
    const caller = new AbortController();
    const gone = slots.take(caller.signal, stay).catch((error: unknown) => error);
    const late = failureOf(slots.take(never(), stay));
    caller.abort("gone");
    expect(await gone).toBe("gone");
    await vi.advanceTimersByTimeAsync(1000);
    expect((await late).reason).toBe("OVERLOADED");
    giveBack();
    await slots.take(never(), stay);
  });

  it("are not given to somebody who has gone", async () => {
    const slots = slotsOf(1);
    await expect(slots.take(AbortSignal.abort("gone"), stay)).rejects.toBe("gone");
    await slots.take(never(), stay);
  });
});

describe("who makes way", () => {
  it("is nobody while nobody waits", async () => {
    const makeWay = vi.fn();
    await slotsOf(1).take(never(), makeWay);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(makeWay).not.toHaveBeenCalled();
  });

  it("is who has been still the longest, one for each that waits, and once", async () => {
    const slots = slotsOf(3);
    const asked: string[] = [];
    const held = new Map<string, Slot>();
    for (const name of ["a", "b", "c"]) {
      held.set(
        name,
        await slots.take(never(), ({ reason, retryAfter }) => asked.push(`${name} ${reason} ${retryAfter}`)),
      );
      await vi.advanceTimersByTimeAsync(1000);
    }
    await vi.advanceTimersByTimeAsync(40_000);
    held.get("a")?.moved();
    const waiting = slots.take(never(), stay);
    await vi.advanceTimersByTimeAsync(900);
    expect(asked).toEqual(["b OVERLOADED 10"]);
    held.get("b")?.giveBack();
    await waiting;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is nobody before its time", async () => {
    const slots = slotsOf(1);
    const makeWay = vi.fn();
    await slots.take(never(), makeWay);
    await vi.advanceTimersByTimeAsync(28_000);
    const late = failureOf(slots.take(never(), stay));
    await vi.advanceTimersByTimeAsync(1100);
    expect((await late).reason).toBe("OVERLOADED");
    expect(makeWay).not.toHaveBeenCalled();
  });
});

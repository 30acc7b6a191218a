import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Slots } from "../../sidecar/slots.ts";
import { failureOf } from "../connectors/contract.ts";

const never = (): AbortSignal => new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("places", () => {
  it("are given in the order they were asked for", async () => {
    const slots = new Slots(1, 1000);
    const giveBack = await slots.take(never());
    const order: string[] = [];
    const waiting = ["a", "b", "c"].map(async (name) => {
      const give = await slots.take(never());
      order.push(name);
      give();
    });
    giveBack();
    await Promise.all(waiting);
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("given back twice are one place", async () => {
    const slots = new Slots(1, 1000);
    const giveBack = await slots.take(never());
    giveBack();
    giveBack();
    await slots.take(never());
    const second = failureOf(slots.take(never()));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await second).toMatchObject({ reason: "OVERLOADED", retryAfter: 1 });
  });

  it("are not kept by those who stopped waiting", async () => {
    const slots = new Slots(1, 1000);
    const giveBack = await slots.take(never());
    const caller = new AbortController();
    const gone = slots.take(caller.signal).catch((error: unknown) => error);
    const late = failureOf(slots.take(never()));
    caller.abort("gone");
    expect(await gone).toBe("gone");
    await vi.advanceTimersByTimeAsync(1000);
    expect((await late).reason).toBe("OVERLOADED");
    giveBack();
    await slots.take(never());
  });

  it("are not given to somebody who has gone", async () => {
    const slots = new Slots(1, 1000);
    await expect(slots.take(AbortSignal.abort("gone"))).rejects.toBe("gone");
    await slots.take(never());
  });
});

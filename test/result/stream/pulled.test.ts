import { describe, expect, it, vi } from "vitest";
import { PulledBatches } from "../../../src/result/stream/pulled.ts";

const END = { done: true, value: undefined };

function source<B>(pull: () => Promise<B | undefined>) {
  const stop = vi.fn(async () => {});
  return { stop, batches: new PulledBatches(pull, stop) };
}

/** Gives out what it is handed, one a pull. */
function byHand() {
  const waiting: PromiseWithResolvers<number | undefined>[] = [];
  const pull = vi.fn(() => {
    const next = Promise.withResolvers<number | undefined>();
    waiting.push(next);
    return next.promise;
  });
  return { pull, waiting, ...source(pull) };
}

describe("PulledBatches", () => {
  it("gives what is pulled up to the end, and does not pull behind it", async () => {
    const values = [1, 2, undefined, 4];
    const { batches, stop } = source(async () => values.shift());
    const seen: number[] = [];
    for await (const batch of batches) seen.push(batch);
    expect(seen).toEqual([1, 2]);
    expect(await batches.next()).toEqual(END);
    expect(values).toEqual([4]);
    expect(stop).not.toHaveBeenCalled();
  });

  it("pulls once at a time, however far ahead its reader is", async () => {
    const { batches, pull, waiting } = byHand();
    const ahead = [batches.next(), batches.next(), batches.next()];
    expect(pull).toHaveBeenCalledTimes(1);
    waiting[0]?.resolve(1);
    await ahead[0];
    await Promise.resolve();
    expect(pull).toHaveBeenCalledTimes(2);
    waiting[1]?.resolve(undefined);
    expect(await Promise.all(ahead)).toEqual([{ done: false, value: 1 }, END, END]);
    expect(pull).toHaveBeenCalledTimes(2);
  });

  it("keeps the order when a pull joins those that wait", async () => {
    const { batches, waiting } = byHand();
    const first = batches.next();
    const second = batches.next();
    waiting[0]?.resolve(1);
    await first;
    const third = batches.next();
    await Promise.resolve();
    expect(waiting).toHaveLength(2);
    waiting[1]?.resolve(2);
    await second;
    await Promise.resolve();
    waiting[2]?.resolve(3);
    expect(await third).toEqual({ done: false, value: 3 });
  });

  it("fails once, and has ended then", async () => {
    const { batches, pull, waiting } = byHand();
    const ahead = [batches.next(), batches.next()];
    waiting[0]?.reject(new Error("broke"));
    await expect(ahead[0]).rejects.toThrow("broke");
    expect(await ahead[1]).toEqual(END);
    expect(pull).toHaveBeenCalledTimes(1);
  });

  it.each([
    { what: "fails", settle: (pull: PromiseWithResolvers<number | undefined>) => pull.reject(new Error("given up")) },
    { what: "brings something", settle: (pull: PromiseWithResolvers<number | undefined>) => pull.resolve(1) },
  ])("ends a pull that $what after closing", async ({ settle }) => {
    const { batches, waiting } = byHand();
    const pulled = batches.next();
    const closing = batches.close();
    settle(waiting[0]!);
    expect(await pulled).toEqual(END);
    await closing;
  });

  it("stops its source once, by whichever way it is closed", async () => {
    const { batches, stop } = source(async () => 1);
    for await (const batch of batches) if (batch === 1) break;
    await batches.close();
    expect(await batches.return()).toEqual(END);
    expect(stop).toHaveBeenCalledTimes(1);
    expect(await batches.next()).toEqual(END);
  });
});

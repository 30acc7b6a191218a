import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type DeadlineOptions, startDeadline } from "../../src/service/deadline.ts";
import { ServiceError } from "../../src/service/failure.ts";

const NEEDED = new ServiceError("OVERLOADED", "Others wait.");

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function started(options: Partial<DeadlineOptions> = {}) {
  const client = new AbortController();
  const deadline = startDeadline("query", { client: client.signal, milliseconds: 1000, ...options });
  const reasons: unknown[] = [];
  const raced = deadline.race(new Promise(() => {})).catch((error: { reason: unknown }) => reasons.push(error.reason));
  return { client, deadline, reasons, raced };
}

const ENDS: [string, Partial<DeadlineOptions>, number, string | undefined][] = [
  ["its time is over", {}, 1000, "APPLICATION_TIMEOUT"],
  ["its time is not over", {}, 999, undefined],
  ["its place is needed", { makeWay: () => NEEDED }, 250, "OVERLOADED"],
  ["its place is not needed", { makeWay: () => undefined }, 999, undefined],
  ["its time is over and its place is not needed", { makeWay: () => undefined }, 1000, "APPLICATION_TIMEOUT"],
];

it.each(ENDS)("tells whoever waits when %s", async (_, options, milliseconds, reason) => {
  const { deadline, reasons } = started(options);
  await vi.advanceTimersByTimeAsync(milliseconds);
  expect(reasons).toEqual(reason === undefined ? [] : [reason]);
  expect(deadline.signal.aborted).toBe(reason !== undefined);
  deadline.clear();
  expect(vi.getTimerCount()).toBe(0);
});

it("tells whoever waits that the client has gone, and whoever comes later", async () => {
  const { client, deadline, reasons, raced } = started();
  client.abort();
  await raced;
  expect(reasons).toEqual(["CANCELLED"]);
  await expect(deadline.race(Promise.resolve(1))).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(vi.getTimerCount()).toBe(0);
});

it("tells nobody any more once it has been cleared", async () => {
  const { client, deadline, reasons } = started({ makeWay: () => NEEDED });
  deadline.clear();
  client.abort();
  await vi.advanceTimersByTimeAsync(2000);
  expect(reasons).toEqual([]);
});

it("passes on what the work comes to", async () => {
  const { deadline } = started();
  await expect(deadline.race(Promise.resolve(1))).resolves.toBe(1);
  await expect(deadline.race(Promise.reject(new Error("no")))).rejects.toThrow("no");
  deadline.clear();
});

/** The loop that all sources over it share, on a source that is told what to answer, by a clock that does not run by itself. */
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { ApiStatements, type StatementApi, type StatementStep } from "../../../src/connectors/http/statement-api.ts";
import type { Batch, Column } from "../../../src/result/types.ts";
import { drain, failureOf } from "../contract.ts";

const COLUMNS: readonly Column[] = [{ name: "n", type: { kind: "int32" } }];
const TIMEOUT_MS = 10_000;

type Step = StatementStep<string>;
type Answer = Step | Error | "never";

const page = (next: string | undefined, ...rows: readonly number[]): Step => ({
  columns: COLUMNS,
  rows: ([rows.map((n) => [n])] as Batch[])[Symbol.iterator](),
  next,
});
const waiting = (next: string): Step => ({ next });
const overloaded = () => new ConnectorFailure("OVERLOADED", "Come back.");
const overloadedFor = (retryAfter: number) =>
  new ConnectorFailure("OVERLOADED", "Come back.", { retryAfter, isRetryAfterSaid: true });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  // Whatever ended, no timer goes on. One of another test's end may be there for some milliseconds; those of a call stay for seconds.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  vi.useRealTimers();
});

/** Answers in this order; `sent` is what it was asked, with the milliseconds since the start. */
function source(...answers: readonly Answer[]) {
  const sent: string[] = [];
  const began = Date.now();
  const left = [...answers];
  const answer = (asked: string, signal: AbortSignal): Promise<Step> => {
    sent.push(`${Date.now() - began} ${asked}`);
    const next = left.shift() ?? "never";
    if (next instanceof Error) return Promise.reject(next);
    if (next !== "never") return Promise.resolve(next);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  };
  const api: StatementApi<string> = {
    submit: (signal) => answer("submit", signal),
    poll: (next, signal) => answer(`poll ${next}`, signal),
    cancel: async (next) => {
      sent.push(`${Date.now() - began} cancel ${next}`);
    },
  };
  const statements = new ApiStatements();
  const caller = new AbortController();
  const query = () => statements.query(api, { signal: caller.signal, timeoutMs: TIMEOUT_MS });
  const cancels = () => sent.filter((line) => line.includes("cancel")).map((line) => line.replace(/^\d+ /, ""));
  return { sent, api, statements, caller, query, cancels };
}

describe("a statement that comes to its end", () => {
  it("is asked for page by page, as they are pulled, and never cancelled", async () => {
    const { sent, query, caller, statements } = source(waiting("a"), page("b", 1, 2), page("c", 3), {
      next: undefined,
    });
    const result = await query();
    expect(result.columns).toEqual(COLUMNS);
    expect(sent).toEqual(["0 submit", "0 poll a"]);
    expect(await result.batches.next()).toEqual({ done: false, value: [[1], [2]] });
    expect(sent).toHaveLength(2);
    expect(await drain(result)).toEqual([[3]]);
    await result.close();
    caller.abort();
    await statements.close();
    expect(sent).toEqual(["0 submit", "0 poll a", "0 poll b", "0 poll c"]);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  });

  it("may have come to it with its first answer", async () => {
    const { sent, query } = source(page(undefined, 1));
    expect(await drain(await query())).toEqual([[1]]);
    expect(sent).toEqual(["0 submit"]);
  });

  it("is asked less and less often while it brings nothing", async () => {
    const { sent, query } = source(waiting("q"), ...Array.from({ length: 11 }, () => waiting("q")), page(undefined));
    const result = query();
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(await drain(await result)).toEqual([]);
    const moments = sent.map((line) => Number.parseInt(line, 10));
    const pauses = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
    expect(pauses).toEqual([0, 5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000]);
  });

  it("is asked again by a source that has too much to do, in the same words", async () => {
    const { sent, query, cancels } = source(waiting("a"), overloaded(), overloaded(), page(undefined, 1));
    const result = query();
    await vi.advanceTimersByTimeAsync(100);
    expect(await drain(await result)).toEqual([[1]]);
    expect(sent.slice(1)).toEqual(["0 poll a", "5 poll a", "15 poll a"]);
    expect(cancels()).toEqual([]);
  });

  it("is asked again no sooner than the source has said, and then as often as before", async () => {
    const { sent, query, cancels } = source(waiting("a"), overloadedFor(3), waiting("a"), page(undefined, 1));
    const result = query();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await drain(await result)).toEqual([[1]]);
    expect(sent.slice(1)).toEqual(["0 poll a", "3000 poll a", "3010 poll a"]);
    expect(cancels()).toEqual([]);
  });

  it("is given up at once where the source wants to be left alone for longer than there is time", async () => {
    const failure = overloadedFor(TIMEOUT_MS / 1000);
    const { query, cancels } = source(waiting("a"), failure);
    expect(await failureOf(query())).toBe(failure);
    await vi.advanceTimersByTimeAsync(0);
    expect(cancels()).toEqual(["cancel a"]);
  });
});

describe("a statement that fails on the source", () => {
  const FAILURE = new ConnectorFailure("SOURCE_ERROR", "Division by zero");

  it("is over there: nothing is cancelled", async () => {
    const { query, cancels } = source(waiting("a"), { failure: FAILURE, next: undefined });
    expect(await failureOf(query())).toBe(FAILURE);
    expect(cancels()).toEqual([]);
  });

  it("gives out what came with the failure first", async () => {
    const { query } = source({ ...page(undefined, 1), failure: FAILURE });
    const result = await query();
    expect(await result.batches.next()).toEqual({ done: false, value: [[1]] });
    expect(await failureOf(result.batches.next())).toBe(FAILURE);
    expect((await result.batches.next()).done).toBe(true);
  });
});

describe("a statement that ends before its time is cancelled, once", () => {
  it.each<[string, string, (its: ReturnType<typeof source>) => void]>([
    ["its caller goes", "CANCELLED", ({ caller }) => caller.abort()],
    ["its time is over", "STATEMENT_TIMEOUT", () => vi.advanceTimersByTime(TIMEOUT_MS)],
    ["its connector is closed", "CANCELLED", ({ statements }) => void statements.close()],
  ])("when %s while the source is silent", async (_, reason, end) => {
    const its = source(waiting("a"), "never");
    const failing = failureOf(its.query());
    await vi.advanceTimersByTimeAsync(1);
    end(its);
    expect((await failing).reason).toBe(reason);
    its.caller.abort();
    await its.statements.close();
    expect(its.cancels()).toEqual(["cancel a"]);
  });

  it.each<[string, string, (its: ReturnType<typeof source>) => void]>([
    ["its caller goes", "CANCELLED", ({ caller }) => caller.abort()],
    ["its time is over", "STATEMENT_TIMEOUT", () => vi.advanceTimersByTime(TIMEOUT_MS)],
  ])("when %s between two pulls, with nobody there to notice", async (_, reason, end) => {
    const its = source(page("a", 1), page("b", 2));
    const result = await its.query();
    end(its);
    await vi.advanceTimersByTimeAsync(0);
    expect(its.cancels()).toEqual(["cancel a"]);
    expect((await failureOf(result.batches.next())).reason).toBe(reason);
    await result.close();
    expect(its.cancels()).toEqual(["cancel a"]);
  });

  it("when its reader closes, whether or not a pull waits", async () => {
    const { query, cancels } = source(page("a", 1), "never");
    const result = await query();
    await result.batches.next();
    const pulled = result.batches.next();
    await Promise.all([result.close(), result.close()]);
    expect(await pulled).toEqual({ done: true, value: undefined });
    expect(cancels()).toEqual(["cancel a"]);
  });

  it.each([
    ["the source does not answer any more", new ConnectorFailure("HOST_UNREACHABLE", "Could not reach it.")],
    ["the source breaks its protocol", new ConnectorFailure("UPSTREAM_PROTOCOL", "That is not it.")],
    ["something is wrong with us", new Error("a fault")],
  ])("when %s", async (_, error) => {
    const { query, cancels } = source(waiting("a"), error);
    await expect(query()).rejects.toBe(error);
    await vi.advanceTimersByTimeAsync(0);
    expect(cancels()).toEqual(["cancel a"]);
  });

  it("when a value cannot be read", async () => {
    const error = new ConnectorFailure("SOURCE_ERROR", "A value that cannot be represented.");
    const rows: Iterator<Batch> = {
      next: () => {
        throw error;
      },
    };
    const { query, cancels } = source({ columns: COLUMNS, rows, next: "a" });
    expect(await failureOf(drain(await query()))).toBe(error);
    await vi.waitFor(() => expect(cancels()).toEqual(["cancel a"]));
  });

  it("when its caller goes before the source has said what to cancel", async () => {
    const submitted = Promise.withResolvers<Step>();
    const { api, caller, statements, cancels } = source();
    const query = statements.query(
      { ...api, submit: () => submitted.promise },
      { signal: caller.signal, timeoutMs: 1000 },
    );
    caller.abort();
    expect((await failureOf(query)).reason).toBe("CANCELLED");
    expect(cancels()).toEqual([]);
    submitted.resolve(waiting("late"));
    await statements.close();
    expect(cancels()).toEqual(["cancel late"]);
  });
});

it("waits for a source that does not say goodbye no longer than five seconds", async () => {
  const { api, caller, statements } = source(waiting("a"), "never");
  const cancel = vi.fn((_next: string, signal: AbortSignal) => {
    return new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const query = failureOf(statements.query({ ...api, cancel }, { signal: caller.signal, timeoutMs: TIMEOUT_MS }));
  await vi.advanceTimersByTimeAsync(1);
  caller.abort();
  expect((await query).reason).toBe("CANCELLED");
  const closed = vi.fn();
  void statements.close().then(closed);
  await vi.advanceTimersByTimeAsync(4990);
  expect(closed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10);
  expect(closed).toHaveBeenCalled();
  expect(cancel).toHaveBeenCalledTimes(1);
});

it("gives up a submission whose answer never comes", async () => {
  const signals: AbortSignal[] = [];
  const { api, caller, statements, cancels } = source("never");
  const submit = (signal: AbortSignal) => {
    signals.push(signal);
    return api.submit(signal);
  };
  const query = failureOf(statements.query({ ...api, submit }, { signal: caller.signal, timeoutMs: TIMEOUT_MS }));
  caller.abort();
  expect((await query).reason).toBe("CANCELLED");
  expect(signals[0]?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(5000);
  expect(signals[0]?.aborted).toBe(true);
  await statements.close();
  expect(cancels()).toEqual([]);
});

it.each<[string, (its: ReturnType<typeof source>) => unknown]>([
  ["of a caller that has gone", ({ caller }) => caller.abort()],
  ["of a connector that is closed", ({ statements }) => statements.close()],
])("sends nothing %s", async (_, end) => {
  const its = source(page(undefined, 1));
  await end(its);
  expect((await failureOf(its.query())).reason).toBe("CANCELLED");
  expect(its.sent).toEqual([]);
});

it("does not send a statement twice", async () => {
  const { sent, query } = source(overloaded(), page(undefined, 1));
  expect((await failureOf(query())).reason).toBe("OVERLOADED");
  expect(sent).toEqual(["0 submit"]);
});

it("tells a source that ends without columns", async () => {
  const { query } = source(waiting("a"), { next: undefined });
  expect((await failureOf(query())).reason).toBe("UPSTREAM_PROTOCOL");
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Patience } from "../../../src/connectors/remote/patience.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Waits in turn: how long each may take, and how long it takes. */
const TURNS: [string, readonly (readonly [may: number, takes: number])[], number | undefined][] = [
  ["one that comes", [[100, 99]], undefined],
  ["one that does not come", [[100, 101]], 0],
  [
    "a shorter one behind a longer one",
    [
      [1000, 10],
      [50, 51],
    ],
    1,
  ],
  [
    "a longer one behind a shorter one",
    [
      [50, 49],
      [1000, 999],
    ],
    undefined,
  ],
  [
    "a longer one behind a shorter one that does not come",
    [
      [50, 49],
      [1000, 1001],
    ],
    1,
  ],
  ["many that each come", Array.from({ length: 20 }, () => [100, 99] as const), undefined],
];

it.each(TURNS)("is lost with %s", async (_, turns, lostAt) => {
  const patience = new Patience();
  const lost: number[] = [];
  for (const [turn, [may, takes]] of turns.entries()) {
    patience.begin(may, () => lost.push(turn));
    await vi.advanceTimersByTimeAsync(takes);
    patience.end();
  }
  // While nothing is waited for, as with a slow reader, none is lost.
  await vi.advanceTimersByTimeAsync(5000);
  expect(lost).toEqual(lostAt === undefined ? [] : [lostAt]);
  patience.stop();
  expect(vi.getTimerCount()).toBe(0);
});

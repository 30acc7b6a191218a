import { describe, expect, it, test } from "vitest";
import { ProbeCount, pauseAfter } from "../../supervisor/patience.ts";

/** a: answered. m: missed. p: the timer was late. A: answered, late. s: not ready yet. */
const OUTCOMES = {
  a: { isReady: true, hasAnswered: true, isLate: false },
  m: { isReady: true, hasAnswered: false, isLate: false },
  p: { isReady: true, hasAnswered: false, isLate: true },
  A: { isReady: true, hasAnswered: true, isLate: true },
  s: { isReady: false, hasAnswered: false, isLate: false },
} as const;

describe("a process counts as hung", () => {
  test.each<[name: string, outcomes: string, hungAfter: number | undefined]>([
    ["after three misses", "mmm", 3],
    ["not after two", "mm", undefined],
    ["only when they come one after the other", "mmammammam", undefined],
    ["after three misses behind answers", "aaammm", 6],
    ["not by the probe during a pause, nor by the first one after it", "mmpmaaa", undefined],
    ["by misses after these, with those before the pause", "mmpmm", 5],
    ["not while the supervisor is late all the time", "pppppppp", undefined],
    ["not by the first probe after a late answer", "mmAmmmm", 7],
    ["when it takes too long to serve", "sssss", 5],
    ["not when it serves in time", "ssssaa", undefined],
    ["by misses alone when it serves", "ssssmmm", 7],
    ["not while it starts and the supervisor is late", "ssssp", undefined],
  ])("%s", (_, outcomes, hungAfter) => {
    const count = new ProbeCount(5);
    const verdicts = [...outcomes].map((each) => count.isHungAfter(OUTCOMES[each as keyof typeof OUTCOMES]));
    const first = verdicts.indexOf(true);
    expect(first < 0 ? undefined : first + 1).toBe(hungAfter);
  });
});

it("pauses double up to the longest one", () => {
  expect([0, 1, 2, 3, 7, 5000].map((deaths) => pauseAfter(deaths, 10_000))).toEqual([
    ...[100, 200, 400, 800, 10_000, 10_000],
  ]);
  expect(pauseAfter(0, 0)).toBe(0);
});

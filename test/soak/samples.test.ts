import { expect, it } from "vitest";
import { isLongEnough, type Sample, trendOf } from "./samples.ts";

const sample = (seconds: number, sidecarMemory: number): Sample => ({
  seconds,
  apiMemory: 100,
  sidecarMemory,
  engineMemory: 0,
  processes: 5,
  files: 200,
  connections: 10,
});
const samples = (memoryAt: (seconds: number) => number): readonly Sample[] =>
  Array.from({ length: 121 }, (_, index) => sample(index * 10, memoryAt(index * 10)));

it.each<[what: string, memoryAt: (seconds: number) => number, growth: number, isFlat: boolean]>([
  ["nothing", () => 200, 0, true],
  ["only while it warms up", (seconds) => Math.min(200, seconds), 0, true],
  ["up and down", (seconds) => 200 + (seconds % 20 === 0 ? 40 : 0), 0, true],
  ["a megabyte in six seconds", (seconds) => 100 + seconds / 6, 100, false],
])("growth of the second half: %s", (_, memoryAt, growth, isFlat) => {
  const trend = trendOf(samples(memoryAt), "sidecarMemory");
  expect(trend.growth).toBeCloseTo(growth, 0);
  expect(trend.growth <= trend.bound).toBe(isFlat);
});

it("minutes are too short for a trend", () => {
  expect(isLongEnough([sample(300, 1)])).toBe(false);
  expect(isLongEnough([])).toBe(false);
  expect(isLongEnough([sample(1800, 1)])).toBe(true);
});

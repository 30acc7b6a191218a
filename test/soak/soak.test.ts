import { expect, it } from "vitest";
import { soak } from "./soak.ts";

const REQUESTS = 250;

it("mixed work over two restarts: every answer is right, every failure typed and excused", {
  timeout: 300_000,
}, async () => {
  const { right, timeOuts, left, windows, samples, faults } = await soak({
    progress: (requests) => requests / REQUESTS,
    callers: 10,
    sampleMs: 500,
    seed: 3,
  });
  expect(faults).toEqual([]);
  expect(right.size).toBe(8);
  expect(windows.map(({ name }) => name)).toEqual(["PostgreSQL restarts", "The sidecar restarts"]);
  expect(timeOuts).toBeGreaterThan(0);
  expect(left).toBeGreaterThan(0);
  expect(samples.some(({ connections }) => connections > 0)).toBe(true);
});

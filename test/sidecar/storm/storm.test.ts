import { expect, it } from "vitest";
import { storm } from "./storm.ts";

it("a storm of attacks is not noticed by honest statements beside it", { timeout: 300_000 }, async () => {
  const { attacks, honest, faults } = await storm({
    isOver: (done) => done.attacks >= 22 && done.honest >= 12,
    attackers: 2,
    honest: 2,
  });
  expect(faults).toEqual([]);
  expect(honest.length).toBeGreaterThanOrEqual(12);
  const ends = [...attacks.values()].flatMap((counts) => [...counts.keys()]);
  expect(ends).toEqual(expect.arrayContaining(["SOURCE_CRASHED", "STATEMENT_TIMEOUT", "CANCELLED"]));
});

import { expect, it } from "vitest";
import { Phases } from "../../src/guard/phases.ts";

it("phases take their time, together where they come again, and until the end where they failed", async () => {
  let now = 0;
  const phases = new Phases(() => now);
  const taking = (milliseconds: number, error?: Error) => async () => {
    now += milliseconds;
    if (error !== undefined) throw error;
  };
  await phases.during("plan", taking(1.26));
  await phases.during("plan", taking(2));
  await expect(phases.during("connect", taking(5, new Error("no")))).rejects.toThrow("no");
  phases.end("lastRow");
  phases.begin("firstRow");
  now += 7;
  expect(phases.finish()).toEqual({ plan: 3.3, connect: 5, firstRow: 7 });
});

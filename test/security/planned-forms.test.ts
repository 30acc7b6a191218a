/** A share of `npm run barriers:planned`: forms of best effort, as the planner prints them for PostgreSQL, keep conditions off excluded rows. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Engine, openPostgresEngine } from "./fences/engines.ts";
import { measurePlanned, type PlannedForm } from "./fences/planned-forms.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openPostgresEngine(40);
  await engine.use("defaults");
});
afterAll(() => engine?.close());

const FORMS: Readonly<Record<string, PlannedForm>> = {
  ranked: { barrier: "ranked" },
  "ranked, guarded": { barrier: "ranked", guardsColumns: true },
  "ranked and limited, guarded": { barrier: "ranked and limited", guardsColumns: true },
};

describe.each(["IN (subquery)", "EXISTS"] as const)("%s", (rule) => {
  test("a filter alone leaks", async () => {
    const { armed, leaks } = await measurePlanned(engine, "postgres", "none", rule, ["cast to integer"]);
    expect(armed).toBe(51);
    expect(leaks.length).toBeGreaterThan(10);
  });

  test.each(Object.keys(FORMS))("%s does not", async (name) => {
    const form = FORMS[name] ?? "none";
    const measured = await measurePlanned(engine, "postgres", form, rule, ["cast to integer"]);
    expect(measured).toEqual({ armed: 51, leaks: [], wrong: [] });
  });
});

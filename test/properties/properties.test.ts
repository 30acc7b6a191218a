/**
 * Properties of the semantic layer over random schemas, data, models, rules and queries. `PROPERTY_CASES` sets how many
 * cases, `PROPERTY_SEED` the first seed; `PROPERTY_SEED=… PROPERTY_CASES=1` runs one seed alone.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { PROPERTIES } from "./judge.ts";
import { PostgresTwin } from "./postgres.ts";
import { casesOf, runSeeds } from "./run.ts";
import { shareOfRefusals, summary } from "./summary.ts";

const CASES = Number(process.env["PROPERTY_CASES"] ?? 3_000);
const FIRST = Number(process.env["PROPERTY_SEED"] ?? 1);

let database: TestDatabase | undefined;
let twin: PostgresTwin;

beforeAll(async () => {
  database = await startPostgres();
  twin = new PostgresTwin(await database.connect());
});
afterAll(() => database?.stop());

test(`${CASES} cases from seed ${FIRST} on`, { timeout: 120_000 + CASES * 100 }, async () => {
  const run = await runSeeds(FIRST, (cases) => cases >= CASES, twin);
  console.log(summary(run).join("\n"));
  const shown = run.tally.mismatches.slice(0, 3);
  expect(shown.map(({ seed, property, detail }) => `seed ${seed}: ${property}\n${detail}`)).toEqual([]);
  expect(casesOf(run.tally)).toBeGreaterThanOrEqual(CASES);
  expect(run.tally.twins).toBeGreaterThanOrEqual(CASES);
  // Rejected queries prove nothing: each reason is justified (`judge.ts`), and they are few.
  expect(shareOfRefusals(run.tally)).toBeLessThan(0.05);
  if (CASES >= 10_000)
    for (const property of PROPERTIES) expect(run.tally.cases.get(property), property).toBeGreaterThan(100);
});

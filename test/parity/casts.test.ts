import { afterAll, beforeAll, expect, test } from "vitest";
import { manifestOf } from "../support/plan.ts";
import { CAST_QUERIES, castOutcome, castVerdict } from "./casts.ts";
import { type EnginesWithoutTables, openEnginesWithoutTables } from "./engines-without-tables.ts";
import { ask } from "./judge.ts";
import { REFUSED_BY_DUCKDB } from "./refused/duckdb.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
let engines: EnginesWithoutTables;
let compared = 0;

beforeAll(async () => {
  engines = await openEnginesWithoutTables();
});
afterAll(() => engines.close());

/** One in three, and all with `CASTS=all`. */
const ASKED = CAST_QUERIES.filter((_, index) => process.env["CASTS"] === "all" || index % 3 === 0);

test.each(ASKED)("$sql", async ({ cast, sql }) => {
  const reference = await ask(sql, manifest, "postgres", engines.postgres);
  const answer = await ask(sql, manifest, "local_file", engines.duckdb);
  if (!("outcome" in reference)) compared++;
  expect(castVerdict(reference, answer)).toMatchObject({ outcome: castOutcome(cast, REFUSED_BY_DUCKDB, reference) });
});

test("many casts have an answer", () => expect(compared).toBeGreaterThan(ASKED.length / 4));

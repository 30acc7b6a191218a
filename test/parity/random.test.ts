/**
 * Random queries give the same rows on DuckDB and PostgreSQL. `FUZZ_QUERIES` sets how many, `FUZZ_SEED` the first seed;
 * a failure names its seed, which makes the query again.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { readCells } from "../support/canonical-cells.ts";
import { type ActualRows, type ExpectedCell, rowsDiffer } from "../support/comparator.ts";
import { manifestOf, type PlanSettings, planned } from "../support/plan.ts";
import { randomQuery } from "../support/random-query.ts";
import { type OpenedSource, openDuckDbFiles, openPostgres } from "../support/sources.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? 150);
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);

let postgres: OpenedSource;
let duckdb: OpenedSource;

beforeAll(async () => {
  [postgres, duckdb] = await Promise.all([openPostgres(), openDuckDbFiles(EXAMPLES)]);
});
afterAll(async () => {
  await Promise.all([postgres.close(), duckdb.close()]);
});

/** Rows, or why there are none: refused by the planner, or failed on the engine. */
type Answer = { readonly rows: ActualRows } | { readonly refused: string } | { readonly failed: string };

async function answer(
  sql: string,
  source: DataSource,
  opened: OpenedSource,
  settings: PlanSettings = {},
): Promise<Answer> {
  try {
    const plan = planned(sql, manifest, { source, ...settings });
    const stream = await opened.connector.query(plan, { signal: new AbortController().signal, timeoutMs: 30_000 });
    return { rows: (await readCells(stream)).rows };
  } catch (error) {
    if (error instanceof PlannerError) return { refused: error.reason };
    return { failed: (error as Error).message };
  }
}

function asExpected(cell: ActualRows[number][number]): ExpectedCell {
  if (cell === null || typeof cell === "boolean") return cell;
  if (typeof cell === "string" && !/^-?\d+(\.\d+)?$/.test(cell)) return { text: cell };
  return { decimal: String(cell) };
}

test(`${QUERIES} random queries`, { timeout: 60_000 + QUERIES * 200 }, async () => {
  let compared = 0;
  for (let seed = FIRST; seed < FIRST + QUERIES; seed++) {
    const sql = randomQuery(seed);
    // Its texts are in that order anyway: every second query says so itself.
    const settings: PlanSettings = seed % 2 === 0 ? { textOrder: "code points" } : {};
    const reference = await answer(sql, "postgres", postgres, settings);
    const other = await answer(sql, "local_file", duckdb);
    const where = `seed ${seed}: ${sql}`;
    if (!("rows" in reference)) {
      // What one engine cannot do, the other need not; what the planner refuses, it refuses for both.
      if ("refused" in reference) expect(other, where).toEqual(reference);
      continue;
    }
    if (!("rows" in other)) expect.fail(`${where}\n${JSON.stringify(other)}`);
    const expected = reference.rows.map((row) => row.map(asExpected));
    expect(rowsDiffer(expected, other.rows, true), where).toBeUndefined();
    compared++;
  }
  expect(compared).toBeGreaterThan(QUERIES * 0.9);
});

/**
 * Expressions that the planner takes for harmless are those that the engines computed (`npm run harmless`): PostgreSQL 18 and DuckDB are asked a share
 * of it here, the other versions and all of it in `npm run test:engines`.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DUCKDB_COMPUTED } from "../../src/planner/dialects/duckdb/harmless.ts";
import { POSTGRES_COMPUTED } from "../../src/planner/dialects/postgres/harmless.ts";
import { type AskedEngine, openDuckDb, openPostgres } from "./harmless/engines.ts";
import { describeHarmless } from "./harmless/judge.ts";
import { blocksOf, harmlessOf, readOutcome } from "./harmless/outcome.ts";

const SHARE = 12;

describe.each([
  ["PostgreSQL 18", openPostgres],
  ["DuckDB 1.4", openDuckDb],
] as const)("%s", (name, open) => {
  let engine: AskedEngine;
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine?.close());

  describeHarmless(name, () => engine, SHARE);
});

test.each([
  ["postgres", POSTGRES_COMPUTED],
  ["duckdb", DUCKDB_COMPUTED],
] as const)("%s reads what the outcome comes to", (source, committed) => {
  expect(committed).toEqual(harmlessOf(readOutcome(), (engine) => engine.toLowerCase().startsWith(source)));
});

test.each([
  [["s", "i", "l"], "sil"],
  [["ss", "si", "is", "ii"], "si,si"],
  [["ss", "si", "is"], "si,s;s,i"],
  [["", "t"], ";t"],
])("kinds %j are kept as %s", (kinds, blocks) => {
  const read = blocksOf(kinds)
    .split(";")
    .flatMap((block) =>
      (block === "" ? [] : block.split(",")).reduce<string[]>(
        (all, set) => all.flatMap((left) => [...set].map((each) => left + each)),
        [""],
      ),
    );
  expect(read.sort()).toEqual([...kinds].sort());
  expect(blocksOf(kinds).length).toBeLessThanOrEqual(blocks.length);
});

test("the page tells what raises", () => {
  const page = readFileSync(new URL("../../docs/reference/access-rules.md", import.meta.url), "utf8");
  for (const what of Object.keys(readOutcome().answers)) {
    expect(page).toContain(`| \`${what.replaceAll("|", "\\|")}\` |`);
  }
});

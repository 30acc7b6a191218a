/**
 * Noninterference: the same caller with the same statement gets the same answer, to the last character, from three worlds
 * that differ in nothing but what access rules withhold. `NONINTERFERENCE_STATEMENTS` sets how many statements,
 * `NONINTERFERENCE_SEED` the first seed; `npm run noninterference:long` asks more of them.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Tampering } from "./judge.ts";
import { RULE_KINDS } from "./rules.ts";
import { runSeeds, told } from "./run.ts";
import { openTargets, type Targets } from "./worlds.ts";

const STATEMENTS = Number(process.env["NONINTERFERENCE_STATEMENTS"] ?? 1_000);
const FIRST = Number(process.env["NONINTERFERENCE_SEED"] ?? 1);

let targets: Targets;
beforeAll(async () => {
  targets = await openTargets();
});
afterAll(() => targets?.close());

test(`${STATEMENTS} statements from seed ${FIRST} on`, { timeout: 120_000 + STATEMENTS * 500 }, async () => {
  const run = await runSeeds(targets, { first: FIRST, statements: STATEMENTS });
  const { answered, refused, failed } = run.total;
  console.log(`${answered} answered, ${refused} refused, ${failed} failed`);
  expect(run.findings.slice(0, 3).map(told)).toEqual([]);
  if (STATEMENTS < 1000) return;
  // Statements that are refused prove nothing.
  expect(answered).toBeGreaterThan(STATEMENTS * 0.6);
  expect([...run.rules.keys()].sort()).toEqual(Object.keys(RULE_KINDS).sort());
  expect([...run.engines.keys()].sort()).toEqual(
    [...targets.postgres, ...targets.files].map(({ engine }) => engine).sort(),
  );
});

/** The same worlds without one of the things that keep them apart. */
const HOLES: readonly (readonly [string, Tampering, (targets: Targets) => Targets])[] = [
  [
    "PostgreSQL without a fence",
    (plan) => ({ ...plan, sql: plan.sql.replaceAll(" OFFSET 0)", ")") }),
    (all) => ({ ...all, files: all.postgres }),
  ],
  [
    "DuckDB without a fence",
    (plan) => ({
      ...plan,
      sql: plan.sql.replaceAll(" AS MATERIALIZED ", " AS NOT MATERIALIZED ").replaceAll(" OFFSET 0)", ")"),
    }),
    (all) => ({
      ...all,
      postgres: all.files.filter(({ engine }) => engine === "Parquet"),
      files: all.files.filter(({ engine }) => engine === "Parquet"),
    }),
  ],
  [
    "files read by what their rows say",
    (plan) => ({ ...plan, reads: () => plan.reads().map(({ declared: _, ...read }) => read) }),
    (all) => {
      const inferred = all.files.filter(({ engine }) => /CSV|JSON/.test(engine));
      return { ...all, postgres: inferred, files: inferred };
    },
  ],
  [
    "a rule that lets everything through",
    (plan) => ({ ...plan, sql: plan.sql.replaceAll("'ann'", "owner") }),
    (all) => ({ ...all, files: all.postgres }),
  ],
];

describe("it can fail", () => {
  test.each(HOLES)("%s", { timeout: 300_000 }, async (_hole, tampering, choose) => {
    const run = await runSeeds(choose(targets), {
      first: 1,
      statements: 2_000,
      tampering,
      enough: ({ findings }) => findings.length > 0,
      atOnce: 5,
    });
    expect(run.findings.length).toBeGreaterThan(0);
  });
});

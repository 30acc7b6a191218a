/**
 * The best-effort form of BigQuery under the attacks of `test/security/fences`, on GoogleSQL's evaluator. The evaluator applies a rule
 * where the SQL says, so the form is judged by a harder case than an optimizer could make: the filters of the rules are taken away from the
 * printed statement, which then computes everything over excluded rows as well, and still may not fail.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Manifest, type Outcome, plan } from "../../src/planner/index.ts";
import { type Plan, statementOf } from "../../src/planner/plan.ts";
import { unordered } from "../security/fences/engines.ts";
import { MORE_POSITIONS } from "../security/fences/more-positions.ts";
import { POSITIONS, type Position, setup } from "../security/fences/shapes.ts";
import { readCells } from "../support/canonical-cells.ts";
import { openGoogleSql } from "../support/googlesql.ts";
import { hasGoogleSql, WITHOUT_GOOGLESQL } from "../support/googlesql-server.ts";
import { manifestOf, requestOf } from "../support/plan.ts";
import type { OpenedSource } from "../support/sources.ts";

const ALL_POSITIONS: Readonly<Record<string, Position>> = { ...POSITIONS, ...MORE_POSITIONS };

/** Conditions that hold or not for visible rows, and fail for every excluded one. */
const PREDICATES = {
  "cast to integer": "CAST(m.v AS bigint) > 0",
  "cast to date": "CAST(m.d AS date) > DATE '2000-01-01'",
  division: "10 / m.n > 0",
  overflow: "m.big + 1 > 0",
  "square root": "sqrt(m.f) >= 0",
  logarithm: "ln(m.f) >= 0",
} as const;

/** The rules, and the text of their filters in the statement that is sent. */
const RULES = {
  literal: ["owner = 'a'", / WHERE `_b`\.`owner` = 'a'(?=\))/g],
  "IN (subquery)": ["owner IN (SELECT g.owner FROM grants AS g WHERE g.member = 'me')", / WHERE `_f`\.`_r`(?=\))/g],
  EXISTS: [
    "EXISTS (SELECT 1 FROM grants AS g WHERE g.owner = secrets.owner AND g.member = 'me')",
    / WHERE `_f`\.`_r`(?=\))/g,
  ],
  OR: ["owner = 'zz' OR owner = 'a'", / WHERE `_b`\.`owner` = 'zz' OR `_b`\.`owner` = 'a'(?=\))/g],
  "always false": ["owner = 'nobody'", / WHERE `_b`\.`owner` = 'nobody'(?=\))/g],
} as const;

type PredicateName = keyof typeof PREDICATES;
type RuleName = keyof typeof RULES;

const column = (name: string, type: string) => ({ name, type });
const SECRETS = [
  column("id", "INTEGER"),
  ...["owner", "v", "d", "j", "re", "enc", "pat"].map((name) => column(name, "VARCHAR")),
  ...["n", "big", "len"].map((name) => column(name, "BIGINT")),
  column("f", "DOUBLE"),
];

/** `secrets` and the table of its visible rows under one name; `q` is the condition as a calculated column. */
function models(table: string, predicate: PredicateName, rule: RuleName | undefined): Manifest {
  const expression = PREDICATES[predicate].replaceAll("m.", "");
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "secrets",
        tableReference: { table },
        columns: [...SECRETS, { ...column("q", "BOOLEAN"), isCalculated: true, expression }],
        ...(rule && {
          rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: RULES[rule][0] }],
        }),
      },
      {
        name: "other",
        tableReference: { table: "other" },
        columns: [column("oid", "INTEGER"), column("k", "INTEGER"), column("w", "VARCHAR")],
      },
      {
        name: "grants",
        tableReference: { table: "grants" },
        columns: [column("owner", "VARCHAR"), column("member", "VARCHAR")],
      },
    ],
  });
}

function planFor(sql: string, manifest: Manifest): Outcome<Plan> {
  const options = { bestEffort: new Set(["bigquery"] as const) };
  return plan({ sql, ...requestOf(manifest, { source: "bigquery", options }) });
}

const statementAt = (position: string, predicate: PredicateName): string =>
  ALL_POSITIONS[position]?.((alias) => `secrets AS ${alias}`, PREDICATES[predicate]) ?? "";

describe.skipIf(!hasGoogleSql())(hasGoogleSql() ? "attacks" : WITHOUT_GOOGLESQL, () => {
  const directory = mkdtempSync(join(tmpdir(), "siskin-bigquery-rules-"));
  let evaluator: OpenedSource;

  beforeAll(async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const duckdb = await instance.connect();
    for (const statement of setup(12)) await duckdb.run(statement);
    await duckdb.run("ALTER TABLE secrets ALTER big TYPE bigint");
    await duckdb.run("UPDATE secrets SET big = 9223372036854775807 WHERE owner = 'b'");
    await duckdb.run("UPDATE secrets SET f = -4 WHERE owner = 'b'");
    await duckdb.run("CREATE OR REPLACE TABLE visible AS SELECT * FROM secrets WHERE owner = 'a'");
    const tables = ["secrets", "visible", "nothing", "grants", "other"].map((name) => ({
      name,
      file: join(directory, `${name}.parquet`),
    }));
    for (const { name, file } of tables) await duckdb.run(`COPY ${name} TO '${file}' (FORMAT parquet)`);
    duckdb.closeSync();
    instance.closeSync();
    evaluator = await openGoogleSql(tables);
  });

  afterAll(async () => {
    await evaluator?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function rows(made: Plan, sql = made.sql): Promise<string> {
    const options = { signal: new AbortController().signal, timeoutMs: 60_000, isolation: "tests" };
    const { rows } = await readCells(await evaluator.connector.query({ ...statementOf(made), sql }, options));
    return unordered(rows);
  }

  async function failure(made: Plan, sql = made.sql): Promise<string | undefined> {
    return rows(made, sql).then(
      () => undefined,
      (error: Error) => error.message,
    );
  }

  describe.each(Object.keys(RULES) as RuleName[])("%s", (rule) => {
    test.each(Object.keys(PREDICATES) as PredicateName[])("%s", async (predicate) => {
      const control = rule === "always false" ? "nothing" : "visible";
      const found = { armed: 0, planned: 0, leaks: [] as string[], wrong: [] as string[], refused: [] as string[] };
      for (const position of Object.keys(ALL_POSITIONS)) {
        const sql = statementAt(position, predicate);
        const bare = planFor(sql, models("secrets", predicate, undefined));
        const safe = planFor(sql, models(control, predicate, undefined));
        if (!bare.ok || !safe.ok) continue;
        const expected = await rows(safe.value);
        if ((await failure(bare.value)) !== undefined) found.armed++;
        const ruled = planFor(sql, models("secrets", predicate, rule));
        if (!ruled.ok) {
          found.refused.push(`${position}: ${ruled.error.message}`);
          continue;
        }
        found.planned++;
        expect(ruled.value.rowRules).toBe("besteffort");
        if ((await rows(ruled.value)) !== expected) found.wrong.push(position);
        const open = ruled.value.sql.replaceAll(RULES[rule][1], "");
        expect(open).not.toBe(ruled.value.sql);
        const leak = await failure(ruled.value, open);
        if (leak !== undefined) found.leaks.push(`${position}: ${leak}\n${open}`);
      }
      // BigQuery has no LATERAL, and FULL JOIN wants an equality.
      expect(found).toEqual({ armed: 50, planned: 50, leaks: [], wrong: [], refused: [] });
    });
  });
});

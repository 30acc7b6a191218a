/**
 * BigQuery's dialect gives the rows that PostgreSQL gives, or refuses with a reason: on the reference evaluator of GoogleSQL,
 * which is BigQuery's language and not BigQuery. Analyst queries against their committed rows, constructs, functions and random
 * statements against PostgreSQL. `FUZZ_QUERIES` and `FUZZ_SEED` as for `test/parity/random.test.ts`; with more than 20 all statements
 * of PostgreSQL and all casts are asked, not a quarter of them. `SHARE` as `test/support/share.ts` has it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { besideDoubles } from "../parity/beside-doubles.ts";
import { CAST_QUERIES, castOutcome, castVerdict } from "../parity/casts.ts";
import { ask, askAsWritten, judgeAgainst, judgeBeside, judgeRows, type Verdict } from "../parity/judge.ts";
import { titled } from "../parity/queries.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS, ORIGINAL_QUESTIONS } from "../parity/questions.ts";
import { randomStatement, SUBJECTS } from "../parity/random/statements.ts";
import { REFUSED_BY_BIGQUERY } from "../parity/refused/bigquery.ts";
import { whatIsRefusedOn } from "../parity/refused/refused-on.ts";
import { plainManifest } from "../support/analyst.ts";
import { openGoogleSqlTpch } from "../support/googlesql.ts";
import { hasGoogleSql, WITHOUT_GOOGLESQL } from "../support/googlesql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { randomQuery } from "../support/random-query.ts";
import { SHARE, shareFor } from "../support/share.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const tpch = manifestOf(plainManifest("bigquery"));
const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? Math.ceil(20 / SHARE));
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);

const casts = shareFor(
  "bigquery",
  CAST_QUERIES.filter((_, index) => QUERIES > 20 || index % 4 === 0),
);
const constructs = shareFor("bigquery", CONSTRUCT_QUESTIONS);

const REFUSED_ANALYST: Readonly<Record<string, string>> = {
  Q35: "a frame of a distance over this key",
  Q42: "a row that is compared with those of a subquery",
};

/** The error of a row's value fails the statement. */
const RAISED = /^(?:\d+ OUT_OF_RANGE: )?(The text of a json object|A text cannot be read)/;

describe.skipIf(!hasGoogleSql())(hasGoogleSql() ? "GoogleSQL's evaluator" : WITHOUT_GOOGLESQL, () => {
  let postgres: OpenedSource;
  let evaluator: OpenedSource;

  async function verdictOf(sql: string): Promise<Verdict> {
    const reference = await ask(sql, withoutTables, "postgres", postgres);
    const answer = await ask(sql, withoutTables, "bigquery", evaluator);
    return judgeBeside(reference, answer, { ordered: true, json: "value" });
  }

  beforeAll(async () => {
    [postgres, evaluator] = await Promise.all([openPostgres(), openGoogleSqlTpch()]);
  });
  afterAll(() => Promise.all([postgres.close(), evaluator.close()]));

  function expectListed(verdict: Verdict, what: string | undefined): void {
    const refused = { outcome: "refused", detail: `UNSUPPORTED_ON_SOURCE: not supported on BigQuery: ${what}` };
    expect(verdict).toEqual(what === undefined ? { outcome: "right" } : refused);
  }

  test.each(ANALYST_QUERIES)("$id $title", async ({ id, sql, ordered, expected }) => {
    const answer = await ask(sql, tpch, "bigquery", evaluator);
    const verdict = "outcome" in answer ? answer : judgeRows(answer, expected, ordered);
    expectListed(verdict, REFUSED_ANALYST[id]);
  });

  test.each(titled(constructs))("construct %s", async (name, { sql }) => {
    expectListed(await verdictOf(sql), whatIsRefusedOn("bigquery", name));
  });

  test.each(titled(shareFor("bigquery", FUNCTION_QUESTIONS)))("%s", async (name, { sql }) => {
    expectListed(await verdictOf(sql), whatIsRefusedOn("bigquery", name));
  });

  // It has no reals that stand in rows beside other numbers, and ANY of equal values alone.
  test.each(shareFor("bigquery", besideDoubles(2)))("beside doubles: $sql", async ({ sql }) => {
    expect((await verdictOf(sql)).outcome).toBe(/::real| < ANY /.test(sql) ? "refused" : "right");
  });

  test.each(casts)("cast $sql", async ({ cast, sql }) => {
    const reference = await ask(sql, withoutTables, "postgres", postgres);
    const verdict = castVerdict(reference, await ask(sql, withoutTables, "bigquery", evaluator));
    expect(verdict).toMatchObject({ outcome: castOutcome(cast, REFUSED_BY_BIGQUERY, reference) });
  });

  test.each([
    "SELECT CAST(s AS integer) FROM (VALUES ('7'), ('x')) AS t(s)",
    "SELECT CAST(s AS integer) FROM (VALUES ('7'), ('0x1A')) AS t(s)",
    "SELECT CAST(s AS date) FROM (VALUES ('2024-02-29'), ('2023-02-29')) AS t(s)",
    "SELECT CAST(s AS double precision) FROM (VALUES ('1'), ('1d')) AS t(s)",
    "SELECT CAST(s AS numeric) FROM (VALUES ('1'), ('1.23456789012345678901234567890123456789012345')) AS t(s)",
    "SELECT CAST(n AS integer) FROM (VALUES (1.5), (3000000000)) AS t(n)",
    "SELECT sqrt(n) FROM (VALUES (4), (-4)) AS t(n)",
    "SELECT n / 0 FROM (VALUES (1)) AS t(n)",
    "SELECT n * n FROM (VALUES (9223372036854775807)) AS t(n)",
  ])("a value that does not fit ends the statement: %s", async (sql) => {
    expect(await ask(sql, withoutTables, "bigquery", evaluator)).toMatchObject({ outcome: "engine error" });
  });

  test("statements of PostgreSQL as they are written are answered alike, or not at all", {
    timeout: 300_000,
  }, async () => {
    const faults: string[] = [];
    let right = 0;
    for (const { sql } of shareFor(
      "bigquery",
      ORIGINAL_QUESTIONS.filter((_, index) => QUERIES > 20 || index % 4 === 0),
    )) {
      const answer = await ask(sql, withoutTables, "bigquery", evaluator);
      if ("outcome" in answer && (answer.outcome === "refused" || RAISED.test(answer.detail))) continue;
      const original = await askAsWritten(sql, postgres);
      const verdict = judgeBeside(original, answer);
      if (verdict.outcome === "right") right++;
      else faults.push(`${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
    }
    expect(faults.join("\n")).toBe("");
    expect(right).toBeGreaterThan(SHARE === 1 ? 30 : 0);
  });

  test(`${QUERIES} random queries`, { timeout: 60_000 + QUERIES * 1_000 }, async () => {
    const faults: string[] = [];
    let right = 0;
    for (let seed = FIRST; seed < FIRST + QUERIES; seed++) {
      const sql = randomQuery(seed);
      const verdict = await verdictOf(sql);
      if (verdict.outcome === "right") right++;
      else if (verdict.outcome !== "refused")
        faults.push(`seed ${seed}: ${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
    }
    expect(faults.join("\n")).toBe("");
    expect(right).toBeGreaterThan(QUERIES * 0.8);
  });

  test(`random statements of ${SUBJECTS.length} subjects`, { timeout: 60_000 + QUERIES * 4_000 }, async () => {
    const faults: string[] = [];
    let right = 0;
    const seeds = Array.from({ length: Math.ceil(QUERIES / 5) }, (_, index) => FIRST + index);
    for (const subject of SUBJECTS) {
      for (const seed of seeds) {
        const { sql, ordered } = randomStatement(subject, seed);
        const answer = await ask(sql, withoutTables, "bigquery", evaluator);
        if ("outcome" in answer && (answer.outcome === "refused" || RAISED.test(answer.detail))) continue;
        const original = await askAsWritten(sql, postgres);
        if ("outcome" in original) continue;
        const verdict = "outcome" in answer ? answer : judgeAgainst(original, answer, { ordered, json: "value" });
        if (verdict.outcome === "right") right++;
        else faults.push(`${subject} ${seed}: ${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
      }
    }
    expect(faults.join("\n")).toBe("");
    // One seed alone proves nothing: most statements of some subjects are rejected.
    if (seeds.length > 1) expect(right).toBeGreaterThan(seeds.length * SUBJECTS.length * 0.1);
  });
});

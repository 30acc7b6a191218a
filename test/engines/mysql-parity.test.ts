/**
 * MySQL and MariaDB give the rows that PostgreSQL gives, or refuse with a reason: analyst queries against their committed rows,
 * constructs, functions and random queries against PostgreSQL. Texts are put in the order of their code points, as with
 * `x-strict`, for their own collations have another. `FUZZ_QUERIES` and `FUZZ_SEED` as for `test/parity/random.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { besideDoubles } from "../parity/beside-doubles.ts";
import { CAST_QUERIES, castOutcome, castVerdict } from "../parity/casts.ts";
import { ask, judgeBeside, judgeRows, type Verdict } from "../parity/judge.ts";
import { titled } from "../parity/queries.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS } from "../parity/questions.ts";
import { refusedBy } from "../parity/refused/mysql.ts";
import { isRefusedOn } from "../parity/refused/refused-on.ts";
import { plainManifest } from "../support/analyst.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { randomQuery } from "../support/random-query.ts";
import { type OpenedSource, openMySqlTpch, openPostgres } from "../support/sources.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const tpch = manifestOf(plainManifest("mysql"));
const IN_ORDER = { textOrder: "code points" } as const;
const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? 400);
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);

let postgres: OpenedSource;
beforeAll(async () => {
  postgres = await openPostgres();
});
afterAll(() => postgres.close());

describe.each(MYSQL_FLAVORS)("%s", (flavor) => {
  if (!hasMySql(flavor)) {
    test.skip(withoutMySql(flavor), () => {});
    return;
  }

  const refused = refusedBy(flavor);
  let mysql: OpenedSource;
  beforeAll(async () => {
    mysql = await openMySqlTpch(flavor);
  });
  afterAll(() => mysql.close());

  async function verdictOf(sql: string): Promise<Verdict> {
    const reference = await ask(sql, withoutTables, "postgres", postgres);
    const answer = await ask(sql, withoutTables, "mysql", mysql, IN_ORDER);
    return judgeBeside(reference, answer);
  }

  function expectListed(verdict: Verdict, isRefused: boolean): void {
    if (!isRefused) expect(verdict).toEqual({ outcome: "right" });
    else expect(verdict).toMatchObject({ outcome: "refused", detail: expect.stringMatching(/^UNSUPPORTED_ON_SOURCE/) });
  }

  test.each(ANALYST_QUERIES)("$id $title", async ({ id, sql, ordered, expected }) => {
    const answer = await ask(sql, tpch, "mysql", mysql, IN_ORDER);
    const verdict = "outcome" in answer ? answer : judgeRows(answer, expected, ordered);
    expectListed(verdict, refused.analyst.includes(id));
  });

  test.each(titled(CONSTRUCT_QUESTIONS))("construct %s", async (name, { sql }) => {
    expectListed(await verdictOf(sql), isRefusedOn(flavor, name));
  });

  test.each(titled(FUNCTION_QUESTIONS))("%s", async (name, { sql }) => {
    expectListed(await verdictOf(sql), isRefusedOn(flavor, name));
  });

  test.each(besideDoubles(2))("beside doubles: $sql", async ({ sql, setOfReals }) => {
    expect((await verdictOf(sql)).outcome).toBe(setOfReals ? "refused" : "right");
  });

  test.each(CAST_QUERIES)("cast $sql", async ({ cast, sql }) => {
    const reference = await ask(sql, withoutTables, "postgres", postgres);
    const answer = await ask(sql, withoutTables, "mysql", mysql, IN_ORDER);
    expect(castVerdict(reference, answer)).toMatchObject({ outcome: castOutcome(cast, refused, reference) });
  });

  test.each([
    "SELECT CAST(NULL AS boolean) AS a, bool_or(CAST(NULL AS boolean)) AS b, nullif(CAST(NULL AS boolean), TRUE) AS c",
    "SELECT coalesce(x, CAST(NULL AS boolean)) AS a FROM (VALUES (FALSE), (NULL)) AS t(x) UNION ALL SELECT TRUE",
  ])("a boolean that is never known is one: %s", async (sql) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  test.each([
    "SELECT CAST(s AS integer) FROM (VALUES ('7'), ('x')) AS t(s)",
    "SELECT CAST(s AS date) FROM (VALUES ('2024-02-29'), ('2023-02-29')) AS t(s)",
    "SELECT CAST(n AS integer) FROM (VALUES (1.5), (3000000000)) AS t(n)",
  ])("a value that does not fit ends the statement and says so: %s", async (sql) => {
    const answer = await ask(sql, withoutTables, "mysql", mysql, IN_ORDER);
    expect(answer).toMatchObject({ outcome: "engine error", detail: expect.stringMatching(/^A value cannot be read/) });
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
    expect(right).toBeGreaterThan(QUERIES * 0.85);
  });
});

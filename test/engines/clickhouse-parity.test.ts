/**
 * ClickHouse's engine gives the rows that PostgreSQL gives, or refuses with a reason: analyst queries against their committed
 * rows, constructs, functions, casts and random queries against PostgreSQL. `FUZZ_QUERIES` and `FUZZ_SEED` as for
 * `test/parity/random.test.ts`, `SHARE` as `test/support/share.ts` has it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { besideDoubles } from "../parity/beside-doubles.ts";
import { CAST_QUERIES, castOutcome, castVerdict } from "../parity/casts.ts";
import { ask, judgeBeside, judgeRows, type Verdict } from "../parity/judge.ts";
import { titled } from "../parity/queries.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS } from "../parity/questions.ts";
import { REFUSED_BY_CLICKHOUSE as refused } from "../parity/refused/clickhouse.ts";
import { isRefusedOn } from "../parity/refused/refused-on.ts";
import { plainManifest } from "../support/analyst.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { randomQuery } from "../support/random-query.ts";
import { SHARE, shareFor } from "../support/share.ts";
import { type OpenedSource, openClickHouseTpch, openPostgres } from "../support/sources.ts";
import { STATEMENTS } from "./clickhouse-statements.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const tpch = manifestOf(plainManifest("clickhouse"));
const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? Math.ceil(400 / SHARE));
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);
/** The last of two members with one name counts on PostgreSQL; on ClickHouse the plan raises. */
const NAMED_TWICE = "functions/jsonb-each";
const constructs = shareFor("clickhouse", CONSTRUCT_QUESTIONS);

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  let postgres: OpenedSource;
  let clickhouse: OpenedSource;
  beforeAll(async () => {
    [postgres, clickhouse] = await Promise.all([openPostgres(), openClickHouseTpch()]);
  });
  afterAll(() => Promise.all([postgres?.close(), clickhouse?.close()]));

  async function verdictOf(sql: string): Promise<Verdict> {
    const reference = await ask(sql, withoutTables, "postgres", postgres);
    const answer = await ask(sql, withoutTables, "clickhouse", clickhouse);
    return judgeBeside(reference, answer, { ordered: true, json: "value" });
  }

  function expectListed(verdict: Verdict, isRefused: boolean): void {
    if (!isRefused) expect(verdict).toEqual({ outcome: "right" });
    else expect(verdict).toMatchObject({ outcome: "refused", detail: expect.stringMatching(/^UNSUPPORTED_ON_SOURCE/) });
  }

  test.each(ANALYST_QUERIES)("$id $title", async ({ id, sql, ordered, expected }) => {
    const answer = await ask(sql, tpch, "clickhouse", clickhouse);
    const verdict = "outcome" in answer ? answer : judgeRows(answer, expected, ordered);
    expectListed(verdict, refused.analyst.includes(id));
  });

  test.each(titled(constructs))("construct %s", async (name, { sql }) => {
    expectListed(await verdictOf(sql), isRefusedOn("clickhouse", name));
  });

  test.each(titled(shareFor("clickhouse", FUNCTION_QUESTIONS)))("%s", async (name, { sql }) => {
    const verdict = await verdictOf(sql);
    if (name === NAMED_TWICE) expect(verdict).toMatchObject({ detail: expect.stringContaining("there twice") });
    else expectListed(verdict, isRefusedOn("clickhouse", name));
  });

  test.each(shareFor("clickhouse", STATEMENTS))("statement %s", async (sql) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  test.each(shareFor("clickhouse", besideDoubles(2)))("beside doubles: $sql", async ({ sql }) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  test.each(shareFor("clickhouse", CAST_QUERIES))("cast $sql", async ({ cast, sql }) => {
    const reference = await ask(sql, withoutTables, "postgres", postgres);
    const answer = await ask(sql, withoutTables, "clickhouse", clickhouse);
    expect(castVerdict(reference, answer)).toMatchObject({ outcome: castOutcome(cast, refused, reference) });
  });

  // To the engine they are doubles together, and 0.15 is another number then.
  test.each([
    "SELECT -r AS x, r AS y FROM (VALUES (NULL::real, 1), (0.15, 2)) AS t(r, n)",
    "SELECT CASE WHEN r > 1 THEN r ELSE 0.15 END AS c, coalesce(r, 0.15) AS d, greatest(r, 0.15) AS e, nullif(r, 0.15) AS f, r * 2 AS g FROM (VALUES (1::real), (2), (NULL)) AS t(r) ORDER BY r",
    "SELECT 1::real AS r UNION ALL SELECT 0.15 UNION ALL SELECT 3 ORDER BY 1",
    "SELECT 1::real AS r UNION ALL SELECT 0.15::float8 UNION ALL SELECT 3 ORDER BY 1",
    "SELECT ARRAY[1::real, 0.15] AS b",
    "SELECT r IN (0.15, 1) AS i, r = 0.15 AS e, r BETWEEN 0.15 AND 1 AS b FROM (VALUES (1::real), (0.15)) AS t(r) ORDER BY r",
  ])("reals beside exact numbers are reals: %s", async (sql) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  test.each([
    ["SELECT x + 1 FROM (VALUES (9223372036854775807)) AS t(x)", "Int64"],
    ["SELECT -x FROM (VALUES (-9223372036854775807 - 1)) AS t(x)", "Int64"],
    ["SELECT x * x FROM (VALUES (5000000000)) AS t(x)", "Int64"],
    ["SELECT CAST(x AS smallint) FROM (VALUES (40000)) AS t(x)", "Int16"],
    ["SELECT x * x FROM (VALUES (12345678901234567890.5)) AS t(x)", "overflow"],
    [
      "SELECT sum(x) FROM (VALUES (99999999999999999999999999999999999999), (99999999999999999999999999999999999999)) AS t(x)",
      "overflow",
    ],
    ["SELECT CAST(x AS numeric(4, 2)) FROM (VALUES (100)) AS t(x)", "numeric field overflow"],
    ["SELECT 1 / x FROM (VALUES (0)) AS t(x)", "Division by zero"],
    ["SELECT 1 % x FROM (VALUES (0)) AS t(x)", "Division by zero"],
    ["SELECT 1.5 / x FROM (VALUES (0.0)) AS t(x)", "Division by zero"],
    ["SELECT (SELECT x FROM (VALUES (1), (2)) AS t(x))", "more than one row"],
    // Its types end, and values would stay at their ends.
    ["SELECT ts + 2 * INTERVAL '10000 years' AS x FROM (VALUES (TIMESTAMP '2024-01-31 10:20:30')) AS t(ts)", "years"],
    ["SELECT d + n AS x FROM (VALUES (DATE '2299-12-31', 20000000)) AS t(d, n)", "years"],
    ["SELECT d - 20000000 AS x FROM (VALUES (DATE '1900-01-01')) AS t(d)", "years"],
    ["SELECT DATE '2024-01-01' + 20000000 AS x", "years"],
  ])("a value that does not fit ends the statement: %s", async (sql, problem) => {
    const answer = await ask(sql, withoutTables, "clickhouse", clickhouse);
    expect(answer).toMatchObject({ outcome: "engine error", detail: expect.stringContaining(problem) });
  });

  test("has the session that plans ask for", async () => {
    const { session } = planned("SELECT 1", withoutTables, { source: "clickhouse" });
    const sql = `SELECT ${session.map(({ name }) => `toString(getSetting('${name}'))`).join()}`;
    const options = { signal: new AbortController().signal, timeoutMs: 10_000 };
    const stream = await clickhouse.connector.query({ sql, session, columns: [], reads: [] }, options);
    for await (const [row] of stream.batches) {
      const read = (row as readonly string[]).map((value) => ({ true: "1", false: "0" })[value] ?? value);
      expect(read).toEqual(session.map(({ value }) => value));
    }
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
    expect(right).toBeGreaterThan(QUERIES * 0.5);
  });
});

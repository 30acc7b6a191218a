/**
 * Spark gives the rows that PostgreSQL gives, or refuses with a reason: analyst queries against their committed rows, constructs,
 * functions, casts and random statements against PostgreSQL. Several are asked at once, for each is a tenth of a second of waiting.
 * `FUZZ_QUERIES` and `FUZZ_SEED` as for `test/parity/random.test.ts`; with more than 20 all casts and statements of PostgreSQL are asked, not a
 * quarter of them. With `SPARK=3.5` that release is asked, and lacks what is listed. `SHARE` as `test/support/share.ts` has it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { besideDoubles } from "../parity/beside-doubles.ts";
import { CAST_QUERIES, castOutcome, castVerdict } from "../parity/casts.ts";
import { ask, askAsWritten, judgeAgainst, judgeBeside, judgeRows, type Verdict } from "../parity/judge.ts";
import { titled } from "../parity/queries.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS, ORIGINAL_QUESTIONS } from "../parity/questions.ts";
import { randomStatement, SUBJECTS } from "../parity/random/statements.ts";
import { whatIsRefusedOn } from "../parity/refused/refused-on.ts";
import { REFUSED_BY_SPARK } from "../parity/refused/spark.ts";
import { LACKING_ON_SPARK_3_5 } from "../parity/refused/spark-3-5.ts";
import { plainManifest } from "../support/analyst.ts";
import { readCells } from "../support/canonical-cells.ts";
import { manifestOf } from "../support/plan.ts";
import { randomQuery } from "../support/random-query.ts";
import { SHARE, shareFor } from "../support/share.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";
import { openSparkTpch } from "../support/spark.ts";
import { hasSpark, isSpark35, WITHOUT_SPARK } from "../support/spark-server.ts";
import { inTurns, oneByOne } from "./turns.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const tpch = manifestOf(plainManifest("spark"));
const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? Math.ceil(20 / SHARE));
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);
const AT_ONCE = 6;

/** Each further one is a twelfth of a second. */
const casts = shareFor(
  "spark",
  CAST_QUERIES.filter((_, index) => QUERIES > 20 || index % 4 === 0),
);
const numbers = shareFor("spark", besideDoubles(1));
const constructs = shareFor("spark", CONSTRUCT_QUESTIONS);
const functions = shareFor("spark", FUNCTION_QUESTIONS);
const originals = shareFor(
  "spark",
  ORIGINAL_QUESTIONS.filter((_, index) => QUERIES > 20 || index % 4 === 0),
);

const NUMBERS = "(VALUES (3), (1), (2), (2), (NULL))";

/** Statements with subqueries that Spark refuses as they are written, or answers with wrong rows. */
const GROUPED_OUTER_COLUMNS = [
  `SELECT t.i, l.n FROM ${NUMBERS} AS t(i) LEFT JOIN LATERAL (SELECT u.i AS n FROM ${NUMBERS} AS u(i) ORDER BY t.i - u.i, u.i LIMIT 1) AS l ON TRUE ORDER BY 1, 2`,
  `SELECT t.i, l.n FROM ${NUMBERS} AS t(i) CROSS JOIN LATERAL (SELECT max(u.i) - t.i AS n FROM ${NUMBERS} AS u(i) WHERE u.i < t.i) AS l ORDER BY 1, 2`,
  `SELECT t.i, (SELECT sum(u.i * t.i) FROM ${NUMBERS} AS u(i) WHERE u.i < t.i) AS n FROM ${NUMBERS} AS t(i) ORDER BY 1, 2`,
  `SELECT t.i, (SELECT count(*) FILTER (WHERE u.i < t.i) FROM ${NUMBERS} AS u(i)) AS n FROM ${NUMBERS} AS t(i) ORDER BY 1, 2`,
  `SELECT t.i, (SELECT string_agg(u.i::text || t.i::text, ',' ORDER BY u.i) FROM ${NUMBERS} AS u(i) WHERE u.i < t.i) AS n FROM ${NUMBERS} AS t(i) ORDER BY 1, 2`,
  `SELECT t.i FROM ${NUMBERS} AS t(i) WHERE (SELECT sum(u.i * t.i) FROM ${NUMBERS} AS u(i) WHERE u.i < t.i) > 2 ORDER BY 1`,
  `SELECT t.i FROM ${NUMBERS} AS t(i) ORDER BY (SELECT count(*) FROM ${NUMBERS} AS u(i) WHERE u.i < t.i) DESC, t.i`,
  `SELECT q.i, (SELECT count(*) FROM ${NUMBERS} AS u(i) WHERE u.i = q.i) AS n FROM (SELECT i FROM ${NUMBERS} AS t(i) ORDER BY i OFFSET 1) AS q ORDER BY 1, 2`,
  `SELECT t.i, (SELECT max((SELECT max(v.i) FROM ${NUMBERS} AS v(i) WHERE v.i = u.i)) FROM ${NUMBERS} AS u(i) WHERE u.i = t.i) AS x FROM ${NUMBERS} AS t(i) ORDER BY 1, 2`,
];

describe.skipIf(!hasSpark())(hasSpark() ? "Spark" : WITHOUT_SPARK, () => {
  let postgres: OpenedSource;
  let spark: OpenedSource;
  const verdicts = new Map<string, Verdict>();
  /** The expected outcome of each cast; none where PostgreSQL has no answer. */
  const castOutcomes = new Map<string, Verdict["outcome"]>();

  /** PostgreSQL's connection takes one statement after another. */
  const inOrder = oneByOne();

  async function verdictOf(sql: string): Promise<Verdict> {
    const reference = await inOrder(() => ask(sql, withoutTables, "postgres", postgres));
    const answer = await ask(sql, withoutTables, "spark", spark);
    return judgeBeside(reference, answer, { ordered: true, json: "value" });
  }

  beforeAll(async () => {
    [postgres, spark] = await Promise.all([openPostgres(), openSparkTpch()]);
    await inTurns(AT_ONCE, ANALYST_QUERIES, async ({ id, sql, ordered, expected }) => {
      const answer = await ask(sql, tpch, "spark", spark);
      verdicts.set(id, "outcome" in answer ? answer : judgeRows(answer, expected, ordered));
    });
    await inTurns(AT_ONCE, [...constructs, ...functions], async ({ name, sql }) => {
      verdicts.set(name, await verdictOf(sql));
    });
    await inTurns(AT_ONCE, numbers, async ({ sql }) => {
      verdicts.set(sql, await verdictOf(sql));
    });
    await inTurns(AT_ONCE, casts, async ({ cast, sql }) => {
      const reference = await inOrder(() => ask(sql, withoutTables, "postgres", postgres));
      castOutcomes.set(sql, castOutcome(cast, REFUSED_BY_SPARK, reference));
      const answer = "outcome" in reference ? reference : await ask(sql, withoutTables, "spark", spark);
      verdicts.set(sql, castVerdict(reference, answer));
    });
  });
  afterAll(() => Promise.all([postgres.close(), spark.close()]));

  function expectListed(name: string, what: string | undefined): void {
    const lacking = isSpark35 ? LACKING_ON_SPARK_3_5[name] : undefined;
    if (lacking !== undefined) {
      const detail = expect.stringMatching(lacking);
      expect(verdicts.get(name)).toMatchObject({ outcome: "engine error", detail });
      return;
    }
    const refused = { outcome: "refused", detail: `UNSUPPORTED_ON_SOURCE: not supported on Spark: ${what}` };
    expect(verdicts.get(name)).toEqual(what === undefined ? { outcome: "right" } : refused);
  }

  test.each(ANALYST_QUERIES)("$id $title", ({ id }) =>
    expectListed(id, id === "Q25" ? "a common table that names itself" : undefined),
  );
  test.each(titled(constructs))("construct %s", (name) => expectListed(name, whatIsRefusedOn("spark", name)));
  test.each(titled(functions))("%s", (name) => expectListed(name, whatIsRefusedOn("spark", name)));
  // Beside a double a real is one.
  test.each(numbers)("beside doubles: $sql", ({ sql, setOfReals }) => {
    const isRefused = setOfReals && !sql.includes("::float8");
    expect(verdicts.get(sql)).toMatchObject({ outcome: isRefused ? "refused" : "right" });
  });
  test.each(casts)("cast $sql", ({ sql }) => {
    expect(verdicts.get(sql)).toMatchObject({ outcome: castOutcomes.get(sql) });
  });

  test.each(GROUPED_OUTER_COLUMNS)("outer columns in aggregates, groups and sort keys: %s", async (sql) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  test.each([
    "SELECT CAST(s AS integer) FROM (VALUES ('7'), ('x')) AS t(s)",
    "SELECT CAST(s AS date) FROM (VALUES ('2024-02-29'), ('2023-02-29')) AS t(s)",
    "SELECT CAST(s AS double precision) FROM (VALUES ('1'), ('1d')) AS t(s)",
    "SELECT CAST(n AS integer) FROM (VALUES (1.5), (3000000000)) AS t(n)",
    "SELECT sqrt(n) FROM (VALUES (4), (-4)) AS t(n)",
    "SELECT n / 0.000000000000000000001 FROM (VALUES (1e19)) AS t(n)",
    "SELECT n / 0 FROM (VALUES (1)) AS t(n)",
  ])("a value that does not fit ends the statement: %s", async (sql) => {
    expect(await ask(sql, withoutTables, "spark", spark)).toMatchObject({ outcome: "engine error" });
  });

  test("statements of PostgreSQL as they are written are answered alike, or not at all", {
    timeout: 300_000,
  }, async () => {
    const faults: string[] = [];
    let right = 0;
    await inTurns(AT_ONCE, originals, async ({ sql }) => {
      const answer = await ask(sql, withoutTables, "spark", spark);
      if ("outcome" in answer) return;
      const original = await inOrder(() => askAsWritten(sql, postgres));
      // Spark's LEFT JOIN LATERAL returns the elements of an array in reverse order.
      const comparison = { ordered: /\border by\b/i.test(sql), json: "text" } as const;
      const verdict = "outcome" in original ? original : judgeAgainst(original, answer, comparison);
      if (verdict.outcome === "right") right++;
      else faults.push(`${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
    });
    expect(faults.join("\n")).toBe("");
    expect(right).toBeGreaterThan(SHARE === 1 ? 30 : 0);
  });

  test.each([
    "SELECT a = b AS x, a IN (b) AS y, greatest(a, b) AS z FROM (SELECT 1.123456789 / 1 AS a, round(1.12, 2) AS b) AS t",
    "SELECT coalesce(NULLIF(b, 1.12), a) AS x, CASE WHEN b > 2 THEN b ELSE a END AS y FROM (SELECT 1.0 / 3 AS a, round(1.12, 2) AS b) AS t",
    "SELECT 1.0 / 3 AS x UNION ALL SELECT round(5.5, 1) ORDER BY 1",
    "SELECT sum(d) * sum(d) AS x, sum(d) / 7 * 3.1 AS y FROM (VALUES (12345678.12::decimal(15,2)), (0.01)) AS t(d)",
  ])("decimals of several lengths keep their digits: %s", async (sql) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  test.each([
    "SELECT x FROM (VALUES ((SELECT 1)), (2)) AS v(x) ORDER BY 1",
    "SELECT t.a, x, y FROM (VALUES (1, 2), (3, NULL)) AS t(a, b), LATERAL (VALUES (t.a, 'a'), (t.b, 'b')) AS v(x, y) ORDER BY 1, 3",
    "SELECT t.a, (SELECT max(x) FROM (VALUES (t.a), (t.b)) AS v(x)) AS m FROM (VALUES (1, 2), (4, 3)) AS t(a, b) ORDER BY 1",
    "SELECT x < 9 AS a, y FROM (VALUES (random(), initcap('ab')), (2.5, CAST('yes' || '' AS boolean)::text), (3, NULL)) AS v(x, y) ORDER BY y",
  ])("values that are no constants: %s", async (sql) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  test.each([
    `SELECT i FROM ${NUMBERS} AS t(i) ORDER BY row_number() OVER (ORDER BY i DESC NULLS LAST)`,
    `SELECT i, sum(i) OVER () AS s FROM ${NUMBERS} AS t(i) ORDER BY lag(i) OVER (ORDER BY i) DESC NULLS LAST, 1 LIMIT 3`,
    `SELECT DISTINCT ON (i % 2) i FROM ${NUMBERS} AS t(i) ORDER BY i % 2, row_number() OVER (ORDER BY i DESC NULLS LAST)`,
    `SELECT i, count(*) AS n FROM ${NUMBERS} AS t(i) GROUP BY i ORDER BY rank() OVER (ORDER BY count(*)), i`,
    `SELECT count(*) AS n, rank() OVER (ORDER BY count(*)) AS r FROM ${NUMBERS} AS t(i) GROUP BY i ORDER BY sum(i)`,
    `SELECT count(*) AS n, rank() OVER (ORDER BY i + 1) AS r FROM ${NUMBERS} AS t(i) GROUP BY i + 1 HAVING i + 1 > 1 ORDER BY (i + 1) * 2 DESC`,
    `SELECT i, count(*) AS n, rank() OVER (ORDER BY count(*)) AS r FROM ${NUMBERS} AS t(i) GROUP BY ROLLUP (i) ORDER BY grouping(i), sum(i), i`,
  ])("sort keys beside windows: %s", async (sql) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  // Spark returns wrong rows, or an error of its optimiser, for each as it is written.
  test.each([
    "SELECT q.d, (SELECT count(*) FROM (VALUES (1), (2)) AS t(k) WHERE t.k = q.k) AS n FROM (SELECT d, k FROM (VALUES (DATE '2024-02-29', 1), (DATE '1999-07-15', 7)) AS a(d, k) ORDER BY d LIMIT 1) AS q",
    "SELECT t.k, (SELECT bool_or(EXISTS (SELECT 1 FROM (VALUES (1), (5)) AS m(d) WHERE m.d = a.d)) FROM (VALUES (1, 1), (2, 3)) AS a(k, d) WHERE a.k = t.k) AS e FROM (VALUES (1), (2), (3)) AS t(k) ORDER BY k",
  ])("joined where its optimiser would be wrong: %s", async (sql) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  test.each([
    "SELECT TRUE IS DISTINCT FROM EXISTS (SELECT 1 FROM (VALUES (1)) AS m(d) WHERE m.d = t.k) AS b, EXISTS (SELECT 1 FROM (VALUES (1)) AS m(d) WHERE m.d = t.k) = TRUE AS c FROM (VALUES (1), (2)) AS t(k) ORDER BY t.k",
    "SELECT id, regexp_substr(x, 'é?$') AS v, regexp_substr(x, 'a') AS w FROM (VALUES (1, 'a-b1a'), (2, ''), (3, NULL)) AS t(id, x) ORDER BY id",
    "SELECT q.k FROM (SELECT d, k FROM (VALUES (DATE '2024-02-29', 1), (DATE '1999-07-15', 7)) AS a(d, k) ORDER BY d LIMIT 1) AS q WHERE EXISTS (SELECT 1 FROM (VALUES (1), (7)) AS t(k) WHERE t.k = q.k)",
  ])("found by random statements: %s", async (sql) => {
    expect(await verdictOf(sql)).toEqual({ outcome: "right" });
  });

  test("no file is a table", async () => {
    const models = [
      {
        name: "passwd",
        tableReference: { schema: "text", table: "/etc/passwd" },
        columns: [{ name: "value", type: "STRING" }],
      },
    ];
    const answer = await ask(
      "SELECT value FROM passwd",
      manifestOf({ catalog: "c", schema: "s", models }),
      "spark",
      spark,
    );
    expect(answer).toMatchObject({
      outcome: "engine error",
      detail: expect.stringContaining("TABLE_OR_VIEW_NOT_FOUND"),
    });
  });

  test("the session is in UTC", async () => {
    const statement = { sql: "SELECT current_timezone()", columns: [], session: [], reads: [] };
    const options = { signal: new AbortController().signal, timeoutMs: 30_000 };
    const { rows } = await readCells(await spark.connector.query(statement, options));
    expect(rows).toEqual([["UTC"]]);
  });

  test(`${QUERIES} random queries`, { timeout: 60_000 + QUERIES * 1_000 }, async () => {
    const faults: string[] = [];
    let right = 0;
    await inTurns(
      AT_ONCE,
      Array.from({ length: QUERIES }, (_, index) => FIRST + index),
      async (seed) => {
        const sql = randomQuery(seed);
        const verdict = await verdictOf(sql);
        if (verdict.outcome === "right") right++;
        else if (verdict.outcome !== "refused")
          faults.push(`seed ${seed}: ${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
      },
    );
    expect(faults.join("\n")).toBe("");
    expect(right).toBeGreaterThan(QUERIES * 0.85);
  });

  /** The error of a row's value fails the statement. */
  const RAISED = /A text cannot be read/;

  test(`random statements of ${SUBJECTS.length} subjects`, { timeout: 60_000 + QUERIES * 4_000 }, async () => {
    const faults: string[] = [];
    const seeds = Array.from({ length: Math.ceil(QUERIES / 5) }, (_, index) => FIRST + index);
    let right = 0;
    await inTurns(
      AT_ONCE,
      SUBJECTS.flatMap((subject) => seeds.map((seed) => [subject, seed] as const)),
      async ([subject, seed]) => {
        const { sql, ordered } = randomStatement(subject, seed);
        const answer = await ask(sql, withoutTables, "spark", spark);
        if ("outcome" in answer && (answer.outcome === "refused" || RAISED.test(answer.detail))) return;
        const original = await inOrder(() => askAsWritten(sql, postgres));
        if ("outcome" in original) return;
        const verdict = "outcome" in answer ? answer : judgeAgainst(original, answer, { ordered, json: "value" });
        if (verdict.outcome === "right") right++;
        else faults.push(`${subject} ${seed}: ${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
      },
    );
    expect(faults.join("\n")).toBe("");
    // One seed alone proves nothing: most statements of some subjects are rejected.
    if (seeds.length > 1) expect(right).toBeGreaterThan(seeds.length * SUBJECTS.length * 0.3);
  });
});

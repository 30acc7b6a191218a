/**
 * Trino gives the rows that PostgreSQL gives, or refuses with a reason: analyst queries against their committed rows, constructs,
 * functions, casts and random statements against PostgreSQL. Several are asked at once, for the first of each kind takes Trino a
 * second. `FUZZ_QUERIES` and `FUZZ_SEED` as for `test/parity/random.test.ts`; with more than 40 all casts are asked, not a quarter.
 * `SHARE` as `test/support/share.ts` has it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { besideDoubles } from "../parity/beside-doubles.ts";
import { CAST_QUERIES, castOutcome, castVerdict } from "../parity/casts.ts";
import { CLOCKS } from "../parity/clocks.ts";
import { ask, askAsWritten, judgeAgainst, judgeBeside, judgeRows, type Verdict } from "../parity/judge.ts";
import { titled } from "../parity/queries.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS, ORIGINAL_QUESTIONS } from "../parity/questions.ts";
import { randomStatement, SUBJECTS } from "../parity/random/statements.ts";
import { whatIsRefusedOn } from "../parity/refused/refused-on.ts";
import { REFUSED_BY_TRINO } from "../parity/refused/trino.ts";
import { plainManifest } from "../support/analyst.ts";
import { readCells } from "../support/canonical-cells.ts";
import { manifestOf } from "../support/plan.ts";
import { randomQuery } from "../support/random-query.ts";
import { SHARE, shareFor } from "../support/share.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";
import { openTrinoTpch, type TrinoTestSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import { inTurns, oneByOne } from "./turns.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const tpch = manifestOf(plainManifest("trino"));
const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? Math.ceil(40 / SHARE));
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);
const AT_ONCE = 6;

/** Each further one is a twentieth of a second. */
const casts = shareFor(
  "trino",
  CAST_QUERIES.filter((_, index) => QUERIES > 40 || index % 4 === 0),
);
const numbers = shareFor("trino", besideDoubles(1));
const constructs = shareFor("trino", CONSTRUCT_QUESTIONS);
const functions = shareFor("trino", FUNCTION_QUESTIONS);
const originals = shareFor("trino", ORIGINAL_QUESTIONS);

describe.skipIf(!hasTrino())(hasTrino() ? "Trino" : WITHOUT_TRINO, () => {
  let postgres: OpenedSource;
  let trino: TrinoTestSchema;
  const verdicts = new Map<string, Verdict>();
  /** The expected outcome of each cast; none where PostgreSQL has no answer. */
  const castOutcomes = new Map<string, Verdict["outcome"]>();

  /** PostgreSQL's connection takes one statement after another. */
  const inOrder = oneByOne();

  async function verdictOf(sql: string): Promise<Verdict> {
    const reference = await inOrder(() => ask(sql, withoutTables, "postgres", postgres));
    const answer = await ask(sql, withoutTables, "trino", trino);
    return judgeBeside(reference, answer, { ordered: true, json: "value" });
  }

  beforeAll(async () => {
    [postgres, trino] = await Promise.all([openPostgres(), openTrinoTpch()]);
    await inTurns(AT_ONCE, ANALYST_QUERIES, async ({ id, sql, ordered, expected }) => {
      const answer = await ask(sql, tpch, "trino", trino);
      verdicts.set(id, "outcome" in answer ? answer : judgeRows(answer, expected, ordered));
    });
    await inTurns(AT_ONCE, [...constructs, ...functions], async ({ name, sql }) => {
      verdicts.set(name, await verdictOf(sql));
    });
    await inTurns(AT_ONCE, [...numbers.map(({ sql }) => sql), ...CLOCKS], async (sql) => {
      verdicts.set(sql, await verdictOf(sql));
    });
    await inTurns(AT_ONCE, casts, async ({ cast, sql }) => {
      const reference = await inOrder(() => ask(sql, withoutTables, "postgres", postgres));
      castOutcomes.set(sql, castOutcome(cast, REFUSED_BY_TRINO, reference));
      const answer = "outcome" in reference ? reference : await ask(sql, withoutTables, "trino", trino);
      verdicts.set(sql, castVerdict(reference, answer));
    });
  });
  afterAll(() => Promise.all([postgres.close(), trino.close()]));

  function expectListed(name: string): void {
    const what = whatIsRefusedOn("trino", name);
    const refused = { outcome: "refused", detail: `UNSUPPORTED_ON_SOURCE: not supported on Trino: ${what}` };
    expect(verdicts.get(name)).toEqual(what === undefined ? { outcome: "right" } : refused);
  }

  // Recursion of more steps than the server allows is its error.
  const tooDeep: readonly string[] = ["Q25"];
  test.each(ANALYST_QUERIES)("$id $title", ({ id }) => {
    if (!tooDeep.includes(id)) expectListed(id);
    else
      expect(verdicts.get(id)).toMatchObject({
        outcome: "engine error",
        detail: expect.stringMatching(/^Recursion depth limit exceeded/),
      });
  });
  test.each(titled(constructs))("construct %s", (name) => expectListed(name));
  test.each(titled(functions))("%s", (name) => expectListed(name));
  test.each(numbers)("beside doubles: $sql", ({ sql }) => {
    expect(verdicts.get(sql)).toEqual({ outcome: "right" });
  });
  test.each(CLOCKS)("clocks: %s", (sql) => expect(verdicts.get(sql)).toEqual({ outcome: "right" }));
  test.each(casts)("cast $sql", ({ sql }) => {
    expect(verdicts.get(sql)).toMatchObject({ outcome: castOutcomes.get(sql) });
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
    expect(await ask(sql, withoutTables, "trino", trino)).toMatchObject({ outcome: "engine error" });
  });

  test("statements of PostgreSQL as they are written are answered alike, or not at all", {
    timeout: 300_000,
  }, async () => {
    const faults: string[] = [];
    let right = 0;
    await inTurns(AT_ONCE, originals, async ({ sql }) => {
      const answer = await ask(sql, withoutTables, "trino", trino);
      if ("outcome" in answer) return;
      const original = await inOrder(() => askAsWritten(sql, postgres));
      const verdict = "outcome" in original ? original : judgeAgainst(original, answer);
      if (verdict.outcome === "right") right++;
      else faults.push(`${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
    });
    expect(faults.join("\n")).toBe("");
    expect(right).toBeGreaterThan(SHARE === 1 ? 150 : 0);
  });

  test("the session is in UTC", async () => {
    const statement = { sql: "SELECT current_timezone()", columns: [], session: [], reads: [] };
    const options = { signal: new AbortController().signal, timeoutMs: 30_000 };
    const { rows } = await readCells(await trino.connector.query(statement, options));
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
  // A key in an array that has elements raises by a cast of the type's name.
  const RAISED = /A text cannot be read|keys are not searched in a JSON array/;

  test(`random statements of ${SUBJECTS.length} subjects`, { timeout: 60_000 + QUERIES * 4_000 }, async () => {
    const faults: string[] = [];
    const seeds = Array.from({ length: Math.ceil(QUERIES / 5) }, (_, index) => FIRST + index);
    let right = 0;
    await inTurns(
      AT_ONCE,
      SUBJECTS.flatMap((subject) => seeds.map((seed) => [subject, seed] as const)),
      async ([subject, seed]) => {
        const { sql, ordered } = randomStatement(subject, seed);
        const answer = await ask(sql, withoutTables, "trino", trino);
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

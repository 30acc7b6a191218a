/**
 * Athena and Canner, read back on Trino: what each is sent gives PostgreSQL's rows there, in sessions whose time zone is not UTC.
 * Neither service is here, so nothing is said of what it would answer. Athena's statements go through its whole connector, over the
 * FAKE of its API (`test/connectors/athena/over-trino.ts`), Canner's through Trino's. `TRINO_MEMBERS=all` asks what is said as on
 * Trino as well, which Trino's own suite asks.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAthenaConnection } from "../../src/connectors/connection/athena.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { openAthena } from "../../src/connectors/http/athena.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { type FakeAthena, KEYS, startAthenaOverTrino } from "../connectors/athena/over-trino.ts";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { CLOCKS } from "../parity/clocks.ts";
import { ask, judgeAgainst, judgeBeside, judgeRows, type Verdict } from "../parity/judge.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS } from "../parity/questions.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { SHARE, shareFor } from "../support/share.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";
import { openTrinoTpch, type TrinoTestSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import { inTurns } from "./turns.ts";

const ELSEWHERE = "America/Los_Angeles";
const AT_ONCE = 6;
const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const tpch = manifestOf(plainManifest("trino"));

const STATEMENTS = shareFor(
  "trino",
  [...CONSTRUCT_QUESTIONS, ...FUNCTION_QUESTIONS].map(({ sql }) => sql),
);
// A query that Trino has no rows for is always one of them.
const ANALYSTS = ANALYST_QUERIES.filter(({ id }, index) => id === "Q25" || index % SHARE === 0);

const saidOn = (source: DataSource, sql: string): string | undefined => {
  try {
    return planned(sql, withoutTables, { source }).sql;
  } catch {
    return undefined;
  }
};

function ownOf(source: DataSource): readonly string[] {
  if (process.env["TRINO_MEMBERS"] === "all") return STATEMENTS;
  return STATEMENTS.filter(
    (sql) => /\b(date|time|now|current|local)/i.test(sql) || saidOn(source, sql) !== saidOn("trino", sql),
  );
}

/** Constructs that they reject and Trino does not. */
const OWN_REFUSALS = /^UNSUPPORTED_ON_SOURCE: not supported on \w+: (an array|a row|a map) as a column$/;

async function athenaOver(fake: FakeAthena, schema: string): Promise<Connector> {
  const origin = "https://athena.eu-west-1.amazonaws.com";
  const { info } = parseAthenaConnection({
    s3_staging_dir: "s3://bucket/q/",
    region_name: "eu-west-1",
    catalog_name: "memory",
    schema_name: schema,
    aws_access_key_id: KEYS.id,
    aws_secret_access_key: KEYS.secret,
  });
  const fetchHere: typeof fetch = (input, init) => fetch(String(input).replace(origin, fake.url), init);
  return openAthena(info, { fetch: fetchHere, connectTimeoutMs: 10_000 }, { signal: new AbortController().signal });
}

describe.skipIf(!hasTrino())(hasTrino() ? "read back on Trino" : WITHOUT_TRINO, () => {
  let postgres: OpenedSource;
  let trino: TrinoTestSchema;
  let fake: FakeAthena;
  const members = new Map<DataSource, OpenedSource>();

  beforeAll(async () => {
    [postgres, trino] = await Promise.all([openPostgres(), openTrinoTpch()]);
    fake = await startAthenaOverTrino(trino.url, ELSEWHERE);
    const connectors = [
      ["athena", await athenaOver(fake, trino.name)],
      ["canner", await trino.connectWith({ timeZone: ELSEWHERE })],
    ] as const;
    for (const [source, connector] of connectors)
      members.set(source, { connector, variant: undefined, close: () => connector.close() });
  });
  afterAll(async () => {
    for (const { close } of members.values()) await close();
    await fake?.close();
    await Promise.all([postgres?.close(), trino?.close()]);
  });

  describe.each(["athena", "canner"] as const)("%s", (source) => {
    const member = (): OpenedSource => members.get(source) ?? expect.unreachable();

    test("analyst queries", async () => {
      const verdicts = new Map<string, Verdict>();
      await inTurns(AT_ONCE, ANALYSTS, async ({ id, sql, ordered, expected }) => {
        const answer = await ask(sql, tpch, source, member());
        verdicts.set(id, "outcome" in answer ? answer : judgeRows(answer, expected, ordered));
      });
      const faults = [...verdicts].filter(([, { outcome }]) => outcome !== "right");
      // Recursion of more steps than the server allows is its error.
      expect(faults).toEqual([
        ["Q25", { outcome: "engine error", detail: expect.stringMatching(/Recursion depth limit exceeded/) }],
      ]);
    });

    test("constructs and functions", { timeout: 240_000 }, async () => {
      const faults: string[] = [];
      let right = 0;
      let reference: Promise<unknown> = Promise.resolve();
      await inTurns(AT_ONCE, ownOf(source), async (sql) => {
        const answer = await ask(sql, withoutTables, source, member());
        if ("outcome" in answer && answer.outcome === "refused") {
          if (saidOn("trino", sql) !== undefined && !OWN_REFUSALS.test(answer.detail))
            faults.push(`${answer.detail}\n  ${sql}`);
          return;
        }
        const asked = reference.then(() => ask(sql, withoutTables, "postgres", postgres));
        reference = asked;
        const expected = await asked;
        if ("outcome" in expected) {
          if (!("outcome" in answer)) faults.push(`answered: ${expected.detail}\n  ${sql}`);
          return;
        }
        const verdict = "outcome" in answer ? answer : judgeAgainst(expected, answer, { ordered: true, json: "value" });
        if (verdict.outcome === "right") right++;
        else faults.push(`${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
      });
      expect(faults.join("\n")).toBe("");
      expect(right).toBeGreaterThan(SHARE === 1 ? 40 : 0);
    });

    test.each(CLOCKS)("clocks: %s", async (sql) => {
      const reference = await ask(sql, withoutTables, "postgres", postgres);
      expect(judgeBeside(reference, await ask(sql, withoutTables, source, member()))).toEqual({ outcome: "right" });
    });

    test("sessions are in another zone, and no statement shows it", async () => {
      const sql =
        "SELECT CAST(t AS timestamptz) = TIMESTAMP WITH TIME ZONE '2024-07-01 00:00:00+00' AS a, t = CAST(t AS timestamptz) AS b, CAST(CAST(t AS timestamptz) AS timestamp) = t AS c FROM (VALUES (TIMESTAMP '2024-07-01 00:00:00')) AS v(t)";
      expect(await ask(sql, withoutTables, source, member())).toMatchObject({ rows: [[true, true, true]] });
      // Plans for Trino depend on its connector's session.
      const trinos = { ...member(), connector: await trino.connectWith({ timeZone: ELSEWHERE }) };
      expect(await ask(sql, withoutTables, "trino", trinos)).toMatchObject({ rows: [[false, true, false]] });
      await trinos.connector.close();
    });
  });
});

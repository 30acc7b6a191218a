/**
 * What is planned for Doris and said in words that MySQL has too, asked of MySQL, which is *not* Doris: it gives PostgreSQL's rows.
 * What MySQL cannot read is none of that common part. It has no place for NULLS FIRST and LAST, so these are left out where they decide
 * neither which rows there are nor what is computed, and the order of rows is not judged then.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { CONSTRUCTS } from "../../parity/constructs.ts";
import { FUNCTION_QUERIES } from "../../parity/functions.ts";
import { ask, judgeAgainst, judgeRows, type Verdict } from "../../parity/judge.ts";
import { plainManifest } from "../../support/analyst.ts";
import { hasMySql, withoutMySql } from "../../support/mysql-server.ts";
import { manifestOf } from "../../support/plan.ts";
import { type OpenedSource, openMySqlTpch, openPostgres } from "../../support/sources.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
// The tables have no schema there.
const tpch = manifestOf(plainManifest("mysql"));

/** Of the session that a plan for Doris asks for, what MySQL has. */
const SESSION = [
  { name: "time_zone", value: "+00:00" },
  { name: "sql_mode", value: "ONLY_FULL_GROUP_BY" },
];

/** How MySQL says that it has no such thing: syntax, a function, a length. */
const BEYOND = /^(You have an error in your SQL syntax|FUNCTION \S+ does not exist|Too-big precision 76)/;

const OTHERWISE: Readonly<Record<string, string>> = {
  Q17: "what stands behind GROUP_CONCAT's first value is a second one to MySQL, and the separator to Doris",
  "SELECT 'a' = 'A' AS a, 'a' = 'a ' AS b, 'a' < 'b' AS c, '' = '' AS d":
    "utf8mb4_bin pads with blanks, Doris does not",
};

const NULLS = / NULLS (?:FIRST|LAST)\b/g;

/** As MySQL reads it; the same text where NULLS decides more than an order. */
const forMySql = (sql: string): string => (/ LIMIT | OVER |\bROW_NUMBER\b/.test(sql) ? sql : sql.replace(NULLS, ""));

const expectListed = (others: readonly (readonly [string, Verdict])[]): void =>
  expect(others.filter(([name, { outcome }]) => outcome !== "wrong" || !Object.hasOwn(OTHERWISE, name))).toEqual([]);

describe.skipIf(!hasMySql("mysql"))(hasMySql("mysql") ? "MySQL" : withoutMySql("mysql"), () => {
  let mysql: OpenedSource;
  let postgres: OpenedSource;
  beforeAll(async () => {
    [mysql, postgres] = await Promise.all([openMySqlTpch("mysql"), openPostgres()]);
  });
  afterAll(() => Promise.all([mysql?.close(), postgres?.close()]));

  /** Undefined where it is refused, or none of the common part. */
  async function answerOf(sql: string, manifest: Manifest): Promise<Awaited<ReturnType<typeof ask>> | undefined> {
    const connector: Pick<Connector, "query"> = {
      query: (statement, options) =>
        mysql.connector.query({ ...statement, sql: forMySql(statement.sql), session: SESSION }, options),
    };
    const answer = await ask(sql, manifest, "doris", { ...mysql, connector: { ...mysql.connector, ...connector } });
    if ("outcome" in answer && (answer.outcome === "refused" || BEYOND.test(answer.detail))) return undefined;
    return answer;
  }

  test("analyst queries", { timeout: 120_000 }, async () => {
    const verdicts = new Map<string, Verdict>();
    for (const { id, sql, expected } of ANALYST_QUERIES) {
      const answer = await answerOf(sql, tpch);
      if (answer !== undefined) verdicts.set(id, "outcome" in answer ? answer : judgeRows(answer, expected, false));
    }
    expectListed([...verdicts].filter(([, { outcome }]) => outcome !== "right"));
    expect(verdicts.size).toBeGreaterThan(20);
  });

  test("constructs and functions", { timeout: 120_000 }, async () => {
    const others: [string, Verdict][] = [];
    let right = 0;
    for (const sql of [...CONSTRUCTS.flatMap(({ queries }) => queries), ...FUNCTION_QUERIES]) {
      const answer = await answerOf(sql, withoutTables);
      if (answer === undefined) continue;
      const reference = await ask(sql, withoutTables, "postgres", postgres);
      if ("outcome" in reference) continue;
      const verdict = "outcome" in answer ? answer : judgeAgainst(reference, answer, { ordered: false, json: "value" });
      if (verdict.outcome === "right") right++;
      else others.push([sql, verdict]);
    }
    expectListed(others);
    expect(right).toBeGreaterThan(100);
  });
});

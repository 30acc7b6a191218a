/** The same cases with the same answers, planned for MySQL and MariaDB and run on both, or refused as their lists say. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statementOf } from "../../src/planner/plan.ts";
import { refusedBy } from "../parity/refused/mysql.ts";
import { readCells } from "../support/canonical-cells.ts";
import { type MySqlTestDatabase, startMySql } from "../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { type OpenedSource, openMySqlDatabase } from "../support/sources.ts";
import { type Engine, FIXTURES, planOf, problemWith, QUERY_CASES, type Spelling, spelled } from "./cases.ts";

const FIXTURE_SPELLINGS: readonly Spelling[] = [
  ["a list's type", /\bVARCHAR\[\]/g, "JSON"],
  ["a list of texts", /(?<=,)\[([^\]]*)\]/g, "JSON_ARRAY($1)"],
  ["texts of any length", /\bVARCHAR\b/g, "VARCHAR(255)"],
  ["a timestamp", /\bTIMESTAMP\b/g, "DATETIME(6)"],
  ["an instant", /\bTIMESTAMPTZ\b/g, "TIMESTAMP(6)"],
  ["an instant's zone", /\+00'/g, "'"],
  ["the session's zone", /SET TimeZone='UTC'/g, "SET time_zone = '+00:00'"],
];

/** `||` is OR in the modeller's SQL. */
const MANIFEST_SPELLINGS: readonly Spelling[] = [
  ["joined texts", /"c_name \|\| ' \(' \|\| c_mktsegment \|\| '\)'"/g, `"concat(c_name, ' (', c_mktsegment, ')')"`],
];

const ROW_CASES = QUERY_CASES.filter(({ expected }) => expected.type === "rows");

test.each(FIXTURE_SPELLINGS)("the fixtures hold %s", (_what, written) => expect(FIXTURES).toMatch(written));

describe.each(MYSQL_FLAVORS)("%s", (flavor) => {
  if (!hasMySql(flavor)) {
    test.skip(withoutMySql(flavor), () => {});
    return;
  }

  const refused = new Set(refusedBy(flavor).acceptance);
  let database: MySqlTestDatabase;
  let opened: OpenedSource;
  /** Number of statements that ran. */
  let answers = 0;

  const engine = (): Engine => ({
    source: "mysql",
    scaleOfValues: true,
    spellings: MANIFEST_SPELLINGS,
    textOrder: "code points",
    variant: opened.variant,
    run: async (plan) => {
      const options = { signal: new AbortController().signal, timeoutMs: 30_000 };
      const { rows } = await readCells(await opened.connector.query(statementOf(plan), options));
      answers++;
      return rows;
    },
  });

  beforeAll(async () => {
    // The manifests say `main`: a database's name there, so that the server is this file's own.
    database = await startMySql(flavor, { options: [] });
    await database.query("SET sql_mode = 'ANSI_QUOTES'; CREATE DATABASE main; USE main");
    await database.query(spelled(FIXTURES, FIXTURE_SPELLINGS));
    opened = await openMySqlDatabase({ ...database, url: database.url.replace(database.database, "main") });
  });

  afterAll(async () => {
    await opened?.close();
    await database?.stop();
  });

  describe.each([...new Set(QUERY_CASES.map(({ topic }) => topic))])("%s", (topic) => {
    test.each(QUERY_CASES.filter((each) => each.topic === topic))("$id $title", async (each) => {
      const before = answers;
      if (refused.has(each.id)) {
        expect(() => planOf(each, engine())).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" }));
        return;
      }
      expect(await problemWith(each, engine())).toBeUndefined();
      if (each.expected.type === "rows") expect(answers).toBe(before + 1);
    });
  });

  test("of a hundred cases that have rows, ninety-five and more are answered", () => {
    const answered = ROW_CASES.filter(({ id }) => !refused.has(id));
    expect(answered.length / ROW_CASES.length).toBeGreaterThanOrEqual(0.95);
  });
});

/** Enum columns of PostgreSQL failed in most functions of texts, and came in the enum's order, though metadata called them VARCHAR. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { manifestOfTable, planned } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";

const MANIFEST = manifestOfTable({ id: "INTEGER", status: "ENUM", felt: "ENUM" });

const STATEMENTS: readonly (readonly [sql: string, rows: readonly (readonly unknown[])[]])[] = [
  ["SELECT upper(status) FROM t ORDER BY id", [["NEW"], ["PAID"], ["ABORTED"], [null]]],
  ["SELECT id FROM t WHERE status LIKE 'p%'", [[2]]],
  ["SELECT id FROM t WHERE status = 'paid'", [[2]]],
  ["SELECT id FROM t WHERE status = 'no such label'", []],
  ["SELECT id FROM t WHERE status IN ('new', 'other') ORDER BY id", [[1]]],
  ["SELECT coalesce(status, 'none') FROM t ORDER BY id", [["new"], ["paid"], ["aborted"], ["none"]]],
  ["SELECT CASE WHEN id = 1 THEN status ELSE 'rest' END FROM t WHERE id < 3 ORDER BY id", [["new"], ["rest"]]],
  ["SELECT status FROM t WHERE id = 1 UNION SELECT 'x' ORDER BY 1", [["new"], ["x"]]],
  ["SELECT status || '!' FROM t WHERE id = 1", [["new!"]]],
  ["SELECT min(status), max(status) FROM t", [["aborted", "paid"]]],
  ["SELECT status FROM t WHERE status IS NOT NULL ORDER BY status", [["aborted"], ["new"], ["paid"]]],
  ["SELECT length(felt), felt = status FROM t WHERE id = 1", [[3, true]]],
];

describe("an enum column", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startPostgres();
    const client = await database.connect();
    await client.query(`CREATE TYPE stage AS ENUM ('new', 'paid', 'aborted'); CREATE DOMAIN felt AS stage;
      CREATE TABLE t (id int, status stage, felt felt);
      INSERT INTO t VALUES (1, 'new', 'new'), (2, 'paid', 'new'), (3, 'aborted', 'new'), (4, NULL, NULL)`);
  });
  afterAll(() => database.stop());

  it.each(STATEMENTS)("is a text: %s", async (sql, expected) => {
    const client = await database.connect();
    const answer = await client
      .query({ text: planned(sql, MANIFEST, { source: "postgres" }).sql, rowMode: "array" })
      .then(({ rows }) => rows, String);
    await client.end();
    expect(answer).toEqual(expected);
  });
});

/** Metadata calls Enum8 a text and a DateTime of a zone a timestamp; the types' own names were refused or left as they are. */
describe("ClickHouse's own types", () => {
  const types = {
    e: "Enum8('a' = 1)",
    b: "DateTime('Europe/Berlin')",
    f: "FixedString(8)",
    ip: "IPv4",
    u: "DateTime('UTC')",
  };
  const own = manifestOfTable(types);
  const reported = manifestOfTable({ e: "ENUM", b: "TIMESTAMPTZ", f: "CHAR", ip: "INET", u: "TIMESTAMPTZ" });
  const sqlOf = (sql: string, manifest: typeof own): string => {
    try {
      return planned(sql, manifest, { source: "clickhouse" }).sql;
    } catch (error) {
      return String(error);
    }
  };

  test.each([
    [
      "SELECT upper(e), length(f), ip FROM t",
      ['toString("_s"."e")', 'toStringCutToZero("_s"."f")', 'toString("_s"."ip")'],
    ],
    ["SELECT extract(hour FROM b), date_trunc('month', b), b::date FROM t", ['toTimeZone("_s"."b", \'UTC\')']],
  ])("are converted where they are read, by either name: %s", (sql, parts) => {
    for (const part of parts) expect(sqlOf(sql, own)).toContain(part);
    expect(sqlOf(sql, reported)).toBe(sqlOf(sql, own));
  });

  test("a DateTime that names UTC is read as it is", () => {
    expect(sqlOf("SELECT u FROM t", own)).toBe('SELECT "t"."u" FROM "t" AS "t"');
  });
});

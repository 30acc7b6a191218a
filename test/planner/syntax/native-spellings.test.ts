/**
 * Names of the input language in the modeller's own text (docs/decisions/0023-native-sql.md): run on both engines, and left alone
 * otherwise.
 */
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DUCKDB_FLAVOUR } from "../../../src/planner/dialects/duckdb/native.ts";
import { POSTGRES_FLAVOUR } from "../../../src/planner/dialects/postgres/native.ts";
import { lexNativeExpression } from "../../../src/planner/syntax/native.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";

const onPostgres = (text: string): string => lexNativeExpression(text, POSTGRES_FLAVOUR).text;
const onDuckdb = (text: string): string => lexNativeExpression(text, DUCKDB_FLAVOUR).text;

describe("PostgreSQL", () => {
  it.each([
    ["cast(x as double)", "cast(x as double precision)"],
    ["CAST(x AS DOUBLE PRECISION)", "CAST(x AS DOUBLE PRECISION)"],
    ["cast(x as /* what */ string)", "cast(x as   text)"],
    ["x::double / y::Double", "x::double precision / y::double precision"],
    ["cast(cast(x as string) as datetime)", "cast(cast(x as text) as timestamp)"],
    ["x::tinyint", "x::smallint"],
    ["x::number(10, 2)", "x::numeric(10, 2)"],
    ["nvl(x, ifnull(y, 0))", "coalesce(x, coalesce(y, 0))"],
    ["instr(x, ',')", "strpos(x, ',')"],
    ["instr(f(x, y), ',')", "strpos(f(x, y), ',')"],
  ])("%s becomes %s", (text, expected) => {
    expect(onPostgres(text)).toBe(expected);
  });

  it.each([
    "order_id / 2",
    "string || double",
    '"nvl"(x, 0)',
    "oracle.nvl(x, 0)",
    "instr(x, ',', 1, 2)",
    "'cast(x as double)'",
    "x AS double",
    "f(x as double)",
    "row(double, string)",
    "x::text",
    "nvl",
    "(x).double",
    'cast(x as "double")',
    "x::app.double",
  ])("%s stays as it is", (text) => {
    expect(onPostgres(text)).toBe(text);
  });
});

describe("DuckDB", () => {
  it.each([
    ["x::double", "x::double"],
    ["nvl(x::bytes, y)", "coalesce(x::blob, y)"],
    ["ifnull(x, 0)", "ifnull(x, 0)"],
  ])("%s becomes %s", (text, expected) => {
    expect(onDuckdb(text)).toBe(expected);
  });
});

/** A name that the engine understands must not be in its table, and what stands in its place must be understood. */
describe("the tables", () => {
  let database: TestDatabase;
  let understoodByPostgres: (sql: string) => Promise<boolean>;
  let understoodByDuckdb: (sql: string) => Promise<boolean>;

  beforeAll(async () => {
    database = await startPostgres();
    const client = await database.connect();
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const understood = (run: (sql: string) => Promise<unknown>) => (sql: string) =>
      run(sql).then(
        () => true,
        () => false,
      );
    understoodByPostgres = understood((sql) => client.query(sql));
    understoodByDuckdb = understood((sql) => connection.run(sql));
  });
  afterAll(() => database.stop());

  /** A call that the canonical function takes. */
  const CALLS: Readonly<Record<string, string>> = {
    coalesce: "(1, 2)",
    strpos: "('a', 'b')",
    length: "('a')",
    upper: "('a')",
    lower: "('a')",
    substr: "('abc', 2)",
    starts_with: "('ab', 'a')",
    trunc: "(1.5)",
    random: "()",
    trim: "('a')",
  };

  it.each([
    ["PostgreSQL", POSTGRES_FLAVOUR, (sql: string) => understoodByPostgres(sql)],
    ["DuckDB", DUCKDB_FLAVOUR, (sql: string) => understoodByDuckdb(sql)],
  ] as const)("of %s", async (_engine, { spellings }, understood) => {
    for (const [name, own] of Object.entries(spellings.types)) {
      expect([name, await understood(`SELECT CAST(NULL AS ${name})`)]).toEqual([name, false]);
      expect([own, await understood(`SELECT CAST(NULL AS ${own})`)]).toEqual([own, true]);
    }
    for (const [name, { as }] of Object.entries(spellings.functions)) {
      expect([name, await understood(`SELECT ${name}${CALLS[as]}`)]).toEqual([name, false]);
      expect([as, await understood(`SELECT ${as}${CALLS[as]}`)]).toEqual([as, true]);
    }
  });
});

/**
 * EXTRACT, every field over every type, columns and values at the edges: what PostgreSQL refuses for each row is refused while
 * planning, and what is answered is the same on both engines. `date_part` and `hour(…)` take a date for its midnight.
 */
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { startPostgres } from "../support/postgres.ts";

const FIELDS = (
  "century day decade dow doy epoch hour isodow isoyear julian microseconds millennium milliseconds minute month quarter " +
  "second timezone timezone_hour timezone_minute week year"
).split(" ");

const VALUES: Readonly<Record<string, readonly string[]>> = {
  date: ["2024-12-30", "1999-01-03", "0001-01-01", "2000-02-29", "9999-12-31"],
  timestamp: ["2024-12-30 23:59:59.999999", "1969-12-31 23:59:58.5", "0001-01-01 00:00:00"],
  timestamptz: ["2024-12-30 23:59:59.5+00", "1969-12-31 23:59:58.5+00"],
  time: ["00:00:00", "23:59:59.25"],
  timetz: ["23:59:59.25+00"],
  interval: ["1 year 2 months 3 days 04:05:06.75", "-1 day -00:00:01.5", "400 days"],
};
const TYPES = Object.keys(VALUES);

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: TYPES.map((type) => ({
    name: `m_${type}`,
    tableReference: { table: `t_${type}` },
    columns: [
      { name: "n", type: "INTEGER" },
      { name: "v", type },
    ],
  })),
});

type Run = (sql: string) => Promise<readonly (readonly unknown[])[]>;

async function fill(run: Run): Promise<void> {
  for (const [type, values] of Object.entries(VALUES)) {
    await run(`CREATE TABLE t_${type} (n integer, v ${type})`);
    await run(`INSERT INTO t_${type} VALUES ${values.map((value, n) => `(${n}, '${value}')`).join(", ")}`);
  }
}

/** PostgreSQL 18 answers these, and 14 to 17 refuse them. */
const NEW: ReadonlySet<string> = new Set(["week of interval"]);

/** The values as numbers, or why there are none. */
async function outcome(sql: string, source: DataSource, run: Run): Promise<readonly unknown[] | string> {
  try {
    const rows = await run(planned(sql, manifest, { source }).sql);
    return rows.map(([value]) => Number(value));
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

describe("EXTRACT", () => {
  let postgres: Run;
  let duckdb: Run;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const database = await startPostgres();
    const client = await database.connect();
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    postgres = async (sql) => (await client.query({ text: sql, rowMode: "array" })).rows as unknown[][];
    duckdb = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][];
    stop = async () => {
      connection.closeSync();
      instance.closeSync();
      await database.stop();
    };
    await client.query("SET TimeZone = 'UTC'");
    await connection.run("SET TimeZone = 'UTC'");
    await fill(postgres);
    await fill(duckdb);
  });

  afterAll(() => stop?.());

  const ownAnswer = (expression: string, field: string, type: string): Promise<readonly number[] | string> =>
    postgres(`SELECT ${expression} FROM t_${type} ORDER BY n`).then(
      (rows) => (NEW.has(`${field} of ${type}`) ? "TYPE_MISMATCH" : rows.map(([value]) => Number(value))),
      () => "TYPE_MISMATCH",
    );

  describe.each(TYPES)("of %s", (type) => {
    test.each(FIELDS)("%s", async (field) => {
      const sql = `SELECT extract(${field} FROM v) FROM m_${type} ORDER BY n`;
      const own = await ownAnswer(`extract(${field} FROM v)`, field, type);
      expect(await outcome(sql, "postgres", postgres)).toEqual(own);
      const other = await outcome(sql, "duckdb", duckdb);
      if (other !== "UNSUPPORTED_ON_SOURCE") expect(other).toEqual(own);
    });

    test.each(FIELDS)("date_part, %s", async (field) => {
      const sql = `SELECT date_part('${field}', v) FROM m_${type} ORDER BY n`;
      const own = await ownAnswer(`date_part('${field}', v)`, field, type);
      expect(await outcome(sql, "postgres", postgres)).toEqual(own);
      const other = await outcome(sql, "duckdb", duckdb);
      if (other !== "UNSUPPORTED_ON_SOURCE") expect(other).toEqual(own);
    });
  });

  test.each([
    ["hour(v)", "date", 0],
    ["minute(v)", "date", 0],
    ["second(v)", "date", 0],
    ["hour(v)", "timestamp", 23],
    ["extract(hour FROM CAST(v AS timestamp))", "date", 0],
  ])("%s of a %s is %s", async (expression, type, value) => {
    const sql = `SELECT ${expression} FROM m_${type} WHERE n = 0`;
    expect(await outcome(sql, "postgres", postgres)).toEqual([value]);
    expect(await outcome(sql, "duckdb", duckdb)).toEqual([value]);
  });

  test("what is refused says what there is", () => {
    expect(() => planned("SELECT extract(hour FROM v) FROM m_date", manifest)).toThrow(
      expect.objectContaining({
        message: "a value of type date has no hour",
        hint: expect.stringMatching(/It has century, day, .* CAST\(… AS timestamp\) is its midnight/),
      }),
    );
  });
});

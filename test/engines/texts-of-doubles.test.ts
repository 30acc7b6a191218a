/**
 * Doubles as texts on real engines: PostgreSQL's text to the letter, or an error that names the value. The table has the numbers
 * around which an engine changes its notation, subnormal ones, and decimals halfway between two doubles.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
import { ask } from "../parity/judge.ts";
import { makeWith } from "../sidecar/duckdb/fixtures.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf, manifestOfTable, planned } from "../support/plan.ts";
import { startPostgres } from "../support/postgres.ts";
import { type OpenedSource, openClickHouseWith, openDuckDbFiles, openMySqlWith } from "../support/sources.ts";
import { openSparkTables } from "../support/spark.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

const LARGEST = 1.7976931348623157e308;

/** The next double above or below a positive one. */
function neighbour(value: number, step: 1n | -1n): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + step);
  return view.getFloat64(0);
}

const POWERS = [-320, -308, -100, ...Array.from({ length: 46 }, (_, index) => index - 22), 100, 307, 308];

/** Decimals halfway between two doubles, for which PostgreSQL writes more digits. */
const HALFWAY = [5e22, 1e23, 2e23, 3.86079e20, 448249e15, 8.45e21, 1.234567890123456e19];

const POSITIVE = [
  ...POWERS.flatMap((power) =>
    ["1", "1.5", "1.2345678901234567", "9.999999999999999", "9.5"].map((digits) => Number(`${digits}e${power}`)),
  ),
  ...POWERS.filter((power) => power > -300 && power < 300).flatMap((power) => {
    const value = Number(`1e${power}`);
    return [neighbour(value, 1n), neighbour(value, -1n)];
  }),
  ...Array.from({ length: 40 }, (_, index) => 2 ** (index * 5 - 60)),
  ...[5e-324, 1e-323, 4.4e-323, LARGEST, 2.2250738585072014e-308, 2.225073858507201e-308],
  ...[0.5, 1.5, 2.5, 0.125, 1 / 3, 2 / 3, 0.1 + 0.2, 4.35, 100, 123456.789, 999999999999999.9, 123456789012345.67],
  ...[2 ** 53, 2 ** 53 + 2, 2 ** 54, 2 ** 63, 123456789012345680],
  ...["0.1", "3.4028235e38", "1.17549435e-38", "16777217", "123456.7"].map((digits) => Math.fround(Number(digits))),
  // MySQL's text has a seventeenth digit too few, and the sixteenth is zero.
  ...[1.2702926122619002e-262, 1.2580368690619401e-234],
  ...HALFWAY,
].filter((value) => value > 0 && value <= LARGEST);

const VALUES = [...new Set([...POSITIVE, ...POSITIVE.filter((_, index) => index % 3 === 0).map((value) => -value)])];

/** Numbers with an exponent, which every engine reads as doubles. */
const LITERALS: readonly string[] = ["0e0", ...VALUES.map((value) => value.toExponential().replace("+", ""))];
const rowsOf = (write: (literal: string) => string): string =>
  LITERALS.map((literal, index) => `(${index}, ${write(literal)})`).join(", ");

const QUERY = "SELECT id, CAST(v AS text) AS a, '<' || v || '>' AS b, concat(v, ';') AS c FROM n WHERE id = ";
const EVERY = `${QUERY.replace("WHERE id = ", "")} ORDER BY id`;

const manifestOver = (schema?: string, table = "numbers") =>
  manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "n",
        tableReference: { ...(schema && { schema }), table },
        primaryKey: "id",
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "v", type: "DOUBLE" },
        ],
      },
    ],
  });

let expected: readonly string[] = [];

beforeAll(async () => {
  const database = await startPostgres();
  const client = await database.connect();
  const { rows } = await client.query<{ readonly t: string }>(
    `SELECT v::float8::text AS t FROM (VALUES ${rowsOf((literal) => `'${literal}'::float8`)}) AS n(id, v) ORDER BY id`,
  );
  expected = rows.map(({ t }) => t);
  await database.stop();
});

interface Engine {
  readonly name: string;
  readonly source: DataSource;
  readonly schema?: string;
  readonly table?: string;
  readonly isThere: boolean;
  readonly without: string;
  /** Whether PostgreSQL's text of a value may be refused. */
  readonly mayRefuse: (value: number, text: string) => boolean;
  readonly open: () => Promise<OpenedSource>;
}

const digitsOf = (text: string): string => text.replace(/e.*|[-.]/g, "").replace(/^0+|0+$/g, "");

/** JavaScript writes the shortest decimal, even if it is halfway between two doubles. */
const isHalfway = (value: number, text: string): boolean => digitsOf(text) !== digitsOf(value.toExponential());

/** A text of MySQL's has too few characters for all digits of these. */
const isUnsureOnMySql = (value: number, text: string): boolean =>
  isHalfway(value, text) || (Math.abs(value) < 1e-99 && digitsOf(text).length > 15);

/** Doubles whose digits Java does not always choose as PostgreSQL does. */
const isUnsureInJava = (value: number, text: string): boolean => {
  const size = Math.abs(value);
  const isLong = digitsOf(text).length > 14 && (size < 1e-5 || size >= 1e15);
  return isLong || isHalfway(value, text) || (size > 0 && size < 2.2250738585072014e-308);
};

const ENGINES: readonly Engine[] = [
  {
    name: "DuckDB",
    source: "local_file",
    isThere: true,
    without: "",
    table: "numbers.parquet",
    mayRefuse: () => false,
    open: async () => {
      const root = mkdtempSync(join(tmpdir(), "siskin-doubles-"));
      await makeWith([
        `COPY (SELECT * FROM (VALUES ${rowsOf((literal) => `${literal}::DOUBLE`)}) AS n(id, v)) TO '${root}/numbers.parquet' (FORMAT parquet)`,
      ]);
      const opened = await openDuckDbFiles(root);
      return { ...opened, close: () => opened.close().finally(() => rmSync(root, { recursive: true })) };
    },
  },
  ...MYSQL_FLAVORS.map(
    (flavor): Engine => ({
      name: flavor,
      source: "mysql",
      isThere: hasMySql(flavor),
      without: withoutMySql(flavor),
      mayRefuse: isUnsureOnMySql,
      open: () =>
        openMySqlWith(flavor, async (run) => {
          await run("CREATE TABLE numbers (id INT PRIMARY KEY, v DOUBLE)");
          await run(`INSERT INTO numbers (id, v) VALUES ${rowsOf((literal) => literal)}`);
        }),
    }),
  ),
  {
    name: "ClickHouse",
    source: "clickhouse",
    isThere: hasClickHouse(),
    without: WITHOUT_CLICKHOUSE,
    mayRefuse: isHalfway,
    open: () =>
      openClickHouseWith(async ({ query }) => {
        await query("CREATE TABLE numbers (id Int32, v Nullable(Float64)) ENGINE = MergeTree ORDER BY id");
        await query(`INSERT INTO numbers (id, v) VALUES ${rowsOf((literal) => literal)}`);
      }),
  },
  {
    name: "Trino",
    source: "trino",
    isThere: hasTrino(),
    without: WITHOUT_TRINO,
    mayRefuse: isUnsureInJava,
    open: async () => {
      const schema = await openTrinoSchema();
      await schema.run("CREATE TABLE numbers (id INTEGER, v DOUBLE)");
      await schema.run(`INSERT INTO numbers (id, v) VALUES ${rowsOf((literal) => `DOUBLE '${literal}'`)}`);
      return schema;
    },
  },
  {
    name: "Spark",
    source: "spark",
    schema: "doubles",
    isThere: hasSpark(),
    without: WITHOUT_SPARK,
    mayRefuse: isUnsureInJava,
    open: async () => {
      await runOnSpark(
        "CREATE DATABASE IF NOT EXISTS doubles",
        `CREATE TABLE doubles.numbers USING parquet AS SELECT * FROM VALUES ${rowsOf((literal) => `${literal}D`)} AS n(id, v)`,
      );
      const opened = await openSparkTables("doubles", []);
      return {
        ...opened,
        close: () => runOnSpark("DROP DATABASE doubles CASCADE").finally(() => opened.close()),
      };
    },
  },
];

for (const { name, source, schema, table, isThere, without, mayRefuse, open } of ENGINES) {
  describe.skipIf(!isThere)(isThere ? name : without, () => {
    const manifest = manifestOver(schema, table);
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    test("every value has PostgreSQL's text, or an error of its own", async () => {
      const sure = LITERALS.map(Number).flatMap((value, id) => (mayRefuse(value, expected[id] ?? "") ? [] : [id]));
      const sql = EVERY.replace("FROM n", `FROM n WHERE id IN (${sure})`);
      const answer = await ask(sql, manifest, source, opened);
      const texts = sure.map((id) => expected[id]);
      expect("rows" in answer ? answer.rows : answer).toEqual(
        sure.map((id, index) => [id, texts[index], `<${texts[index]}>`, `${texts[index]};`]),
      );
    });

    test.skipIf(source === "local_file")(
      "values whose digits are not sure have PostgreSQL's text or are refused",
      async () => {
        const unsure = LITERALS.map(Number).flatMap((value, id) => (mayRefuse(value, expected[id] ?? "") ? [id] : []));
        const refused: number[] = [];
        for (const id of unsure.filter((_, index) => index < 3 || index % 15 === 0)) {
          const answer = await ask(`SELECT v::text AS a FROM n WHERE id = ${id}`, manifest, source, opened);
          if ("rows" in answer) expect(answer.rows, LITERALS[id]).toEqual([[expected[id]]]);
          else {
            expect(answer.detail, LITERALS[id]).toMatch(/not supported on|does not fit/);
            refused.push(id);
          }
        }
        expect(refused.length).toBeGreaterThan(0);
      },
    );

    test("NULL stays NULL, and texts of doubles are joined", async () => {
      const sql = "SELECT id, CAST(NULLIF(v, 1e0::float8) AS text) AS a FROM n WHERE v IN (0e0, 1e0, 2.5e0) ORDER BY v";
      const answer = await ask(sql, manifest, source, opened);
      expect("rows" in answer ? answer.rows.map(([, text]) => text) : answer).toEqual(["0", null, "2.5"]);
      const joined = "SELECT string_agg(CAST(v AS text), ',' ORDER BY v) AS every FROM n WHERE v IN (0e0, 1e0, 2.5e0)";
      const list = await ask(joined, manifest, source, opened);
      expect("rows" in list ? list.rows : list).toEqual([["0,1,2.5"]]);
    });

    test("a double that is computed has the text, too", async () => {
      const sql = "SELECT CAST(sum(v + 1e0::float8) / 4e0::float8 AS text) AS a FROM n WHERE id = 0";
      const answer = await ask(sql, manifest, source, opened);
      expect("rows" in answer ? answer.rows : answer).toEqual([["0.25"]]);
    });
  });
}

describe("a real", () => {
  test.each(["mysql", "trino", "spark"] as const)("is refused on %s", (source) => {
    const reals = manifestOfTable({ r: source === "mysql" ? "FLOAT" : "REAL" });
    const sent = () => planned("SELECT CAST(r AS text) AS a FROM t", reals, { source });
    expect(sent).toThrow("the text of a real");
  });
});

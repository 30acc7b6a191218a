/**
 * Exact numbers beside doubles on MySQL and MariaDB, which look them up by the type of a key: the rows are PostgreSQL's, also
 * beyond 2^53. Tables are long enough for their indexes to be taken.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../parity/judge.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres } from "../support/postgres.ts";
import { type OpenedSource, openMySqlWith } from "../support/sources.ts";

interface Table {
  readonly types: Readonly<Record<"mysql" | "postgres" | "manifest", string>>;
  readonly values: readonly string[];
}

const TABLES: Readonly<Record<"small" | "whole" | "exact" | "double" | "single", Table>> = {
  small: {
    types: { mysql: "INT", postgres: "INT", manifest: "INTEGER" },
    values: ["2147483647", "0", "16777217", "1", "NULL"],
  },
  whole: {
    types: { mysql: "BIGINT", postgres: "BIGINT", manifest: "BIGINT" },
    values: ["9223372036854775807", "9223372036854775806", "9007199254740993", "0", "16777217", "1", "NULL"],
  },
  exact: {
    types: { mysql: "DECIMAL(20, 1)", postgres: "DECIMAL(20, 1)", manifest: "DECIMAL(20, 1)" },
    values: [
      "9223372036854775807.0",
      "9223372036854775808.0",
      "9007199254740993.0",
      "0",
      "16777217",
      "0.1",
      "0.5",
      "NULL",
    ],
  },
  double: {
    types: { mysql: "DOUBLE", postgres: "FLOAT8", manifest: "DOUBLE" },
    values: [
      "9223372036854775807e0",
      "9007199254740992e0",
      "-0e0",
      "0e0",
      "16777216e0",
      "0.1e0",
      "0.5e0",
      "1e0",
      "NULL",
    ],
  },
  single: {
    types: { mysql: "FLOAT", postgres: "REAL", manifest: "FLOAT" },
    values: ["9223372036854775807e0", "9007199254740992e0", "-0e0", "16777216e0", "0.1", "0.5", "1", "NULL"],
  },
};

const NAMES = Object.keys(TABLES) as readonly (keyof typeof TABLES)[];

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: NAMES.map((name) => ({
    name,
    tableReference: { table: `t_${name}` },
    primaryKey: "id",
    columns: [
      { name: "id", type: "INTEGER" },
      { name: "v", type: TABLES[name].types.manifest },
    ],
  })),
});

function statements(engine: "mysql" | "postgres"): readonly string[] {
  return NAMES.flatMap((name) => {
    const { types, values } = TABLES[name];
    const others = Array.from({ length: 400 }, (_, index) => `(${index + 100}, ${index + 100})`);
    const rows = [...values.map((value, index) => `(${index + 1}, ${value})`), ...others];
    return [
      `CREATE TABLE t_${name} (id INT PRIMARY KEY, v ${types[engine]})`,
      `INSERT INTO t_${name} VALUES ${rows.join()}`,
      `CREATE INDEX v_of_${name} ON t_${name} (v)`,
      engine === "mysql" ? `ANALYZE TABLE t_${name}` : `ANALYZE t_${name}`,
    ];
  });
}

const PAIRS = [
  ...["small", "whole", "exact"].flatMap((exact) => ["double", "single"].map((other) => [exact, other] as const)),
  ["double", "single"],
] as const;

/** Queries over two tables, `%` and `$`. */
const QUERIES = [
  "SELECT a.id AS i, b.id AS j FROM % AS a JOIN $ AS b ON a.v = b.v WHERE a.id < 100 ORDER BY 1, 2",
  "SELECT a.id AS i, b.id AS j FROM $ AS a JOIN % AS b ON a.v = b.v WHERE a.id < 100 ORDER BY 1, 2",
  "SELECT a.id AS i, b.id AS j FROM % AS a LEFT JOIN $ AS b ON a.v IS NOT DISTINCT FROM b.v WHERE a.id < 100 ORDER BY 1, 2",
  "SELECT b.id AS i FROM % AS a JOIN $ AS b USING (v) WHERE b.id < 100 ORDER BY 1",
  "SELECT id AS i FROM % WHERE id < 100 AND v IN (SELECT v FROM $) ORDER BY 1",
  "SELECT id AS i FROM $ WHERE id < 100 AND v IN (SELECT v FROM %) ORDER BY 1",
  "SELECT id AS i FROM % WHERE id < 100 AND v NOT IN (SELECT v FROM $ WHERE v IS NOT NULL) ORDER BY 1",
  "SELECT id AS i FROM $ WHERE id < 100 AND v = ANY (SELECT v FROM %) ORDER BY 1",
  "SELECT id AS i FROM % WHERE id < 100 AND v IN (SELECT 0 UNION ALL SELECT v::float8 FROM $) ORDER BY 1",
  "SELECT id AS i FROM % WHERE id < 100 AND v >= ALL (SELECT v FROM $ WHERE id < 100 AND v IS NOT NULL) ORDER BY 1",
  "SELECT id AS i FROM % AS a WHERE id < 100 AND EXISTS (SELECT 1 FROM $ AS b WHERE a.v = b.v) ORDER BY 1",
  "SELECT id AS i FROM $ AS a WHERE id < 100 AND NOT EXISTS (SELECT 1 FROM % AS b WHERE a.v = b.v) ORDER BY 1",
  "SELECT a.id AS i, b.id AS j FROM % AS a JOIN $ AS b ON a.v < b.v AND b.id = 1 WHERE a.id < 100 ORDER BY 1, 2",
  "SELECT a.id AS i FROM % AS a JOIN $ AS b ON a.v BETWEEN b.v AND b.v AND b.id < 100 ORDER BY 1",
  "SELECT a.id AS i, b.id AS j FROM % AS a JOIN $ AS b ON a.v IN (b.v, -7) WHERE a.id < 100 ORDER BY 1, 2",
  "SELECT a.id AS i, CASE a.v WHEN b.v THEN 1 ELSE 0 END AS j FROM % AS a, $ AS b WHERE a.id < 100 AND b.id = 1 ORDER BY 1",
  "SELECT id AS i FROM % WHERE v = 9223372036854775807::float8 ORDER BY 1",
  "SELECT id AS i FROM $ WHERE v = 9223372036854775807 OR v = 0 ORDER BY 1",
].flatMap((sql) => PAIRS.map(([one, other]) => sql.replaceAll("%", `"${one}"`).replaceAll("$", `"${other}"`)));

const expected = new Map<string, string>();

beforeAll(async () => {
  const database = await startPostgres();
  const client = await database.connect();
  for (const sql of statements("postgres")) await client.query(sql);
  for (const name of NAMES) await client.query(`CREATE VIEW "${name}" AS SELECT * FROM t_${name}`);
  for (const sql of QUERIES) expected.set(sql, numbers((await client.query({ text: sql, rowMode: "array" })).rows));
  await database.stop();
});

const numbers = (rows: readonly (readonly unknown[])[]): string =>
  JSON.stringify(rows.map((row) => row.map((value) => (value === null ? null : Number(value)))));

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await openMySqlWith(flavor, async (run) => {
        for (const sql of statements("mysql")) await run(sql);
      });
    });
    afterAll(() => opened?.close());

    test.each(QUERIES)("%s", async (sql) => {
      const answer = await ask(sql, manifest, "mysql", opened);
      expect("rows" in answer ? numbers(answer.rows) : answer).toBe(expected.get(sql));
    });

    test.each(["double", "single"])("a row of exact numbers among %ss is refused", async (other) => {
      const sql = `SELECT id FROM whole WHERE (v, id) IN (SELECT v, id FROM "${other}")`;
      expect(await ask(sql, manifest, "mysql", opened)).toMatchObject({
        outcome: "refused",
        detail: expect.stringContaining("a row of exact numbers among doubles"),
      });
    });
  });
}

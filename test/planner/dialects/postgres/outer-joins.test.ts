/** Where PostgreSQL would lose an outer join's condition, and that it does not: seen on a real one. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manifestOf, planned } from "../../../support/plan.ts";
import { startPostgres, type TestDatabase } from "../../../support/postgres.ts";

const model = (name: string, columns: readonly string[], more: object = {}): object => ({
  name,
  tableReference: { schema: "public", table: name },
  columns: columns.map((column) => ({ name: column, type: "INTEGER" })),
  ...more,
});

const related = (name: string, models: readonly string[], condition: string): object => ({
  name,
  models,
  joinType: "MANY_TO_ONE",
  condition,
});

/** Behind `b` is what only rows with `v` 7 lead to, and there are none. */
const manifest = manifestOf({
  catalog: "c",
  schema: "public",
  models: [
    model("a", ["x"]),
    model("e", ["y", "id", "n"]),
    model("b", ["m", "v", "g"]),
    {
      name: "start",
      tableReference: { schema: "public", table: "a" },
      columns: [
        { name: "x", type: "INTEGER" },
        { name: "to_e", type: "middle", relationship: "start_middle" },
        { name: "behind", type: "INTEGER", isCalculated: true, expression: "to_e.to_b.to_last.g" },
      ],
    },
    {
      name: "middle",
      tableReference: { schema: "public", table: "e" },
      columns: [
        ...["y", "id", "n"].map((name) => ({ name, type: "INTEGER" })),
        { name: "to_b", type: "near", relationship: "middle_near" },
      ],
    },
    {
      name: "near",
      tableReference: { schema: "public", table: "b" },
      columns: [
        ...["m", "v", "g"].map((name) => ({ name, type: "INTEGER" })),
        { name: "to_last", type: "last", relationship: "near_last" },
      ],
    },
    { ...model("last", ["m", "v", "g"]), tableReference: { schema: "public", table: "b" } },
  ],
  relationships: [
    related("start_middle", ["start", "middle"], "start.x = middle.id AND 1 = middle.y"),
    related("middle_near", ["middle", "near"], "near.m = middle.n AND near.v = 7"),
    related("near_last", ["near", "last"], "near.v = last.g"),
  ],
});

const FIRST = "a LEFT JOIN e ON a.x = e.id AND 1 = e.y";
const QUERIES: readonly string[] = [
  `SELECT a.x, b.v, d.g FROM ${FIRST} LEFT JOIN b ON b.m = e.n AND b.v = 7 LEFT JOIN b AS d ON b.v = d.g`,
  `SELECT a.x, b.v, d.g FROM ${FIRST} LEFT JOIN b ON b.m = e.n AND b.v IN (7) LEFT JOIN b AS d ON b.v = d.g`,
  `SELECT a.x, b.v, d.g FROM ${FIRST} LEFT JOIN (SELECT * FROM b WHERE v = 7) AS b ON b.m = e.n LEFT JOIN b AS d ON d.g = b.v`,
  `SELECT a.x, b.v, d.g FROM b AS d RIGHT JOIN (${FIRST} LEFT JOIN b ON b.m = e.n AND b.v = 7) ON b.v = d.g`,
  "SELECT x, behind FROM start",
];

let database: TestDatabase | undefined;
let rowsOf: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

beforeAll(async () => {
  database = await startPostgres();
  const client = await database.connect();
  await client.query(`
    CREATE TABLE a (x int); INSERT INTO a VALUES (8), (NULL), (17), (-4), (5), (11), (17);
    CREATE TABLE e (y int, id int, n int);
    INSERT INTO e VALUES (1, -4, 1), (2, -1, 2), (3, 2, 2), (4, 5, 2), (5, 8, 1), (6, 11, 3), (7, 14, 1), (8, 17, 3);
    CREATE TABLE b (m int, v int, g int); INSERT INTO b VALUES (3, 3, 7), (2, 2, 2), (1, 3, 3);
    ANALYZE;`);
  rowsOf = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows;
});
afterAll(() => database?.stop());

describe("a row without partner has no partner's partner", () => {
  test.each(QUERIES)("%s", async (sql) => {
    const rows = await rowsOf(planned(sql, manifest, { source: "postgres" }).sql);
    expect(rows).toHaveLength(7);
    for (const row of rows) expect(Object.values(row).slice(1)).not.toContain(7);
  });

  test("of which PostgreSQL gives one without that condition", async () => {
    const [sql = ""] = QUERIES;
    const rows = await rowsOf(sql);
    // When this fails, PostgreSQL has learnt it, and `outer-joins.ts` can go.
    expect(rows).toContainEqual({ x: -4, v: null, g: 7 });
  });
});

describe("left as they are", () => {
  test.each([
    [
      "no constant",
      `SELECT d.g FROM a LEFT JOIN e ON a.x = e.id LEFT JOIN b ON b.m = e.n LEFT JOIN b AS d ON b.v = d.g`,
    ],
    ["rows that are always there", "SELECT e.id FROM a LEFT JOIN e ON a.x = e.id AND e.y = 1"],
    ["an inner join", `SELECT d.g FROM a LEFT JOIN b ON b.m = a.x AND b.v = 7 JOIN b AS d ON b.v = d.g`],
    ["no equality", `SELECT d.g FROM a LEFT JOIN b ON b.m = a.x AND b.v = 7 LEFT JOIN b AS d ON b.v < d.g`],
    ["another constant", `SELECT d.g FROM a LEFT JOIN b ON b.m = a.x AND b.v > 7 LEFT JOIN b AS d ON b.v = d.g`],
  ])("%s", (_what, sql) => {
    expect(planned(sql, manifest, { source: "postgres" }).sql).not.toContain("IS NOT NULL");
  });

  test("on DuckDB", () => {
    for (const sql of QUERIES) expect(planned(sql, manifest, { source: "duckdb" }).sql).not.toContain("IS NOT NULL");
  });
});

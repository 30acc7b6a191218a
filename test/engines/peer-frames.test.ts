/**
 * Running aggregates over rows that are equal in their order, as they are planned for Redshift: the planned SQL is PostgreSQL's too, and
 * PostgreSQL, which is *not* Redshift, answers it like the plan for PostgreSQL.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plan } from "../../src/planner/index.ts";
import { manifestOf, requestOf } from "../support/plan.ts";
import { type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { Random } from "../support/random-query.ts";

const columns = [
  { name: "id", type: "INTEGER" },
  { name: "kind", type: "INTEGER" },
  { name: "day", type: "DATE" },
  { name: "n", type: "INTEGER" },
  { name: "amount", type: "DECIMAL(8,2)" },
];
const table = { name: "peers", tableReference: { table: "peers" }, columns };
const manifest = manifestOf({ catalog: "c", schema: "public", models: [table] });

const AGGREGATES = [
  "sum(n)",
  "sum(amount)",
  "count(*)",
  "count(n)",
  "min(amount)",
  "max(day)",
  "sum(n) FILTER (WHERE n > 3)",
];
const WINDOWS = [
  "ORDER BY day",
  "ORDER BY day DESC",
  "ORDER BY day NULLS FIRST, n DESC NULLS LAST",
  "PARTITION BY kind ORDER BY day",
  "PARTITION BY kind ORDER BY day RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
  "PARTITION BY kind, n ORDER BY date_trunc('month', day)",
];
const QUERIES = [
  ...AGGREGATES.flatMap((aggregate) =>
    WINDOWS.map((window) => `SELECT id, ${aggregate} OVER (${window}) AS x FROM peers`),
  ),
  "SELECT id, sum(n) OVER (ORDER BY day) - sum(n) OVER (PARTITION BY kind ORDER BY day) AS x, lag(n) OVER (ORDER BY id) AS l FROM peers WHERE n > 1",
  "SELECT DISTINCT day, count(*) OVER (ORDER BY day) AS x FROM peers WHERE kind = 1",
  "SELECT day, x FROM (SELECT day, sum(total) OVER (ORDER BY date_trunc('month', day)) AS x FROM (SELECT day, sum(amount) AS total FROM peers GROUP BY day) AS d) AS e",
  "SELECT a.id, b.id AS other, sum(b.n) OVER (PARTITION BY a.kind ORDER BY b.day) AS x FROM peers AS a JOIN peers AS b ON b.kind = a.kind AND b.n < a.n",
  "SELECT id, n * 2 AS twice FROM peers ORDER BY sum(n) OVER (ORDER BY day) DESC NULLS LAST, id LIMIT 20",
];

describe("running aggregates up to peers", () => {
  let server: PostgresServer;
  let client: pg.Client;
  beforeAll(async () => {
    server = await startPostgresServer();
    const { host, port, user, password } = server;
    client = new pg.Client({ host, port, user, password, database: "postgres", ssl: false });
    await client.connect();
    const random = new Random(11);
    const rows = Array.from({ length: 160 }, (_, id) => {
      const day = random.below(9);
      return `(${id}, ${random.below(4)}, ${day === 0 ? "NULL" : `DATE '2024-01-20' + ${day * 3}`}, ${random.below(7) || "NULL"}, ${random.below(6) || "NULL"}.25)`;
    });
    await client.query("CREATE TABLE peers (id integer, kind integer, day date, n integer, amount numeric(8, 2))");
    await client.query(`INSERT INTO peers VALUES ${rows.join(", ").replaceAll("NULL.25", "NULL")}`);
  });
  afterAll(async () => {
    await client?.end();
    await server?.stop();
  });

  const answer = async (sql: string): Promise<readonly string[]> =>
    (await client.query({ text: sql, rowMode: "array" })).rows.map((row) => JSON.stringify(row));

  const plannedFor = (source: "postgres" | "redshift", sql: string): string => {
    const planned = plan({ sql, ...requestOf(manifest, { source }) });
    if (!planned.ok) throw planned.error;
    return planned.value.sql;
  };

  test.each(QUERIES)("%s", async (sql) => {
    const planned = plannedFor("redshift", sql);
    expect(planned).toContain("row_number() OVER");
    const [ours, asked] = [await answer(planned), await answer(plannedFor("postgres", sql))];
    expect(asked.length).toBeGreaterThan(5);
    const isSorted = sql.includes("LIMIT");
    expect(isSorted ? ours : [...ours].sort()).toEqual(isSorted ? asked : [...asked].sort());
  });
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres, type TestDatabase } from "./postgres.ts";

let empty: TestDatabase;
let tpch: TestDatabase;
beforeAll(async () => {
  [empty, tpch] = await Promise.all([startPostgres(), startPostgres({ tpch: true })]);
});
afterAll(async () => {
  await Promise.all([empty.stop(), tpch.stop()]);
});

it("gives each caller a database of its own on one real server", async () => {
  const [left, right] = await Promise.all([empty.connect(), tpch.connect()]);
  const tables =
    "SELECT count(*)::int AS n FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
  expect((await left.query(tables)).rows).toEqual([{ n: 0 }]);
  expect((await right.query(tables)).rows).toEqual([{ n: 8 }]);
  expect((await left.query("SELECT version()")).rows[0].version).toMatch(/^PostgreSQL 18/);
});

it("loads the analyst tables with their types, keys and NULLs", async () => {
  const client = await tpch.connect();
  const { rows } = await client.query(
    `SELECT (SELECT count(*)::int FROM lineitem) AS lineitem, (SELECT count(*)::int FROM orders WHERE o_clerk IS NULL) AS clerkless,
       pg_typeof(c_active)::text AS active, pg_typeof(c_attrs)::text AS attrs, pg_typeof(o_created)::text AS created, c_attrs ->> 'tier' AS tier
     FROM customer JOIN orders ON o_custkey = c_custkey ORDER BY o_orderkey LIMIT 1`,
  );
  expect(rows[0]).toMatchObject({
    lineitem: 16000,
    clerkless: 130,
    active: "boolean",
    attrs: "json",
    created: "timestamp without time zone",
  });
});

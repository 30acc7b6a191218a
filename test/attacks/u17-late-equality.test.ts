/** Joins on ClickHouse whose first ON has an inequality alone: the engine computed the product of both tables. */
import { expect, it } from "vitest";
import { loadManifest, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";

const columns = [
  { name: "o", type: "INTEGER" },
  { name: "p", type: "VARCHAR" },
];
const MANIFEST = { catalog: "c", schema: "s", models: [{ name: "t", tableReference: { table: "t" }, columns }] };

it.each(["a.p < b.p", "a.p <> b.p", "a.o < b.o"])("leaves no join whose only condition is %s", (inequality) => {
  const loaded = loadManifest(Buffer.from(JSON.stringify(MANIFEST)).toString("base64"), 1024 * 1024);
  if (!loaded.ok) throw loaded.error;
  const sql = `WITH x AS (SELECT o, p FROM t) SELECT count(*) FROM x a JOIN x b ON ${inequality} JOIN x c ON a.o = c.o AND b.o = c.o`;
  const planned = plan({
    sql,
    manifest: loaded.value,
    source: "clickhouse",
    session: new Map(),
    options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
  });
  if (!planned.ok) throw planned.error;
  // ClickHouse orders cross joins by the equalities of WHERE, and joins with ON by their place.
  expect(planned.value.sql).not.toMatch(/ ON [^=]* JOIN /);
});

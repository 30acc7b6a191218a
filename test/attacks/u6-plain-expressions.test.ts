/** Expressions of plain columns that the source certainly rejects: they were sent as they are. */
import { expect, it } from "vitest";
import { loadManifest, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";

function sqlOf(expression: string, source: DataSource): string {
  const columns = [
    { name: "k", type: "VARCHAR" },
    { name: "p", type: "VARCHAR" },
    { name: "n", type: "INTEGER" },
    { name: "x", type: "VARCHAR", expression },
  ];
  const json = { catalog: "c", schema: "s", models: [{ name: "t", tableReference: { table: "t" }, columns }] };
  const loaded = loadManifest(Buffer.from(JSON.stringify(json)).toString("base64"), 1024 * 1024);
  if (!loaded.ok) throw loaded.error;
  const planned = plan({
    sql: "SELECT x FROM t",
    manifest: loaded.value,
    source,
    session: new Map(),
    options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
  });
  if (!planned.ok) throw planned.error;
  return planned.value.sql;
}

it.each<[source: DataSource, expression: string, lacking: RegExp]>([
  ["mysql", "cast(p as string)", /string/i],
  ["mysql", "n::text", /::/],
  ["mysql", "cast(n as text)", /as text/i],
  ["mysql", "date_trunc('month', cast('2024-05-06' as date))::text", /date_trunc/],
  ["trino", "cast(p as string)", /as string/i],
  ["trino", "n::text", /::/],
  ["trino", "nvl(p, 'x')", /nvl/],
  ["trino", "concat(k, '_', n)", /concat/],
  ["clickhouse", "cast(p as string)", /as string/],
])("on %s %s is sent without what the source lacks", (source, expression, lacking) => {
  expect(sqlOf(expression, source)).not.toMatch(lacking);
});

/**
 * Reading columns, counting, filters and groups over a model with a row rule is planned on every source without a setting. Athena and
 * Canner are the exception: reading a column may fail there, so that nothing is plain, and no fence is proven.
 */
import { describe, expect, test } from "vitest";
import { plan } from "../../../src/planner/index.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { DATA_SOURCES } from "../../../src/service/data-sources.ts";
import { ROW_GUARANTEES } from "../../../src/service/row-guarantees.ts";
import { manifestOf, requestOf } from "../../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "name", type: "VARCHAR" },
        { name: "tenant", type: "VARCHAR" },
        { name: "d", type: "DATE" },
        { name: "amount", type: "DECIMAL(12,2)" },
      ],
      rowLevelAccessControls: [
        { name: "own", requiredProperties: [{ name: "tenant", required: true }], condition: "tenant = @tenant" },
      ],
    },
  ],
});
const session = new Map([["tenant", "'acme'"]]);

const STATEMENTS = [
  "SELECT name FROM t",
  "SELECT count(*) AS n FROM t",
  "SELECT name FROM t WHERE id = 7 AND name <> 'x' OR d >= DATE '2024-01-01'",
  "SELECT name FROM t WHERE amount > 10.5 AND name IN ('a', 'b') AND d IS NOT NULL",
  "SELECT name, count(*) AS n, min(d) AS first, max(amount) AS most FROM t GROUP BY name HAVING count(*) > 1",
  "SELECT name FROM t ORDER BY id LIMIT 10",
] as const;

const REFUSED: ReadonlySet<DataSource> = new Set(["athena", "canner"]);

const outcome = (sql: string, source: DataSource, accepts: readonly DataSource[] = []) =>
  plan({ sql, ...requestOf(manifest, { source, session, options: { bestEffort: new Set(accepts) } }) });

describe.each(DATA_SOURCES.filter((source) => !REFUSED.has(source)))("on %s", (source) => {
  test.each(STATEMENTS)("is planned without a setting: %s", (sql) => {
    const planned = outcome(sql, source);
    if (!planned.ok) throw planned.error;
    expect(ROW_GUARANTEES[source]).toContain(planned.value.rowRules);
    expect(planned.value.sql).toContain("'acme'");
  });
});

describe.each([...REFUSED])("on %s", (source) => {
  test.each(STATEMENTS)("is refused, and the hint names the setting under which it is planned: %s", (sql) => {
    const refused = outcome(sql, source);
    if (refused.ok) throw new Error("it is planned");
    expect(refused.error.reason).toBe("UNSUPPORTED_ON_SOURCE");
    expect(refused.error.hint).toContain("ROW_RULES=besteffort");
    const accepted = outcome(sql, source, [source]);
    if (!accepted.ok) throw accepted.error;
    expect(accepted.value.rowRules).toBe("besteffort");
  });
});

test("no source is left out", () => {
  expect(DATA_SOURCES).toHaveLength(19);
  expect(DATA_SOURCES.filter((source) => ROW_GUARANTEES[source].length === 0)).toEqual([...REFUSED]);
});

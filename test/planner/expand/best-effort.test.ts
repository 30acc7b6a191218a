/** Barriers around row rules that no attack has proven, for operators who accept them (`ROW_RULES=besteffort`). */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource, Plan } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const columns = [
  { name: "id", type: "INTEGER" },
  { name: "name", type: "VARCHAR" },
  { name: "other", type: "VARCHAR" },
];
const own = { name: "own", requiredProperties: [], condition: "id = 7" };
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [...columns, { name: "share", type: "INTEGER", isCalculated: true, expression: "100 / id" }],
      rowLevelAccessControls: [own],
    },
    { name: "free", tableReference: { table: "free" }, columns },
    {
      name: "computed",
      tableReference: { table: "computed" },
      columns,
      readMayFail: true,
      rowLevelAccessControls: [own],
    },
  ],
});

const SOURCES: readonly DataSource[] = ["athena", "canner", "databricks", "mssql", "oracle", "redshift", "snowflake"];

function planFor(sql: string, source: DataSource, accepted: readonly DataSource[] = SOURCES): Plan {
  return planned(sql, manifest, { source, options: { bestEffort: new Set(accepted) } });
}

const BARRIERS: Readonly<Partial<Record<DataSource, RegExp>>> = {
  athena:
    /row_number\(\) OVER \(\) AS "_n" .* WHERE "_b"\."id" = 7 LIMIT 9223372036854775807\) AS "_f" WHERE "_f"\."_n" > 0\)/s,
  canner:
    /row_number\(\) OVER \(\) AS "_n" .* WHERE "_b"\."id" = 7 LIMIT 9223372036854775807\) AS "_f" WHERE "_f"\."_n" > 0\)/s,
  databricks: /monotonically_increasing_id\(\) AS `_n` .* WHERE `_b`\.`id` = 7\) AS `_f` WHERE `_f`\.`_n` >= 0\)/s,
  mssql:
    /SELECT TOP \(9223372036854775807\) .*row_number\(\) OVER \(ORDER BY \(SELECT NULL\)\) AS \[_n\] .* = 7\) AS \[_f\] WHERE \[_f\]\.\[_n\] > 0\)/s,
  oracle: /ROWNUM AS "_n" .* WHERE "_b"\."id" = 7\) "_f" WHERE "_f"\."_n" >= 0\)/s,
  redshift: /row_number\(\) OVER \(ORDER BY 1\) AS _n .* WHERE _b\.id = 7\) AS _f WHERE _f\._n > 0\)/s,
  snowflake:
    /row_number\(\) OVER \(ORDER BY 1 NULLS LAST\) AS "_n" .* WHERE "_b"\."ID" = 7\) AS "_f" WHERE "_f"\."_n" > 0\)/s,
};

describe.each(SOURCES)("on %s", (source) => {
  test.each([
    "SELECT CAST(name AS integer) AS n FROM t",
    "SELECT name FROM t WHERE 100 / id > 3",
    "SELECT share FROM t",
    "SELECT name FROM computed",
    "SELECT f.id FROM free AS f JOIN t ON f.id = t.id WHERE 1 / f.id = 1",
    "SELECT count(*) AS n FROM t WHERE 1 / id = 1",
  ])("what can fail gets the barrier, with the rule inside and the expression outside: %s", (sql) => {
    const plan = planFor(sql, source);
    expect(plan.rowRules).toBe("besteffort");
    expect(plan.sql).toMatch(BARRIERS[source] ?? /never/);
    const inside = /\(SELECT (?:TOP \(\d+\) )?(?:(?!\(SELECT).)*_n\b.*? = 7(?: LIMIT \d+)?\)/s.exec(plan.sql)?.[0];
    expect(inside).toBeDefined();
    expect(inside).not.toMatch(/100|CAST\((?!.*AS STRING)|DIV|trunc/);
  });

  test("only the columns that a statement names are copied", () => {
    expect(planFor("SELECT 1 / id AS n FROM t", source).sql).not.toMatch(/other/i);
  });

  test("a statement on a source that the operator has not named is refused, and the hint names the setting", () => {
    const refused = (): Plan =>
      planFor(
        "SELECT 1 / id AS n FROM t",
        source,
        SOURCES.filter((each) => each !== source),
      );
    expect(refused).toThrow(PlannerError);
    expect(refused).toThrow(
      expect.objectContaining({
        reason: "UNSUPPORTED_ON_SOURCE",
        hint: expect.stringContaining("ROW_RULES=besteffort"),
      }),
    );
  });

  test("a dialect's own form that can fail gets the barrier, too", () => {
    const plan = planFor("SELECT name FROM t UNION SELECT name FROM free", source);
    const isPlain = !["mssql", "redshift", "athena", "canner"].includes(source);
    expect(plan.rowRules).toBe(isPlain ? "plain" : "besteffort");
    expect(BARRIERS[source]?.test(plan.sql)).toBe(!isPlain);
  });

  test("a statement without a ruled model has no barrier", () => {
    expect(planFor("SELECT 1 / id AS n FROM free", source)).toMatchObject({ rowRules: "none" });
  });
});

test.each<DataSource>(["bigquery", "doris"])("%s has no barrier, and its hint names no setting", (source) => {
  const refused = (): Plan =>
    planned("SELECT 1 / id AS n FROM t", manifest, { source, options: { bestEffort: new Set([source]) } });
  expect(refused).toThrow(
    expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", hint: expect.not.stringContaining("ROW_RULES") }),
  );
});

test.each<[DataSource, string]>([
  ["postgres", "fenced"],
  ["trino", "fenced"],
  ["mysql", "fenced"],
])("on %s the proven fence stays, whatever the operator accepts", (source, rowRules) => {
  const plan = planned("SELECT 1 / id AS n FROM t", manifest, { source, options: { bestEffort: new Set([source]) } });
  expect(plan.rowRules).toBe(rowRules);
});

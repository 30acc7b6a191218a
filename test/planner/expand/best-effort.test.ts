/** Barriers around row rules that no attack has proven, for operators who accept them (`ROW_RULES=besteffort`). */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { type DataSource, type Plan, statementOf } from "../../../src/planner/plan.ts";
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
    {
      name: "asked",
      tableReference: { table: "asked" },
      columns,
      rowLevelAccessControls: [{ ...own, condition: "id IN (SELECT f.id FROM free AS f)" }],
    },
    {
      name: "fails",
      tableReference: { table: "fails" },
      columns,
      rowLevelAccessControls: [{ ...own, condition: "1 / id = 7" }],
    },
    {
      name: "odd",
      tableReference: { table: "odd" },
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "list", type: "INTEGER[]" },
        { name: "doc", type: "JSON" },
        { name: "other", type: "OF_THE_SOURCE" },
      ],
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

const SOURCES: readonly DataSource[] = [
  "athena",
  "canner",
  "databricks",
  "doris",
  "mssql",
  "oracle",
  "redshift",
  "snowflake",
];

function planFor(sql: string, source: DataSource, accepted: readonly DataSource[] = SOURCES): Plan {
  return planned(sql, manifest, { source, options: { bestEffort: new Set(accepted) } });
}

/** The truth of a rule as a column on sources without such values. */
const TRUTH_OF_RULE = /CAST\(CASE WHEN .* THEN 1 WHEN NOT .* THEN 0 END AS (?:NUMBER\(1\)|BIT)\) AS ["[]_r/;

const BARRIERS: Readonly<Partial<Record<DataSource, RegExp>>> = {
  athena:
    /row_number\(\) OVER \(\) AS "_n" .* WHERE "_b"\."id" = 7 LIMIT 9223372036854775807\) AS "_f" WHERE "_f"\."_n" > 0\)/s,
  canner:
    /row_number\(\) OVER \(\) AS "_n" .* WHERE "_b"\."id" = 7 LIMIT 9223372036854775807\) AS "_f" WHERE "_f"\."_n" > 0\)/s,
  databricks: /monotonically_increasing_id\(\) AS `_n` .* WHERE `_b`\.`id` = 7\) AS `_f` WHERE `_f`\.`_n` >= 0\)/s,
  doris:
    /first_value\(`_b`\.`(\w+)`\) OVER \(ORDER BY `_b`\.`\w+`.* ROWS BETWEEN CURRENT ROW AND CURRENT ROW\) AS `\1`.* WHERE `_b`\.`id` = 7.*\) AS `_f`\) AS/s,
  mssql:
    /SELECT TOP \(9223372036854775807\) .*row_number\(\) OVER \(ORDER BY \(SELECT NULL\)\) AS \[_n\] .* = 7\) AS \[_f\] WHERE \[_f\]\.\[_n\] > 0\)/s,
  oracle: /ROWNUM AS "_n" .* WHERE "_b"\."id" = 7\) "_f" WHERE "_f"\."_n" >= 0\)/s,
  redshift: /row_number\(\) OVER \(ORDER BY 1\) AS _n .* WHERE _b\.id = 7\) AS _f WHERE _f\._n > 0\)/s,
  snowflake:
    /row_number\(\) OVER \(ORDER BY 1 NULLS LAST\) AS "_n" .* WHERE "_b"\."ID" = 7\) AS "_f" WHERE "_f"\."_n" > 0\)/s,
};

const GUARDED: ReadonlySet<DataSource> = new Set(["mssql", "oracle", "redshift", "snowflake"]);

describe.each(SOURCES)("on %s", (source) => {
  const guarded = GUARDED.has(source);

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
    const inside = /\(SELECT (?:TOP \(\d+\) )?(?:(?!\(SELECT).)*(?:_n\b|CURRENT ROW\)).*? = 7(?: LIMIT \d+)?\)/s.exec(
      plan.sql,
    )?.[0];
    expect(inside).toBeDefined();
    expect(inside?.replace(TRUTH_OF_RULE, "")).not.toMatch(/100|CAST\((?!.*AS STRING)|DIV|trunc/);
  });

  test("only the columns that a statement names are copied", () => {
    expect(planFor("SELECT 1 / id AS n FROM t", source).sql).not.toMatch(/other/i);
  });

  test(`columns above the barrier are ${guarded ? "CASE over the rule's truth" : "as they are"}`, () => {
    const { sql } = planFor("SELECT share, name FROM t", source);
    const cases = sql.match(/CASE WHEN .?_f.?\..?_r.?(?: = 1)? THEN .?_f.?\..?(?:id|name).? END/gi) ?? [];
    expect(cases).toHaveLength(guarded ? 2 : 0);
    expect(sql.includes("_r")).toBe(guarded);
  });

  test("a query in a rule is not repeated as the truth of the rule", () => {
    const { sql } = planFor("SELECT 1 / id AS n FROM asked", source);
    expect(sql.match(/free/gi)).toHaveLength(1);
    expect(sql).not.toContain("_r\b");
  });

  test("arrays, JSON and values of unknown types pass without CASE", () => {
    const { sql } = planFor("SELECT 1 / id AS n FROM odd WHERE list IS NULL AND doc IS NULL AND other IS NULL", source);
    expect(sql.match(/CASE WHEN .?_f.?\..?_r/g) ?? []).toHaveLength(guarded ? 1 : 0);
  });

  test.each(["id BETWEEN 3 AND 9", "id IN (4, 5)", "name IS NOT NULL"])(
    "a condition that cannot fail is inside the barrier and outside: %s",
    (condition) => {
      const { sql } = planFor(`SELECT 1 / id AS n FROM t WHERE ${condition}`, source);
      const word = condition.includes("BETWEEN")
        ? /BETWEEN 3/g
        : condition.includes("IN (")
          ? /IN \(4/g
          : /IS NOT NULL/g;
      // Texts of Databricks are read through a cast, and nothing is known of Athena and Canner.
      const isPushed =
        !["athena", "canner"].includes(source) && !(source === "databricks" && condition.startsWith("name"));
      expect(sql.match(word)).toHaveLength(isPushed ? 2 : 1);
    },
  );

  test.each([
    ["that can fail", "SELECT id FROM t WHERE 1 / id = 33", 1],
    [
      "on the NULL-extended side of a join",
      "SELECT 1 / f.id AS n FROM free AS f LEFT JOIN t ON t.id = f.id WHERE t.id = 33",
      1,
    ],
    ["under OR", "SELECT 1 / id AS n FROM t WHERE id = 33 OR name IS NULL", 1],
    ["over a table that computes", "SELECT name FROM computed WHERE id = 33", 1],
    ["beside a rule that can fail", "SELECT name FROM fails WHERE id = 33", 1],
  ])("a condition %s stays outside the barrier", (_, sql, count) => {
    const printed = planFor(sql, source).sql;
    const inside = printed.slice(0, printed.search(/_n.? (?:>|>=) 0/));
    const isInBoth = sql.includes(" OR ") && !["athena", "canner", "databricks"].includes(source);
    expect(printed.match(/\b33\b/g)).toHaveLength(isInBoth ? 2 * count : count);
    expect(/\b33\b/.test(inside)).toBe(isInBoth);
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

test("BigQuery has no barrier: what can fail is an alternative of IF over the truth of the rule", () => {
  const settings = { source: "bigquery", options: { bestEffort: new Set<DataSource>(["bigquery"]) } } as const;
  const plan = planned("SELECT 1 / id AS n FROM t", manifest, settings);
  expect(plan.rowRules).toBe("besteffort");
  expect(plan.sql).toContain("if(`t`.`_r`, div(1, `t`.`id`), NULL)");
});

test("on Doris arrays and JSON alone have no order for the windows, so the statement is refused", () => {
  const settings = { source: "doris", options: { bestEffort: new Set<DataSource>(["doris"]) } } as const;
  expect(() => planned("SELECT doc FROM odd WHERE doc IS NULL AND 1 / 2 = 1", manifest, settings)).toThrow(
    expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" }),
  );
});

describe("engines that compute functions over dictionaries of whole columns", () => {
  test.each<DataSource>(["duckdb", "local_file", "clickhouse", "doris"])(
    "%s gets only forms that copy values",
    (source) => {
      const { whenRaising, bestEffort } = targetOf(source).fence;
      const kinds = [whenRaising, bestEffort?.barrier].filter((kind) => kind !== undefined && kind !== "refuse");
      expect(["materialized", "copied", "copied in order"]).toEqual(expect.arrayContaining(kinds));
    },
  );
});

describe("servers on which a proven fence is not proven", () => {
  test.each<[DataSource, RegExp]>([
    ["mysql", /LIMIT 18446744073709551615 OFFSET 0\)/],
    ["trino", /LIMIT 9223372036854775807\) AS "_f"/],
    ["clickhouse", /any\(.*ROWS BETWEEN CURRENT ROW AND CURRENT ROW/],
    ["spark", /monotonically_increasing_id\(\) AS `_n`/],
  ])("%s has the fence as best effort, for any server", (source, form) => {
    const settings = { source, unprovenFence: true, options: { bestEffort: new Set([source]) } };
    const plan = planned("SELECT 1 / id AS n FROM t", manifest, settings);
    expect(plan.rowRules).toBe("besteffort");
    expect(plan.sql).toMatch(form);
    expect(plan.sql).toBe(planned("SELECT 1 / id AS n FROM t", manifest, { source }).sql);
    expect(statementOf(plan).fenced).toBe("unproven");
  });

  test.each<DataSource>(["postgres", "duckdb"])("%s has none", (source) => {
    const settings = { source, unprovenFence: true, options: { bestEffort: new Set([source]) } };
    expect(planned("SELECT 1 / id AS n FROM t WHERE id = 3", manifest, settings).rowRules).toBe("fenced");
  });

  test.each<DataSource>(["mysql", "trino", "clickhouse", "spark"])("%s needs the operator for it", (source) => {
    const plan = planned("SELECT 1 / id AS n FROM t", manifest, { source, unprovenFence: true });
    expect([plan.rowRules, statementOf(plan).fenced]).toEqual(["fenced", true]);
  });
});

test.each<[DataSource, string]>([
  ["postgres", "fenced"],
  ["trino", "fenced"],
  ["mysql", "fenced"],
])("on %s the proven fence stays, whatever the operator accepts", (source, rowRules) => {
  const plan = planned("SELECT 1 / id AS n FROM t", manifest, { source, options: { bestEffort: new Set([source]) } });
  expect(plan.rowRules).toBe(rowRules);
});

/** Statements over models with row rules that cannot fail run without a fence on sources that nobody here can attack. */
import { describe, expect, test } from "vitest";
import { MANUALS, PLAIN_FUNCTIONS, PLAIN_OPERATORS, PLAIN_SUMS } from "../../../src/planner/access/plain.ts";
import { PLAIN_SOURCES } from "../../../src/planner/access/plain-sources.ts";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const columns = [
  ["id", "INTEGER"],
  ["big", "BIGINT"],
  ["name", "VARCHAR"],
  ["city", "VARCHAR"],
  ["amount", "DECIMAL(12,2)"],
  ["wide", "DECIMAL(38,10)"],
  ["f", "DOUBLE"],
  ["d", "DATE"],
  ["ts", "TIMESTAMP"],
  ["flag", "BOOLEAN"],
].map(([name, type]) => ({ name, type }));

const rowLevelAccessControls = [
  { name: "own", requiredProperties: [{ name: "who", required: true }], condition: "city = @who" },
];
const model = (name: string, more: object = {}): object => ({
  name,
  tableReference: { table: name },
  columns,
  ...more,
});

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    model("t", { rowLevelAccessControls }),
    model("free"),
    model("by_member", {
      rowLevelAccessControls: [
        { ...rowLevelAccessControls[0], condition: "id IN (SELECT id FROM free WHERE city = @who)" },
      ],
    }),
    model("by_cast", {
      rowLevelAccessControls: [
        { ...rowLevelAccessControls[0], condition: "CAST(city AS integer) = 1 AND name = @who" },
      ],
    }),
    model("computed", { rowLevelAccessControls, readMayFail: true }),
    model("free_computed", { readMayFail: true }),
    {
      name: "by_text",
      refSql: "SELECT id, city FROM raw",
      columns: columns.filter(({ name }) => name === "id" || name === "city"),
      rowLevelAccessControls,
    },
    model("halved", {
      columns: [...columns, { name: "half", type: "INTEGER", isCalculated: true, expression: "id / 2" }],
      rowLevelAccessControls,
    }),
  ],
});
const session = new Map([["who", "'ann'"]]);

/** `planned`, or what the refusal points at. */
function outcome(sql: string, source: DataSource): string {
  try {
    planned(sql, manifest, { source, session });
    return "planned";
  } catch (error) {
    if (!(error instanceof PlannerError) || error.reason !== "UNSUPPORTED_ON_SOURCE") throw error;
    expect(error.hint).toBeTruthy();
    return sql.slice(error.span?.start, error.span?.end);
  }
}

describe.each(PLAIN_SOURCES)("on %s", (source) => {
  test.each([
    "SELECT name FROM t",
    "SELECT * FROM t",
    "SELECT count(*) AS n FROM t",
    "SELECT city, count(*) AS n FROM t GROUP BY city HAVING count(*) > 1 ORDER BY n DESC LIMIT 5",
    "SELECT city, count(DISTINCT name) AS n, min(id) AS a, max(d) AS b FROM t GROUP BY city",
    "SELECT name FROM t WHERE id = 1 AND big > 2 OR NOT amount < 3.5",
    "SELECT name FROM t WHERE name <> city AND f > id AND d BETWEEN DATE '2020-01-01' AND DATE '2020-12-31'",
    "SELECT name FROM t WHERE ts >= TIMESTAMP '2020-01-01 00:00:00'",
    "SELECT name FROM t WHERE flag AND name IS NOT NULL AND name IN ('a', 'b') AND id NOT IN (1, 2)",
    "SELECT name FROM t WHERE id IN (SELECT id FROM free) AND EXISTS (SELECT 1 FROM t AS o WHERE o.id = t.id)",
    "SELECT CASE WHEN flag THEN name ELSE 'x' END AS a, coalesce(city, 'x') AS b, nullif(name, 'x') AS c FROM t",
    "SELECT upper(name) AS a, lower(name) AS b, trim(name) AS c, length(name) AS d FROM t",
    "SELECT row_number() OVER (PARTITION BY city ORDER BY id) AS a, rank() OVER (ORDER BY name) AS b FROM t",
    "SELECT extract(month FROM ts) AS m, extract(hour FROM ts) AS h FROM t",
    "SELECT a.name FROM t AS a LEFT JOIN t AS b ON a.id = b.id JOIN free AS f ON f.name = a.name",
    "WITH x AS (SELECT city, count(*) AS n FROM t GROUP BY city) SELECT city FROM x WHERE n > 1",
    "SELECT name FROM by_member WHERE id > 3",
    "SELECT id FROM halved",
  ])("without a fence: %s", (sql) => {
    const plan = planned(sql, manifest, { source, session });
    expect(plan.sql).toMatch(/\bWHERE .*ann/s);
    expect(plan.sql).not.toMatch(/OFFSET 0|MATERIALIZED|_f\b/);
  });

  test.each<[sql: string, points: string]>([
    ["SELECT CAST(name AS integer) AS n FROM t", "CAST(name AS integer)"],
    ["SELECT name FROM t WHERE CAST(id AS smallint) = 1", "CAST(id AS smallint)"],
    ["SELECT 1 / id AS n FROM t", "1 / id"],
    ["SELECT id + 1 AS n FROM t", "id + 1"],
    ["SELECT -id AS n FROM t", "-id"],
    ["SELECT big * big AS n FROM t", "big * big"],
    ["SELECT name FROM t WHERE 1 / 0 > 0", "1 / 0"],
    ["SELECT abs(id) AS n FROM t", "abs(id)"],
    ["SELECT ln(f) AS n FROM t", "ln(f)"],
    ["SELECT name FROM t WHERE name ~ '('", "name ~ '('"],
    ["SELECT name FROM t WHERE name LIKE 'a%'", "name LIKE 'a%'"],
    ["SELECT substring(name, 1, id) AS n FROM t", "substring(name, 1, id)"],
    ["SELECT name || city AS n FROM t", "name || city"],
    ["SELECT repeat(name, id) AS n FROM t", "repeat(name, id)"],
    ["SELECT name FROM t WHERE wide = amount AND wide = 0.12345678901", "wide = 0.12345678901"],
    ["SELECT sum(wide) AS n FROM t", "sum(wide)"],
    ["SELECT avg(f) AS n FROM t", "avg(f)"],
    ["SELECT f * f AS n FROM t", "f * f"],
    ["SELECT date_trunc('week', ts) AS n FROM t", "date_trunc('week', ts)"],
    ["SELECT (SELECT id FROM free) AS n FROM t", "(SELECT id FROM free)"],
    ["SELECT lag(name, 1) OVER (ORDER BY id) AS n FROM t", "lag(name, 1) OVER (ORDER BY id)"],
    ["SELECT greatest(id, big) AS n FROM t", "greatest(id, big)"],
    ["SELECT f.id FROM free AS f JOIN t ON f.id = t.id WHERE 1 / f.id = 1", "1 / f.id"],
  ])("refused, since it can fail: %s", (sql, points) => {
    if (["bigquery", "oracle"].includes(source) && /wide/.test(sql)) return;
    expect(outcome(sql, source)).toBe(points);
  });

  test.each<[sql: string, points: string]>([
    ["SELECT half FROM halved", "halved"],
    ["SELECT id FROM by_cast", "by_cast"],
    ["SELECT id FROM by_text", "by_text"],
    ["SELECT id FROM computed", "computed"],
    ["SELECT t.id FROM t JOIN free_computed AS o ON o.id = t.id", "t"],
  ])("refused, since the manifest's own text or table can fail: %s", (sql, points) => {
    expect(outcome(sql, source)).toBe(points);
  });

  test.each(["SELECT half FROM halved", "SELECT id FROM by_text"])(
    "without a row rule in force all is planned: %s",
    (sql) => {
      const open = manifestOf({
        catalog: "c",
        schema: "s",
        models: [
          model("halved", {
            columns: [...columns, { name: "half", type: "INTEGER", isCalculated: true, expression: "id / 2" }],
          }),
          { name: "by_text", refSql: "SELECT id FROM raw", columns: [columns[0]], readMayFail: true },
        ],
      });
      expect(planned(sql, open, { source }).sql).toMatch(/id/i);
    },
  );
});

test.each<DataSource>(["athena", "canner"])(
  "on %s reading a column may fail, and nothing over a row rule is planned",
  (source) => {
    expect(outcome("SELECT name FROM t", source)).toBe("t");
  },
);

test.each<[source: DataSource, sql: string, sums: boolean]>([
  ["bigquery", "sum(amount)", true],
  ["bigquery", "avg(id)", true],
  ["bigquery", "sum(id)", false],
  ["snowflake", "sum(amount)", true],
  ["snowflake", "sum(id)", false],
  ["snowflake", "avg(amount)", false],
  ["oracle", "sum(id)", true],
  ["oracle", "avg(wide)", true],
  ["redshift", "sum(big)", true],
  ["redshift", "sum(amount)", true],
  ["redshift", "sum(id)", false],
  ["mssql", "sum(id)", false],
  ["mssql", "sum(amount)", false],
  ["doris", "sum(id)", false],
  ["databricks", "sum(amount)", false],
])("%s: %s is summed without a fence where its type holds every sum: %s", (source, call, sums) => {
  expect(outcome(`SELECT ${call} AS n FROM t`, source)).toBe(sums ? "planned" : call);
});

test.each<[source: DataSource, sql: string, is: boolean]>([
  ["bigquery", "date_trunc('month', ts)", true],
  ["bigquery", "date_trunc('month', d)", true],
  ["snowflake", "date_trunc('month', ts)", true],
  ["snowflake", "date_trunc('month', d)", false],
  ["mssql", "date_trunc('month', d)", true],
  ["oracle", "date_trunc('month', ts)", true],
  ["doris", "date_trunc('month', d)", true],
  ["redshift", "date_trunc('month', ts)", false],
  ["redshift", "extract(year FROM ts)", false],
  ["redshift", "extract(month FROM d)", false],
  ["databricks", "date_trunc('day', ts)", false],
  ["databricks", "extract(year FROM d)", true],
])("%s: %s without a fence: %s", (source, call, is) => {
  expect(outcome(`SELECT ${call} AS n FROM t`, source)).toBe(is ? "planned" : call);
});

test("every entry of the list has a page of the maker's manual", () => {
  const pages = [PLAIN_OPERATORS, ...PLAIN_FUNCTIONS.map((each) => each.pages)].flatMap((each) => Object.entries(each));
  const sums = Object.values(PLAIN_SUMS).flatMap((each) =>
    Object.entries(each).map(([source, { page }]) => [source, page]),
  );
  for (const [source = "", page = ""] of [...pages, ...sums]) {
    expect(new URL(page, MANUALS[source as keyof typeof MANUALS]).protocol, page).toBe("https:");
    expect(page).toMatch(/^[\w-]+(?:[/#.][\w-]+)*$/);
  }
});

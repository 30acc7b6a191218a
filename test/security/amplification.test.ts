/** Small requests that would become large ones: each ends in a clean error before it costs anything. */
import { describe, expect, test } from "vitest";
import { redactorFor } from "../../src/guard/redactor.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf, type PlanSettings, planned, plannedCube } from "../support/plan.ts";

const manifest = manifestOf(plainManifest("postgres"));

function reason(sql: string, over = manifest, settings: PlanSettings = {}): string | undefined {
  try {
    planned(sql, over, { source: "postgres", ...settings });
    return undefined;
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

const long = `c_custkey IN (${Array.from({ length: 5000 }, () => "1").join(",")})`;
const many = (text: string): string => Array.from({ length: 1000 }, () => text).join(", ");

describe("a long select item behind a short name", () => {
  test.each([
    ["ORDER BY names", `SELECT ${long} AS a FROM customer ORDER BY ${many("a")}`],
    ["ORDER BY expressions over it", `SELECT ${long} AS a FROM customer ORDER BY ${many("a AND TRUE")}`],
    ["ORDER BY positions", `SELECT ${long} AS a FROM customer ORDER BY ${many("1")}`],
    ["GROUP BY names", `SELECT ${long} AS a FROM customer GROUP BY ${many("a")}`],
    ["HAVING", `SELECT ${long} AS a FROM customer GROUP BY a HAVING ${many("a").replaceAll(",", " AND")}`],
  ])("%s", (_name, sql) => {
    expect(reason(sql)).toBe("LIMIT_SIZE");
  });

  test("a few repetitions are fine", () => {
    expect(reason(`SELECT ${long} AS a FROM customer ORDER BY a, a AND TRUE, 1`)).toBeUndefined();
  });
});

test("stars over stars", () => {
  const doubled = Array.from({ length: 18 }).reduce<string>(
    (inner) => `SELECT *, * FROM (${inner}) x`,
    "SELECT c_name FROM customer",
  );
  expect(reason(doubled)).toBe("LIMIT_SIZE");
});

describe("manifests that multiply", () => {
  const column = (name: string, more: object = {}): object => ({ name, type: "INTEGER", ...more });

  test("rules that read a model twice, whose rule does the same", () => {
    const models = Array.from({ length: 30 }, (_, index) => {
      const condition = `id IN (SELECT id FROM m${index + 1}) AND id IN (SELECT id FROM m${index + 1})`;
      const rules = index < 29 ? [{ name: "r", requiredProperties: [], condition }] : [];
      return {
        name: `m${index}`,
        tableReference: { table: "t" },
        columns: [column("id")],
        rowLevelAccessControls: rules,
      };
    });
    expect(reason("SELECT id FROM m0", manifestOf({ catalog: "c", schema: "s", models }))).toBe("LIMIT_SIZE");
  });

  const many = (count: number, text: string, separator = ", "): string => Array(count).fill(text).join(separator);
  const items = (more: object): object => ({
    name: "m",
    tableReference: { table: "t" },
    columns: [column("id")],
    ...more,
  });
  const computed = (name: string, expression: string): object => column(name, { isCalculated: true, expression });
  const view = (name: string, statement: string): object => ({ name, statement });
  const cube = (dimensions: readonly object[], measures: readonly object[]): object => ({
    ...{ name: "q", baseObject: "m", dimensions, measures, timeDimensions: [] },
  });
  test.each<readonly [string, object, string]>([
    [
      "views of views of many branches",
      {
        models: [items({})],
        views: [
          view("a", many(90, "SELECT id FROM m", " UNION ALL ")),
          view("b", many(90, "SELECT id FROM a", " UNION ALL ")),
          view("c", many(90, "SELECT id FROM b", " UNION ALL ")),
        ],
      },
      "SELECT 1 FROM c",
    ],
    [
      "stars of stars",
      {
        models: [items({})],
        views: Array.from({ length: 16 }, (_, index) =>
          view(`v${index}`, `SELECT *, * FROM ${index === 0 ? "m" : `v${index - 1}`}`),
        ),
      },
      many(100, "SELECT 1 FROM v15", " UNION ALL "),
    ],
    [
      "a long view, often",
      {
        models: [items({})],
        views: [
          view("a", `SELECT id FROM m WHERE id IN (${many(10_000, "1")})`),
          view("b", many(60, "SELECT id FROM a", " UNION ALL ")),
        ],
      },
      many(60, "SELECT id FROM b", " UNION ALL "),
    ],
    [
      "a long column, often",
      {
        models: [
          items({
            columns: [
              column("id"),
              computed("a", `coalesce(${many(15_000, "1")}, id)`),
              computed("b", `coalesce(${many(9_000, "a")})`),
            ],
          }),
        ],
      },
      "SELECT b FROM m",
    ],
    [
      "a long measure, often",
      {
        models: [items({})],
        cubes: [
          cube(
            [],
            [
              column("a", { expression: `greatest(${many(15_000, "sum(id)")})` }),
              column("b", { expression: `greatest(${many(9_000, "a")})` }),
            ],
          ),
        ],
      },
      "SELECT b FROM q",
    ],
    [
      "a long rule, often",
      {
        models: [
          items({
            rowLevelAccessControls: [{ name: "r", requiredProperties: [], condition: `id IN (${many(5_000, "1")})` }],
          }),
        ],
        views: [view("a", many(90, "SELECT id FROM m", " UNION ALL "))],
      },
      many(100, "SELECT id FROM a", " UNION ALL "),
    ],
    [
      "a long condition at each of many steps",
      {
        models: [
          items({
            columns: [
              column("id"),
              { name: "o", type: "m", relationship: "r" },
              computed("far", `${many(400, "o", ".")}.id`),
            ],
            primaryKey: "id",
          }),
        ],
        relationships: [
          {
            ...{ name: "r", models: ["m", "m"], joinType: "MANY_TO_ONE" },
            condition: many(4_000, "m.id = m.id", " AND "),
          },
        ],
      },
      "SELECT far FROM m",
    ],
    [
      "long macros in many columns",
      {
        models: [items({ columns: Array.from({ length: 800 }, (_, index) => computed(`c${index}`, "{{ f() }} + 0")) })],
        macros: [{ name: "f", definition: `() => coalesce(${many(20_000, "1", ",")})` }],
      },
      "SELECT * FROM m",
    ],
    [
      "a chain of models, often",
      {
        models: Array.from({ length: 30 }, (_, index) => ({
          name: `m${index}`,
          columns: [column("id")],
          ...(index === 0 ? { tableReference: { table: "t" } } : { baseObject: `m${index - 1}` }),
        })),
        views: [view("a", many(90, "SELECT id FROM m29", " UNION ALL "))],
      },
      many(100, "SELECT id FROM a", " UNION ALL "),
    ],
  ])("%s", (_what, more, sql) => {
    expect(reason(sql, manifestOf({ catalog: "c", schema: "s", ...more }))).toBe("LIMIT_SIZE");
  });

  // The time of each level was that of the next one thrice: minutes.
  test("metrics of metrics that withhold a column", () => {
    const property = { name: "level", required: false };
    const threshold = { value: "3", dataType: "NUMERIC" };
    const rule = { name: "r", requiredProperties: [property], operator: "GREATER_THAN", threshold };
    const measure = (name: string): object => column(name, { expression: `max(${name})` });
    const over = manifestOf({
      ...{ catalog: "c", schema: "s" },
      models: [
        {
          name: "m0",
          tableReference: { table: "t" },
          columns: [column("n"), column("k", { columnLevelAccessControl: rule })],
        },
      ],
      metrics: Array.from({ length: 14 }, (_, index) => ({
        name: `m${index + 1}`,
        baseObject: `m${index}`,
        ...{ dimension: [], measure: [measure("n"), measure("k")], timeGrain: [] },
      })),
    });
    const session = new Map([["level", "1"]]);
    expect(reason("SELECT n FROM m14", over, { session })).toBeUndefined();
    expect(reason("SELECT k FROM m14", over, { session })).toBe("ACCESS_DENIED");
  });
});

// The rule was evaluated for each column of the lineage.
test("a long threshold behind many columns of the result", () => {
  const rule = {
    name: "r",
    requiredProperties: [{ name: "level", required: true }],
    operator: "NOT_EQUALS",
    threshold: `'${"x".repeat(800_000)}'`,
  };
  const id = { name: "id", type: "INTEGER", columnLevelAccessControl: rule };
  const models = [{ name: "m", tableReference: { table: "t" }, columns: [id] }];
  const sql = `SELECT ${Array.from({ length: 1500 }, (_, index) => `id AS c${index}`).join(", ")} FROM m`;
  const session = new Map([["level", "'y'"]]);
  const plan = planned(sql, manifestOf({ catalog: "c", schema: "s", models }), { session });
  expect(plan.lineage()).toHaveLength(1500);
  expect(plan.lineage()[1499]?.sources).toEqual(["m.id"]);
});

describe("calculated columns that name a great deal behind relationships", () => {
  const many = (length: number, make: (index: number) => string, separator: string): string =>
    Array.from({ length }, (_, index) => make(index)).join(separator);
  const typed = (name: string, more: object = {}): object => ({ name, type: "INTEGER", ...more });

  /** Customers with their orders, and the calculated column `t` of customers. */
  const shop = (expression: string, condition: string) =>
    manifestOf({
      ...{ catalog: "c", schema: "s" },
      models: [
        {
          ...{ name: "c", tableReference: { table: "c" }, primaryKey: "id" },
          columns: [
            typed("id"),
            { name: "o", type: "o", relationship: "r" },
            typed("t", { isCalculated: true, expression }),
          ],
        },
        {
          ...{ name: "o", tableReference: { table: "o" }, primaryKey: "cid" },
          columns: [typed("cid"), typed("abcdefghijklmn")],
        },
      ],
      relationships: [{ name: "r", models: ["c", "o"], joinType: "ONE_TO_MANY", condition }],
    });

  const cases = (index: number): string =>
    [..."abcdefghijklmn"].map((letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter)).join("");

  test.each([
    // Each was compared with all before it.
    ["aggregates", `greatest(${many(6000, (index) => `sum(o.cid + ${index})`, ",")})`, "c.id = o.cid", /_a6000\b/],
    // Each spelling was compared with all others.
    [
      "paths in an aggregate",
      `sum(coalesce(${many(16_000, (index) => `o.${cases(index)}`, ",")}))`,
      "c.id = o.cid",
      /_a1\b/,
    ],
    // Each looked for the key in the condition anew.
    [
      "columns of one row",
      `coalesce(${many(6000, () => "o.cid", ",")})`,
      `c.id = o.cid AND ${many(6000, () => "c.id = o.cid", " AND ")}`,
      /coalesce\(_t1\.cid/,
    ],
  ])("%s", (_name, expression, condition, expected) => {
    expect(planned("SELECT t FROM c", shop(expression, condition)).sql).toMatch(expected);
  });
});

describe("common tables beside texts of the modeller", () => {
  const over = (refSql: string, expressions: readonly string[], views: readonly object[]) =>
    manifestOf({
      ...{ catalog: "c", schema: "s", views },
      models: [
        {
          ...{ name: "m", refSql },
          columns: [
            { name: "id", type: "INTEGER" },
            ...expressions.map((expression, index) => ({ name: `s${index}`, type: "INTEGER", expression })),
          ],
        },
      ],
    });
  const union = (length: number, text: string): string => Array.from({ length }, () => text).join(" UNION ALL ");

  // Every name was looked for in every text once for each time that the model stands in the query.
  test("many names, many texts and many occurrences", () => {
    const expressions = Array.from({ length: 1500 }, (_, index) => `b${index}+1`);
    const names = Array.from({ length: 200 }, (_, index) => `z${index} AS (SELECT 1)`);
    const v = { name: "v", statement: `WITH ${names.join(", ")} ${union(200, "SELECT id FROM m")}` };
    const w = { name: "w", statement: union(5, "SELECT id FROM v") };
    const { sql } = planned("SELECT id FROM w", over("SELECT * FROM t", expressions, [v, w]));
    expect(sql).toContain("z199");
  });

  // Each new name was found in the text as well.
  test("a text that names whatever a common table is renamed to", () => {
    const renamed = (name: string): string => name + "_cte".repeat(15);
    const names = Array.from({ length: 10_000 }, (_, index) => renamed(`cte_${index}`));
    const refSql = `SELECT 1 AS ${renamed("x")}, ${names.join(", ")}`;
    expect(reason("WITH x AS (SELECT 1 AS a) SELECT a FROM x, m", over(refSql, [], []))).toBe("LIMIT_SIZE");
  });
});

describe("near names of a cube whose members may be withheld", () => {
  const ruled = {
    name: "r",
    requiredProperties: [{ name: "level", required: false }],
    operator: "EQUALS",
    threshold: "1",
  };
  const columns = ["id", "x"].map((name) => ({ name, type: "INTEGER", columnLevelAccessControl: ruled }));
  const typed = (name: string, expression: string): object => ({ name, expression, type: "INTEGER" });
  const cube = (baseObject: string, dimensions: readonly object[], measures: readonly object[]): object => ({
    ...{ name: "q", baseObject, dimensions, measures, timeDimensions: [] },
  });
  const count = (length: number, make: (index: number) => object): readonly object[] =>
    Array.from({ length }, (_, index) => make(index));

  // Each measure went through the text of the dimension anew.
  test("a long dimension in many measures", () => {
    const long = typed("d", `coalesce(${Array.from({ length: 40_000 }, () => "id").join(",")})`);
    const over = manifestOf({
      ...{ catalog: "c", schema: "s" },
      models: [{ name: "m", tableReference: { table: "t" }, columns }],
      cubes: [
        cube(
          "m",
          [long],
          count(2000, (index) => typed(`total${index}`, "sum(d)")),
        ),
      ],
    });
    expect(reason("SELECT totl1 FROM q", over)).toBe("COLUMN_NOT_FOUND");
  });

  // Each name of a measure went through all rules of the manifest, for a view that nobody has read yet.
  test("rules of many models, over a view", () => {
    const over = manifestOf({
      ...{ catalog: "c", schema: "s" },
      models: count(1000, (index) => ({ name: `m${index}`, tableReference: { table: "t" }, columns })),
      views: [{ name: "v", statement: "SELECT id, x FROM m0" }],
      cubes: [
        cube(
          "v",
          [],
          count(1500, (index) => typed(`total${index}`, `sum(${"id + ".repeat(20)}x)`)),
        ),
      ],
    });
    expect(() => plannedCube({ cube: "q", measures: ["totl1"] }, over)).toThrow(
      expect.objectContaining({ reason: "CUBE_FIELD_NOT_FOUND" }),
    );
  });
});

test("a connection of many large values is hidden as a whole", () => {
  const kwargs = Object.fromEntries(Array.from({ length: 490 }, (_, index) => [`k${index}`, `${index}`.repeat(5000)]));
  expect(redactorFor({ user: "u".repeat(10_000), kwargs }).redact("anything")).toBe("***");
});

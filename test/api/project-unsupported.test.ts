/** Constructs of the operator that a source lacks: a caller who may not see SQL reads nothing of them, and all of its own. */
import { describe, expect, it } from "vitest";
import type { OperatorConnection } from "../../src/service/services.ts";
import { projectApp } from "../projects/project-app.ts";

const BAD = "regexp_replace(name, 'canary(?=x)', '')";
const id = { name: "id", type: "INTEGER" };
const name = { name: "name", type: "VARCHAR" };
const calculated = { name: "calculated", type: "VARCHAR", isCalculated: true, expression: BAD };

const MANIFEST = {
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "orders",
      tableReference: { table: "t" },
      primaryKey: "id",
      columns: [id, name, calculated, { name: "buyer", type: "buyers", relationship: "orders_buyers" }],
    },
    { name: "buyers", tableReference: { table: "b" }, primaryKey: "id", columns: [id, name, calculated] },
  ],
  relationships: [
    {
      name: "orders_buyers",
      models: ["orders", "buyers"],
      joinType: "MANY_TO_ONE",
      condition: "orders.id = buyers.id",
    },
  ],
  views: [{ name: "viewed", statement: `SELECT id, ${BAD} AS x FROM orders` }],
  metrics: [
    {
      name: "metric",
      baseObject: "orders",
      dimension: [{ name: "x", type: "VARCHAR", isCalculated: true, expression: BAD }],
      measure: [{ name: "n", type: "VARCHAR", expression: `max(${BAD})` }],
    },
  ],
  cubes: [
    {
      name: "sales",
      baseObject: "orders",
      measures: [
        { name: "n", type: "BIGINT", expression: "count(*)" },
        { name: "longest", type: "VARCHAR", expression: `max(${BAD})` },
        { name: "listed", type: "VARCHAR", expression: "regexp_replace(max(name), 'canary(?=x)', '')" },
        { name: "nested", type: "VARCHAR", expression: "upper(listed)" },
      ],
      dimensions: [
        { name: "state", type: "VARCHAR", expression: "name" },
        { name: "part", type: "VARCHAR", expression: BAD },
        { name: "marked", type: "VARCHAR", expression: "name || 'canary(?=x)'" },
      ],
    },
  ],
};

function shop(show: object = {}) {
  const app = projectApp({ key: { projects: ["shop"] } });
  app.store.push("shop", MANIFEST, { connection: "mysql", show });
  const connections = app.services.connections as Map<string, OperatorConnection>;
  connections.set("mysql", {
    source: "mysql",
    hidden: {},
    prepared: app.services.sources.prepare("mysql", { host: "warehouse" }),
  });
  return app;
}

const STATEMENTS: readonly (readonly [about: string, path: string, body: object])[] = [
  ...[
    ["a measure", "SELECT longest FROM sales"],
    ["a measure whose outermost call it is", "SELECT listed FROM sales"],
    ["a measure of a measure", "SELECT nested FROM sales"],
    ["a dimension", "SELECT part, n FROM sales"],
    ["a dimension in WHERE", "SELECT n FROM sales WHERE part = 'x'"],
    ["a dimension under an alias", "SELECT n AS k, part AS x FROM sales ORDER BY x"],
    ["a dimension by its position", "SELECT part, n FROM sales ORDER BY 1"],
    ["a dimension inside the caller's call", "SELECT upper(part) FROM sales GROUP BY 1"],
    ["a measure in HAVING", "SELECT state FROM sales GROUP BY state HAVING max(part) > 'x'"],
    ["a cube in a join", "SELECT buyers.id, part FROM buyers JOIN sales ON buyers.name = part"],
    ["a cube in a subquery", "SELECT * FROM (SELECT part FROM sales) AS t"],
    ["a calculated column", "SELECT calculated FROM orders"],
    ["a calculated column behind a path", "SELECT o.buyer.calculated FROM orders AS o"],
    ["a view", "SELECT x FROM viewed"],
    ["a metric", "SELECT n FROM metric"],
  ].flatMap(([about = "", sql = ""]) =>
    ["query", "query?dryRun=true", "explain"].map((path) => [`${about}, ${path}`, path, { sql }] as const),
  ),
  ["a structured query's measure", "cube", { cube: { cube: "sales", measures: ["longest"] } }],
  ["a structured query's dimension", "cube", { cube: { cube: "sales", measures: ["n"], dimensions: ["part"] } }],
  [
    "a structured query's filter",
    "cube",
    { cube: { cube: "sales", measures: ["n"], filters: [{ dimension: "part", operator: "eq", value: "x" }] } },
  ],
];

describe("a construct of the operator that the source lacks", () => {
  it.each(STATEMENTS)("in %s is not quoted", async (_, path, body) => {
    const response = await shop().ask("key", `shop/${path}`, body);
    const text = await response.text();
    expect([response.status, text]).toEqual([422, expect.stringContaining("UNSUPPORTED_ON_SOURCE")]);
    expect(text).not.toMatch(/canary|\(\?=|regular|look-around|MySQL/);
  });

  it.each([
    ["by itself", "SELECT regexp_replace(name, '(?=own)', '') FROM orders", "(?="],
    ["beside a member", "SELECT n, regexp_replace('x', '(?=own)', '') AS y FROM sales", "(?="],
  ])("is told apart from the caller's own %s, which is named", async (_, sql, quoted) => {
    const response = await shop().ask("key", "shop/query", { sql });
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining(quoted)]);
  });

  it("is named where the project shows its SQL", async () => {
    const response = await shop({ sql: true }).ask("key", "shop/query", { sql: "SELECT longest FROM sales" });
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining("regular expression")]);
  });
});

describe("a warning about text of the operator", () => {
  const column = (name: string, expression: string) => ({ name, type: "VARCHAR", isCalculated: true, expression });
  const member = (name: string, expression: string) => ({ name, type: "VARCHAR", expression });
  const manifest = {
    ...MANIFEST,
    models: [
      {
        name: "orders",
        tableReference: { table: "t" },
        primaryKey: "id",
        columns: [id, name, column("own", "canary(name)")],
      },
    ],
    relationships: [],
    metrics: [],
    views: [{ name: "viewed", statement: "SELECT id, canary(name) AS x FROM orders" }],
    cubes: [
      {
        name: "sales",
        baseObject: "orders",
        measures: [{ name: "longest", type: "BIGINT", expression: "count(canary(name))" }],
        dimensions: [member("part", "canary(name)")],
      },
    ],
  };
  const asked = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const app = projectApp({ key: { projects: ["shop"] } });
    app.store.push("shop", manifest);
    const response = await app.ask("key", path, body, headers);
    return { status: response.status, told: `${await response.text()} ${response.headers.get("x-warnings") ?? ""}` };
  };

  it.each([
    "SELECT own FROM orders",
    "SELECT x FROM viewed",
    "SELECT longest FROM sales",
    "SELECT part FROM sales",
    "SELECT part, longest FROM sales",
  ])("is not the caller's to read: %s", async (sql) => {
    for (const path of ["shop/explain", "shop/query?dryRun=true"]) {
      for (const headers of [{}, { "x-strict": "true" }]) {
        const { status, told } = await asked(path, { sql }, headers);
        expect([told, status]).toEqual([expect.not.stringContaining("canary"), path === "shop/explain" ? 200 : 204]);
      }
    }
  });

  it("is not in the answer to a structured query", async () => {
    const cube = { cube: "sales", measures: ["longest"], dimensions: ["part"] };
    const { status, told } = await asked("shop/cube?dryRun=true", { cube }, { "x-strict": "true" });
    expect([status, told]).toEqual([204, " "]);
  });

  it("is told apart from one about the caller's own", async () => {
    const { told } = await asked("shop/explain", { sql: "SELECT noone(part) AS u FROM sales GROUP BY 1" });
    expect(told).toContain("function noone is not known");
    expect(told).not.toContain("canary");
  });
});

/** Values of a column by a term, and values of enums, in projects with rules. */
import { describe, expect, it } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
import type { OperatorConnection } from "../../src/service/services.ts";
import { projectApp } from "../projects/project-app.ts";
import { SHOP } from "../projects/shop.ts";
import type { Script } from "../service/in-memory.ts";
import type { ErrorBody } from "./test-app.ts";

const KEYS = {
  low: { projects: ["shop"], properties: { tenant: "alpha", level: 1 } },
  high: { projects: ["shop"], properties: { tenant: "alpha", level: 9 } },
} as const;

function shopOn(
  source: DataSource,
  script: Script,
  manifest: object = SHOP,
  options: Parameters<typeof projectApp>[1] = {},
) {
  const app = projectApp(KEYS, { script, ...options });
  app.store.push("shop", manifest, { connection: "there" });
  const connections = app.services.connections as Map<string, OperatorConnection>;
  connections.set("there", {
    source,
    hidden: {},
    prepared: app.services.sources.prepare(source, { host: "warehouse" }),
  });
  return app;
}

const columns: NonNullable<Script["columns"]> = [{ name: "value", type: { kind: "string" } }];
const TEXTS: Script = {
  columns,
  batches: [
    [["Alpha"], ["beta"]],
    [["GAMMA"], ["İstanbul"], ["50%"]],
  ],
};

describe("a term", () => {
  const PLAIN = ["bigquery", "snowflake", "mssql", "oracle", "redshift", "doris", "databricks"] as const;
  it.each(
    PLAIN.flatMap((source) =>
      [
        ["A", ["Alpha", "beta", "GAMMA", "İstanbul"]],
        ["mm", ["GAMMA"]],
        ["%", ["50%"]],
        ["", ["Alpha", "beta", "GAMMA", "İstanbul", "50%"]],
        ["none", []],
      ].map(([term, values]) => [source, term, values] as const),
    ),
  )("is found on %s, where the rules hold for plain statements alone: %j", async (source, term, values) => {
    const app = shopOn(source, TEXTS);
    const response = await app.ask("low", "shop/values", { column: "orders.status", term });
    expect([response.status, await response.json()]).toEqual([200, { values, truncated: false }]);
    const sent = app.services.sources.statements[0]?.sql ?? "";
    // The source is told nothing that can fail over a row which the rule excludes.
    expect(sent).toMatch(/'alpha'/);
    expect(sent).not.toMatch(/position|instr|charindex|like|contains|strpos/i);
  });

  it("is searched by the source where that cannot tell of excluded rows", async () => {
    for (const source of ["postgres", "mysql", "trino", "clickhouse", "duckdb"] as const) {
      const app = shopOn(source, TEXTS);
      await app.ask("low", "shop/values", { column: "orders.status", term: "needle" });
      expect(app.services.sources.statements[0]?.sql).toContain("needle");
    }
  });

  it("is not found on sources without any guarantee", async () => {
    const response = await shopOn("athena", TEXTS).ask("low", "shop/values", { column: "orders.status", term: "a" });
    expect(response.status).toBe(422);
  });

  it("says that there are more when the list that was searched is cut", async () => {
    const batch = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => [`v${String(from + index).padStart(6, "0")}`]);
    const app = shopOn("snowflake", { columns, batches: [batch(0, 5000), batch(5000, 5000)] });
    const found = async (term: string, limit?: number) =>
      (await app.ask("low", "shop/values", { column: "orders.status", term, limit })).json();
    expect(await found("v009999")).toEqual({ values: ["v009999"], truncated: true });
    expect(await found("v00000", 3)).toEqual({ values: ["v000000", "v000001", "v000002"], truncated: true });
  });

  it("says that there are more when the operator's cap cuts the answer", async () => {
    const script: Script = { columns, batches: [[["a"], ["b"]]] };
    const app = shopOn("postgres", script, SHOP, { limits: { maxRows: 2 } });
    const response = await app.ask("low", "shop/values", { column: "orders.status" }, { "x-strict": "true" });
    expect(await response.json()).toEqual({ values: ["a", "b"], truncated: true });
    expect(app.services.sources.statements[0]?.sql).toContain("LIMIT 2");
  });

  it("is found in numbers and dates", async () => {
    const [orders, ...others] = SHOP.models;
    const searchable = (name: string, type: string) => ({ name, type, properties: { searchable: true } });
    const manifest = {
      ...SHOP,
      models: [
        { ...orders, columns: [...(orders?.columns ?? []), searchable("size", "INTEGER"), searchable("day", "DATE")] },
        ...others,
      ],
    };
    const numbers: Script = { columns: [{ name: "value", type: { kind: "int32" } }], batches: [[[7], [17], [20]]] };
    const sizes = await shopOn("mssql", numbers, manifest).ask("low", "shop/values", {
      column: "orders.size",
      term: "7",
    });
    expect(await sizes.json()).toEqual({ values: ["7", "17"], truncated: false });
    const dates: Script = { columns: [{ name: "value", type: { kind: "date" } }], batches: [[[0], [31]]] };
    const days = await shopOn("oracle", dates, manifest).ask("low", "shop/values", {
      column: "orders.day",
      term: "-02-",
    });
    expect(await days.json()).toEqual({ values: ["1970-02-01"], truncated: false });
  });
});

describe("values of an enum", () => {
  const withEnum = {
    ...SHOP,
    enumDefinitions: [
      { name: "Secret", values: [{ name: "OPEN_CANARY" }, { name: "SHUT_CANARY" }] },
      { name: "Level", values: [{ name: "LOW", value: "low" }, { name: "HIGH" }] },
    ],
    models: SHOP.models.map((model) =>
      model.name !== "orders"
        ? model
        : {
            ...model,
            columns: [
              ...model.columns,
              { name: "hidden_kind", type: "Secret", isHidden: true },
              { name: "kind", type: "Level" },
              { ...model.columns.find(({ name }) => name === "restricted_canary"), name: "ruled_kind", type: "Secret" },
            ],
          },
    ),
  };
  const refusal = async (key: string, name: string) => {
    const response = await shopOn("postgres", TEXTS, withEnum).ask(key, "shop/query", {
      sql: `SELECT id FROM customers WHERE name = ${name}`,
    });
    const { message, metadata } = (await response.json()) as ErrorBody;
    return JSON.stringify([response.status, message, metadata]);
  };

  it("are listed for a type of a column that the caller may see", async () => {
    expect(await refusal("low", "Level.MIDDLE")).toMatch(/ENUM_VALUE_NOT_FOUND.*LOW, HIGH/);
    expect(await refusal("high", "Secret.MIDDLE")).toMatch(/ENUM_VALUE_NOT_FOUND.*OPEN_CANARY/);
  });

  it("are unknown for any other", async () => {
    expect(await refusal("low", "Secret.MIDDLE")).toBe(
      (await refusal("low", "Sacret.MIDDLE")).replaceAll("Sacret", "Secret"),
    );
  });
});

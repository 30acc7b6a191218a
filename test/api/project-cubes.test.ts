/** Cubes over a view in a project with rules: members that the caller may see are planned, all others are unknown. */
import { describe, expect, it } from "vitest";
import { projectApp } from "../projects/project-app.ts";
import { SHOP } from "../projects/shop.ts";
import type { ErrorBody } from "./test-app.ts";

const KEYS = {
  low: { projects: ["shop"], properties: { tenant: "alpha", level: 1 } },
  high: { projects: ["shop"], properties: { tenant: "alpha", level: 9 } },
  bare: { projects: ["shop"], properties: { level: 1 } },
} as const;

const MANIFEST = {
  ...SHOP,
  models: [
    ...SHOP.models,
    {
      name: "over_view",
      baseObject: "all_orders",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "restricted_canary", type: "INTEGER" },
        { name: "next_canary", type: "INTEGER", isCalculated: true, expression: "restricted_canary + 1" },
      ],
    },
  ],
  views: [
    ...SHOP.views,
    { name: "grouped", statement: "SELECT restricted_canary, count(*) AS n FROM orders GROUP BY restricted_canary" },
    { name: "faulty", statement: "SELECT nosuch FROM orders" },
  ],
  cubes: [
    ...SHOP.cubes,
    {
      name: "listed",
      baseObject: "all_orders",
      measures: [
        { name: "n", expression: "count(*)", type: "BIGINT" },
        { name: "ids", expression: "n + max(id)", type: "BIGINT" },
        { name: "sum_canary", expression: "sum(restricted_canary)", type: "BIGINT" },
        { name: "behind_canary", expression: "n + sum_canary", type: "BIGINT" },
      ],
      dimensions: [
        { name: "state", expression: "upper(status)", type: "VARCHAR" },
        { name: "by_canary", expression: "restricted_canary", type: "INTEGER" },
      ],
    },
    {
      name: "modelled",
      baseObject: "over_view",
      measures: [
        { name: "n", expression: "count(*)", type: "BIGINT" },
        { name: "sum_canary", expression: "sum(restricted_canary)", type: "BIGINT" },
      ],
      dimensions: [
        { name: "id", expression: "id", type: "INTEGER" },
        { name: "by_canary", expression: "next_canary", type: "INTEGER" },
      ],
    },
    {
      name: "closed",
      baseObject: "grouped",
      measures: [{ name: "groups", expression: "count(*)", type: "BIGINT" }],
      dimensions: [{ name: "n", expression: "n", type: "BIGINT" }],
    },
    {
      name: "wrong",
      baseObject: "faulty",
      measures: [{ name: "sums", expression: "sum(nosuch)", type: "BIGINT" }],
      dimensions: [],
    },
  ],
};

function shop(show: Record<string, unknown> = {}) {
  const app = projectApp(KEYS);
  app.store.push("shop", MANIFEST, { show });
  return app;
}

describe("a cube over a view", () => {
  it.each([
    [["n"], ["state"]],
    [["ids"], []],
  ])("is planned with its rules: %j by %j", async (measures, dimensions) => {
    const app = shop();
    for (const key of ["low", "high"]) {
      const response = await app.ask(key, "shop/cube?dryRun=true", { cube: { cube: "listed", measures, dimensions } });
      expect([response.status, await response.text()]).toEqual([204, ""]);
    }
    for (const { sql } of app.services.sources.statements) expect(sql).toContain("hidden_canary = 'alpha'");
    expect(app.services.sources.statements).toHaveLength(2);
  });

  it.each([
    ["listed", "sum_canary", []],
    ["listed", "behind_canary", []],
    ["listed", "n", ["by_canary"]],
    ["modelled", "sum_canary", []],
    ["modelled", "n", ["by_canary"]],
  ])(
    "%s keeps %s by %j from callers without the column, as if it were not there",
    async (name, measure, dimensions) => {
      const app = shop();
      const refused = async (body: object) => {
        const response = await app.ask("low", "shop/cube", { cube: body });
        const { message, metadata } = (await response.json()) as ErrorBody;
        return JSON.stringify([response.status, message, metadata]);
      };
      const known = await refused({ cube: name, measures: [measure], dimensions });
      const unknown = await refused({
        cube: name,
        measures: [measure === "n" ? "n" : "unknown_canary"],
        dimensions: dimensions.map(() => "unknown_canary"),
      });
      const blurred = (text: string): string => text.replaceAll(/\w+_canary/g, "…");
      expect(blurred(known)).toBe(blurred(unknown));
      expect(known).toContain("CUBE_FIELD_NOT_FOUND");
      const cube = { cube: name, measures: [measure], dimensions };
      expect((await app.ask("high", "shop/cube?dryRun=true", { cube })).status).toBe(204);
    },
  );

  it("is described by the members that the caller may see", async () => {
    const app = shop();
    const cubes = async (key: string) => {
      const { cubes } = (await (await app.ask(key, "shop")).json()) as {
        cubes: { name: string; measures: { name: string }[]; dimensions: { name: string }[] }[];
      };
      return Object.fromEntries(
        cubes.map(({ name, measures, dimensions }) => [name, [...measures, ...dimensions].map((each) => each.name)]),
      );
    };
    expect(await cubes("low")).toEqual({
      sales: ["revenue", "state"],
      listed: ["n", "ids", "state"],
      modelled: ["n", "id"],
    });
    expect(await cubes("high")).toMatchObject({
      listed: ["n", "ids", "sum_canary", "behind_canary", "state", "by_canary"],
      closed: ["groups", "n"],
    });
  });

  it.each([
    ["a view that groups by a column of another's", "low", "closed", "groups"],
    ["a view with a fault", "high", "wrong", "sums"],
    ["a session without the value of a rule", "bare", "listed", "n"],
  ])("stays closed over %s", async (_, key, cube, measure) => {
    const app = shop();
    const response = await app.ask(key, "shop/cube", { cube: { cube, measures: [measure] } });
    expect([response.status >= 400, await response.text()]).toEqual([true, expect.not.stringMatching(/canary|tenant/)]);
    expect(app.services.sources.statements).toEqual([]);
  });
});

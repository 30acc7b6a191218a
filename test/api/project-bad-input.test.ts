/** Projects under bad input: stores that hang, manifests that became invalid, thousands of projects, odd parameters. */
import { describe, expect, it } from "vitest";
import { manifestPath, pointerPath } from "../../src/projects/store.ts";
import { projectApp } from "../projects/project-app.ts";
import { SHOP } from "../projects/shop.ts";
import type { ErrorBody } from "./test-app.ts";

const KEYS = {
  ann: { projects: ["shop"], properties: { tenant: "alpha", level: 1 } },
  all: { projects: ["*"], properties: { tenant: "alpha", level: 1 }, viewAs: true },
} as const;
const QUERY = { sql: "SELECT id FROM orders" };

function shop(pointer: Record<string, unknown> = {}) {
  const app = projectApp(KEYS);
  app.store.push("shop", SHOP, pointer);
  return app;
}

const reasonOf = async (response: Response): Promise<unknown> =>
  [response.status, ((await response.json()) as ErrorBody).metadata?.["reason"]] as const;

const ROUTES: readonly (readonly [path: string, body: object | undefined])[] = [
  ["shop", undefined],
  ["shop/query", QUERY],
  ["shop/explain", QUERY],
  ["shop/dry-plan", QUERY],
  ["shop/cube", { cube: { cube: "sales", measures: ["revenue"] } }],
  ["shop/values", { column: "orders.status" }],
  ["shop/search", {}],
  ["shop/questions/q.csv", undefined],
];

describe.each(ROUTES)("%s", (path, body) => {
  it.each<[string, () => Promise<never>]>([
    ["hangs", () => new Promise<never>(() => {})],
    ["fails", () => Promise.reject(new Error("canary: the store's own words"))],
  ])("a store that %s is 503, and to be asked again", async (_, failing) => {
    const app = shop();
    app.store.failing = failing;
    const response = await app.ask("ann", path, body);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    const text = await response.text();
    expect(text).toContain("PROJECT_UNAVAILABLE");
    expect(text).not.toContain("canary");
  });

  it("a manifest that became invalid is 503, and the old version is not used", async () => {
    const app = shop();
    expect((await app.ask("ann", "shop/query", QUERY)).status).toBe(200);
    app.store.push("shop", "{ canary");
    app.clock.now += 31_000;
    const response = await app.ask("ann", path, body);
    const text = await response.text();
    expect([response.status, text]).toEqual([503, expect.stringContaining("PROJECT_BROKEN")]);
    expect(text).not.toContain("canary");
  });

  it("a blob that is gone, cut or another's is 503", async () => {
    for (const damage of [undefined, "", "null", "x".repeat(200)]) {
      const app = shop();
      const blob = [...app.store.files.keys()].find((each) => each.startsWith("manifests/")) ?? "";
      if (damage === undefined) app.store.files.delete(blob);
      else app.store.files.set(blob, new TextEncoder().encode(damage));
      expect(await reasonOf(await app.ask("ann", path, body))).toEqual([503, "PROJECT_BROKEN"]);
    }
  });

  it("is answered for its own project alone, whatever the name", async () => {
    const app = shop();
    app.store.files.set(pointerPath(".."), new Uint8Array());
    const rest = path.slice("shop".length);
    for (const name of [
      "..",
      "%2e%2e",
      "shop%2F..%2Fshop",
      "%73hop%00",
      "SHOP",
      "__proto__",
      "constructor",
      "%F0%9F%98%80",
    ]) {
      const response = await app.ask("ann", `${name}${rest}`, body);
      expect([name, response.status]).toEqual([name, 404]);
    }
    expect(app.store.reads).toEqual([]);
  });
});

it("10,000 projects are listed once each, in pages, by their pointers alone", async () => {
  const app = projectApp(KEYS);
  for (let index = 0; index < 10_000; index++) app.store.push(`p${index}`, SHOP);
  const names = new Set<string>();
  let cursor: string | undefined;
  let pages = 0;
  do {
    const path = cursor === undefined ? "" : `?cursor=${cursor}`;
    const response = await app.fetch(`/v3/projects${path}`, { headers: { authorization: "Bearer all" } });
    const page = (await response.json()) as { projects: { name: string }[]; cursor?: string };
    for (const { name } of page.projects) names.add(name);
    cursor = page.cursor;
    pages++;
  } while (cursor !== undefined);
  expect([names.size, pages]).toEqual([10_000, 100]);
  expect(app.store.reads).toHaveLength(10_000);
  expect(app.store.reads.filter((path) => path.startsWith("manifests/"))).toEqual([]);
});

it.each(["", "x".repeat(1001), "%00", "..", "999999"])(
  "an odd cursor lists no project of another: %j",
  async (cursor) => {
    const app = projectApp(KEYS);
    for (const name of ["shop", "other"]) app.store.push(name, SHOP);
    const response = await app.fetch(`/v3/projects?cursor=${cursor}`, { headers: { authorization: "Bearer ann" } });
    expect([200, 404]).toContain(response.status);
    expect(await response.text()).not.toContain('"other"');
  },
);

describe("parameters", () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  it.each<[string, unknown, number]>([
    ["no list", { 1: "a" }, 422],
    ["a text", "open", 422],
    ["an object", [{ a: 1 }], 422],
    ["an object of a type that is none", [{ type: "nosuch(", value: "1" }], 422],
    ["a type with SQL in it", [{ type: "integer) OR (1=1", value: "1" }], 422],
    ["a type and no value", [{ type: "integer" }], 422],
    ["a value that is not of its type", [{ type: "date", value: "2026-13-45" }], 422],
    ["a list in a list", [[["a"]]], 422],
    ["deep lists", [nested(500)], 422],
    ["a million of letters", ["x".repeat(1_000_000)], 413],
    ["half of a character", ["\ud800"], 422],
    ["a zero character", ["a\0b"], 422],
    ["a number beyond doubles", ["1e999"], 200],
    ["sixteen digits", [9_007_199_254_740_992], 422],
    ["too many", Array.from({ length: 10_000 }, () => "a"), 422],
    ["none", [], 422],
    ["null", [null], 200],
    ["a quote", ["' OR 1 = 1 --"], 200],
    ["a backslash", ["\\' OR 1 = 1 --"], 200],
  ])("%s", async (_, parameters, status) => {
    const app = shop();
    const sql = "SELECT id FROM orders WHERE status = $1";
    const response = await app.ask("ann", "shop/query", { sql, parameters });
    const text = await response.text();
    expect([response.status, text.slice(0, 300)]).toEqual([status, expect.not.stringContaining("canary")]);
    for (const { sql: sent } of app.services.sources.statements) {
      expect(sent).toContain("hidden_canary = 'alpha'");
      expect(sent.replaceAll(/'(?:[^']|'')*'/g, "?")).not.toContain("OR 1");
    }
  });

  it("stay away from what they may not name: a parameter is a value and no column", async () => {
    const app = shop();
    for (const parameters of [["restricted_canary"], [{ type: "text", value: "restricted_canary" }]]) {
      const response = await app.ask("ann", "shop/query", { sql: "SELECT $1 AS id FROM orders", parameters });
      expect(response.status).toBe(200);
    }
    for (const { sql } of app.services.sources.statements) expect(sql).toContain("'restricted_canary'");
  });
});

it("nothing is written, whatever is asked", async () => {
  const app = shop();
  const before = [...app.store.files.keys()];
  for (const method of ["PUT", "POST", "PATCH", "DELETE"]) {
    for (const path of ["", "/shop", "/shop/questions/q.csv", `/${manifestPath("0")}`]) {
      const response = await app.fetch(`/v3/projects${path}`, {
        method,
        headers: { authorization: "Bearer all", "content-type": "application/json" },
        body: JSON.stringify(SHOP),
      });
      expect([404, 405]).toContain(response.status);
    }
  }
  expect([...app.store.files.keys()]).toEqual(before);
});

import { describe, expect, it } from "vitest";
import type { FunctionRecord } from "../../src/service/descriptions.ts";
import { testApp } from "./test-app.ts";

const get = async <T>(path: string): Promise<T> => (await (await testApp().fetch(path)).json()) as T;

describe("functions", () => {
  it.each(["/v2/connector", "/v3/connector", "/v2/ibis", "/v3/ibis"])("%s lists them", async (prefix) => {
    const app = testApp();
    const response = await app.fetch(`${prefix}/postgres/functions`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(response.headers.get("cache-control")).toBe("private, max-age=3600");
    const records = (await response.json()) as FunctionRecord[];
    expect(records.length).toBeGreaterThan(300);
    expect(records.map(({ name }) => name)).toContain("date_trunc");
    expect(app.services.sources.events).toEqual([]);
  });

  it("has what existing clients compare as a whole", async () => {
    expect(await get("/v3/connector/postgres/function/div")).toEqual([
      {
        function_type: "scalar",
        name: "div",
        return_type: "Decimal(38, 10)",
        param_names: null,
        param_types: "Decimal(38, 10),Decimal(38, 10)",
        description: "trunc(x/y)",
      },
    ]);
    expect(await get("/v3/connector/postgres/function/extract")).toEqual([
      {
        function_type: "scalar",
        name: "extract",
        return_type: "numeric",
        param_names: null,
        param_types: "text,timestamp",
        description: "Get subfield from date/time",
      },
    ]);
  });

  it("one function: an entry per signature, by its exact name", async () => {
    const names = async (name: string): Promise<readonly string[]> =>
      (await get<FunctionRecord[]>(`/v3/connector/local_file/function/${name}`)).map(({ name: own }) => own);
    expect(await names("round")).toEqual(["round", "round"]);
    expect(await names("ROUND")).toEqual([]);
    expect(await names("no_such_function")).toEqual([]);
    expect(await names("constructor")).toEqual([]);
    expect(await names("pg_sleep")).toEqual([]);
    expect(await names(encodeURIComponent("a/b?"))).toEqual([]);
  });

  it("what a source has no word for is not on its list", async () => {
    expect(await get("/v3/connector/postgres/function/skewness")).toEqual([]);
    expect(await get("/v3/connector/duckdb/function/skewness")).toHaveLength(1);
  });
});

describe("knowledge", () => {
  it("has texts, a note of the source, and nothing that needs a connection", async () => {
    const app = testApp();
    const answer = (await (await app.fetch("/v3/connector/postgres/knowledge")).json()) as Record<string, unknown>;
    expect(answer).toMatchObject({
      text_to_sql_rule: expect.stringContaining("QUALIFY"),
      instructions: { calculated_field: expect.any(String), postgres: expect.any(String) },
      sql_correction_rule: expect.stringContaining("phase"),
    });
    expect(app.services.sources.events).toEqual([]);
  });
});

describe.each(["functions", "function/abs", "knowledge"])("%s", (path) => {
  it("names the data sources there are", async () => {
    const response = await testApp().fetch(`/v3/connector/Postgres/${path}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type: "enum", loc: ["path", "data_source"] }] });
  });

  it("needs no body and minds none", async () => {
    const app = testApp();
    expect((await app.fetch(`/v3/connector/duckdb/${path}?x=1`, { method: "HEAD" })).status).toBe(200);
    expect((await app.fetch(`/v3/connector/duckdb/${path}`, { method: "POST", body: "{}" })).status).toBe(405);
  });
});

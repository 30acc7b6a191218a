import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MOUNTS, ROUTES } from "../../src/api/routes.ts";
import { sessionSettingShapes } from "../../src/connectors/session-properties.ts";
import { connectionShapes } from "../../src/connectors/sources.ts";
import { OPERATORS } from "../../src/planner/cubes/structured-query.ts";
import { QUERY, testApp } from "./test-app.ts";

type Json = Record<string, unknown>;

async function documentOf(options: Parameters<typeof testApp>[0] = {}): Promise<Json> {
  const response = await testApp(options).fetch("/openapi.json");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  return (await response.json()) as Json;
}

const document = await documentOf();
const paths = document.paths as Record<string, Record<string, Json>>;
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

/** The value that a local reference names. */
function resolve(reference: string, root: Json = document): unknown {
  return reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((value, part) => (value as Json | undefined)?.[part], root);
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === "$ref" ? [inner as string] : referencesIn(inner)));
}

describe("the OpenAPI document", () => {
  it("is OpenAPI 3.1 under our own name", () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d$/),
      info: { title: "Siskin", version: expect.any(String) },
    });
    expect(Object.keys(document).sort()).toEqual(["components", "info", "openapi", "paths", "security", "servers"]);
    expect([document.servers, document.security]).toEqual([[{ url: "/" }], []]);
  });

  it("has every route that is served, and no other", () => {
    const served = MOUNTS.filter(({ alias }) => alias === undefined).flatMap((mount) =>
      ROUTES.filter(({ family }) => family === mount.family).flatMap((route) =>
        route.methods.map((method) => `${method} ${mount.prefix}${route.path.replaceAll(/:(\w+)/g, "{$1}")}`),
      ),
    );
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(described.sort()).toEqual([...served, "GET /health", "GET /ready", "GET /config"].sort());
  });

  it("gives every operation an id of its own, a summary and answers", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of operations) {
      expect(operation.summary).toEqual(expect.any(String));
      const responses = operation.responses as Record<string, Json>;
      expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
      for (const [status, response] of Object.entries(responses)) {
        expect(status).toMatch(/^[1-5]\d\d$/);
        expect(response.description).toEqual(expect.any(String));
      }
    }
  });

  it("marks /v2 as deprecated, and nothing else", () => {
    for (const { path, operation } of operations) expect(operation.deprecated === true).toBe(path.startsWith("/v2/"));
  });

  it("declares the parameters of its paths, each once", () => {
    for (const { path, operation } of operations) {
      const parameters = ((operation.parameters ?? []) as Json[]).map(
        (reference) => resolve(reference.$ref as string) as Json,
      );
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect(inPath.every((parameter) => parameter.required === true)).toBe(true);
      const templated = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(inPath.map((parameter) => parameter.name).sort()).toEqual(templated.sort());
    }
  });

  it("has no reference that leads nowhere", () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(resolve(reference), reference).toBeDefined();
  });

  it("says what bodies need, and does not forbid what is ignored", () => {
    const body = (path: string): Json => {
      const requestBody = paths[path]?.post?.requestBody as { content: Record<string, Json> } | undefined;
      return requestBody?.content["application/json"]?.schema as Json;
    };
    const query = body("/v3/connector/{data_source}/query");
    expect(query.required).toEqual(["sql", "manifestStr"]);
    expect(query.additionalProperties).toBeUndefined();
    expect(body("/v2/connector/{data_source}/metadata/tables").required).toEqual(["connectionInfo"]);
  });

  it("shows the profile of /v2", async () => {
    const tables = (root: Json): Record<string, Json> => {
      const item = (root.paths as typeof paths)["/v2/connector/{data_source}/metadata/tables"];
      const responses = item?.post?.responses as Record<string, { content: Record<string, Json> }>;
      return responses["200"]?.content ?? {};
    };
    expect(tables(document)["application/json"]?.schema).toMatchObject({ type: "object", required: ["tables"] });
    expect(tables(await documentOf({ api: { v2Profile: "modern" } }))["application/json"]?.schema).toMatchObject({
      type: "array",
    });
  });

  it("describes structured cube queries by the words that the planner knows", () => {
    const cube = paths["/v3/connector/{data_source}/cube"]?.post?.requestBody as { content: Record<string, Json> };
    const schema = cube.content["application/json"]?.schema as { properties: Json };
    expect(schema.properties.cube).toEqual({ $ref: "#/components/schemas/CubeQuery" });
    const filter = resolve("#/components/schemas/CubeFilter") as { properties: Record<string, Json> };
    expect(filter.properties.operator?.enum).toEqual(OPERATORS);
  });

  it("has an example of every operation of /v3 that takes a body", () => {
    const withBody = operations.filter(({ path, operation }) => path.startsWith("/v3") && operation.requestBody);
    expect(withBody).toHaveLength(24);
    for (const { path, operation } of withBody) {
      const { content } = operation.requestBody as { content: Record<string, Json> };
      expect(content["application/json"]?.example, path).toBeDefined();
    }
  });

  it("gives every branch of a union of objects a name", async () => {
    const root = await documentOf({ api: { connectionShapes: connectionShapes() } });
    const unnamed: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        if ((key === "anyOf" || key === "oneOf") && Array.isArray(inner)) {
          const objects = inner.filter((branch: Json) => branch.properties !== undefined);
          if (objects.length > 1) unnamed.push(path);
        }
        look(inner, `${path}/${key}`);
      }
    };
    look(root, "");
    expect(unnamed).toEqual([]);
  });

  it("names the formats of rows", () => {
    const responses = paths["/v3/connector/{data_source}/query"]?.post?.responses as Record<string, Json> | undefined;
    expect(Object.keys(responses?.["200"]?.content as Json)).toEqual([
      "application/json",
      "application/x-ndjson",
      "text/csv",
      "application/vnd.apache.arrow.stream",
    ]);
  });

  it("shows the connections that are available", async () => {
    const root = await documentOf({ api: { connectionShapes: connectionShapes() } });
    const branches = { fields: ["host", "port", "database", "user"], url: ["connectionUrl"] };
    const named = Object.entries(branches).map(([name, required]) => [
      `#/components/schemas/Connection_postgres_${name}`,
      required,
    ]);
    expect(resolve("#/components/schemas/Connection_postgres", root)).toMatchObject({
      anyOf: named.map(([$ref]) => ({ $ref })),
    });
    for (const [$ref, required] of named) expect(resolve(String($ref), root)).toMatchObject({ required });
    for (const source of ["postgres", "local_file", "duckdb"]) {
      expect(referencesIn(root)).toContain(`#/components/schemas/Connection_${source}`);
    }
    for (const reference of referencesIn(root)) expect(resolve(reference, root), reference).toBeDefined();
  });

  it.each([
    ["Connection_postgres_fields", "app.tenant", "work_mem"],
    ["Connection_postgres_url", "app.tenant", "search_path"],
    ["Connection_mysql", "@tenant", "sql_mode"],
    ["Connection_mssql", "tenant", "a b"],
    ["Connection_oracle", "CLIENT_IDENTIFIER", "ROLE"],
    ["Connection_clickhouse", "SQL_tenant", "max_threads"],
    ["Connection_snowflake", "QUERY_TAG", "TIMEZONE"],
  ])("%s has sessionSettings, for the settings that the source takes", async (name, taken, refused) => {
    const shapes = { connectionShapes: connectionShapes(), sessionSettingShapes: sessionSettingShapes() };
    const root = await documentOf({ api: shapes });
    const form = JSON.stringify(resolve(`#/components/schemas/${name}`, root)).includes('"sessionSettings"')
      ? name
      : `${name}_fields`;
    const member = resolve(`#/components/schemas/${form}/properties/sessionSettings`, root) as Json;
    const { pattern } = member["additionalProperties"] as { readonly pattern: string };
    expect(member).toMatchObject({ type: "object", description: expect.any(String) });
    expect([new RegExp(pattern, "i").test(taken), new RegExp(pattern, "i").test(refused)]).toEqual([true, false]);
  });

  it("a connection of a source without settings for session properties has no sessionSettings", async () => {
    const shapes = { connectionShapes: connectionShapes(), sessionSettingShapes: sessionSettingShapes() };
    expect(
      JSON.stringify(resolve("#/components/schemas/Connection_trino", await documentOf({ api: shapes }))),
    ).not.toContain("sessionSettings");
  });

  it.each(operations.map(({ path, method, operation }) => [method, path, operation] as const))(
    "%s %s answers with a status that is described",
    async (method, path, operation) => {
      const served = path
        .replace("{data_source}", "postgres")
        .replace("{rule_name}", "column_is_valid")
        .replace("{function_name}", "abs")
        .replace("{project}", "shop");
      const body = JSON.stringify({ ...QUERY, parameters: { modelName: "m", columnName: "c" } });
      const response = await testApp().fetch(served, {
        method: method.toUpperCase(),
        ...(method === "post" && { body }),
      });
      expect(Object.keys(operation.responses as Json)).toContain(String(response.status));
    },
  );
});

describe.each(["/docs", "/redoc"])("%s", (path) => {
  it("lists every operation without scripts and without anything from elsewhere", async () => {
    const response = await testApp().fetch(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const html = await response.text();
    for (const { path: described, operation } of operations) {
      expect(html).toContain(`<code>${described}</code>`);
      expect(html).toContain(operation.summary as string);
    }
    expect(html).toContain('href="/openapi.json"');
    expect(html).not.toMatch(/<script|<link|<img|https?:|@import|url\(/);
  });

  it("has a policy under which only its own style applies", async () => {
    const response = await testApp().fetch(path);
    const style = /<style>(.*)<\/style>/s.exec(await response.text())?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).not.toContain("unsafe");
  });
});

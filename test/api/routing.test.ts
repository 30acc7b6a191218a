import { describe, expect, it } from "vitest";
import { MOUNTS, ROUTES } from "../../src/api/routes.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { detailOf, QUERY, testApp } from "./test-app.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Every path that is served, with values in place of parameters. */
const SERVED = MOUNTS.flatMap((mount) =>
  ROUTES.filter(({ family }) => family === mount.family).map((route) => ({
    route,
    path: (mount.prefix + route.path)
      .replace(":data_source", "postgres")
      .replace(":rule_name", "column_is_valid")
      .replace(":function_name", "abs"),
  })),
);

/** docs/spec/contract.md#routes and docs/decisions/0006-own-routes.md: below `/v2/connector` and `/v3/connector`. */
const OPERATIONS = [
  "POST postgres/query",
  "POST postgres/validate/column_is_valid",
  "POST dry-plan",
  "POST postgres/dry-plan",
  "POST postgres/model-substitute",
  "POST postgres/metadata/tables",
  "POST postgres/metadata/schemas",
  "POST postgres/metadata/constraints",
  "POST postgres/metadata/version",
  "GET postgres/functions",
  "GET postgres/function/abs",
  "GET postgres/knowledge",
  "POST explain",
  "POST postgres/explain",
  "POST postgres/cube",
  "POST postgres/cube/dry-plan",
];

describe("every operation", () => {
  it.each(
    ["/v2/connector", "/v3/connector", "/v2/ibis", "/v3/ibis"].flatMap((prefix) =>
      OPERATIONS.map((operation) => [prefix, operation]),
    ),
  )("%s: %s is served", async (prefix, operation) => {
    const [method = "", path] = operation.split(" ");
    const response = await testApp().fetch(`${prefix}/${path}`, { method, ...(method === "POST" && { body: "{}" }) });
    expect(response.status).toBe(method === "GET" ? 200 : 422);
  });

  it.each(["/v3/%63onnector/dry-plan", "/v2/%69bis/dry-plan"])(
    "%s: letters that are escaped lead where they would unescaped, in a new isolate as in an old one",
    async (path) => {
      const app = testApp();
      const first = await app.fetch(path, { method: "POST", body: "{}" });
      await app.fetch(decodeURIComponent(path), { method: "POST", body: "{}" });
      const later = await app.fetch(path, { method: "POST", body: "{}" });
      expect([first.status, later.status]).toEqual([422, 422]);
    },
  );

  it.each(["/v2/analysis/sql", "/v2/analysis/sqls", "/v3/analysis/sql", "/v3/analysis/sqls"])(
    "%s answers GET and POST",
    async (path) => {
      for (const method of ["GET", "POST"]) expect((await testApp().fetch(path, { method })).status).toBe(422);
    },
  );

  it.each(
    SERVED.filter(({ route }) => route.path.includes(":data_source")).map(
      ({ route, path }) => [route.methods[0], path] as const,
    ),
  )("%s %s refuses a data source that does not exist", async (method, path) => {
    const response = await testApp().fetch(path.replace("postgres", "postgresql"), {
      method: method ?? "",
      ...(method === "POST" && {
        body: JSON.stringify({ ...QUERY, ...(path.includes("/validate/") && { parameters: {} }), cube: {} }),
      }),
    });
    expect(response.status).toBe(422);
    expect(await detailOf(response)).toEqual([
      { type: "enum", loc: ["path", "data_source"], msg: expect.stringContaining("'postgres'") },
    ]);
  });

  it.each(DATA_SOURCES)("%s is a data source", async (source) => {
    expect((await testApp().post(`/v3/connector/${source}/query`, QUERY)).status).toBe(200);
  });
});

describe("paths", () => {
  it.each([
    "/nothing",
    "/v1/connector/postgres/query",
    "/v3/connector",
    "/v3/connector/postgres/query/more",
    "/V3/connector/dry-plan",
    "//evil.test/",
  ])("%s is not found", async (path) => {
    const response = await testApp().fetch(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('{"detail":"Not Found"}');
  });

  it.each([
    ["GET", "/v3/connector/postgres/query", "POST, OPTIONS"],
    ["PUT", "/v2/connector/dry-plan", "POST, OPTIONS"],
    ["HEAD", "/v3/connector/postgres/query", "POST, OPTIONS"],
    ["POST", "/v3/connector/postgres/functions", "GET, HEAD, OPTIONS"],
    ["DELETE", "/v3/analysis/sql", "GET, POST, HEAD, OPTIONS"],
    ["PATCH", "/config", "GET, HEAD, OPTIONS"],
    ["POST", "/health", "GET, HEAD, OPTIONS"],
  ])("%s %s is not allowed", async (method, path, allow) => {
    const response = await testApp().fetch(path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    if (method !== "HEAD") expect(await response.text()).toBe('{"detail":"Method Not Allowed"}');
  });

  it("OPTIONS says what is allowed", async () => {
    const response = await testApp().fetch("/v3/connector/postgres/query", { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
  });

  it.each([
    "/health/",
    "/v3/connector/dry-plan/",
    "/v3/connector/postgres/query/?limit=2",
    "/v2/connector/postgres/metadata/tables//",
  ])("%s is sent to the path without a slash", async (path) => {
    const response = await testApp().fetch(path, { method: path === "/health/" ? "GET" : "POST" });
    expect(response.status).toBe(307);
    expect(response.headers.get("location")).toBe(path.replace(/\/+(?=\?|$)/, ""));
  });

  it("GET / leads to the documentation", async () => {
    const response = await testApp().fetch("/");
    expect([response.status, response.headers.get("location")]).toEqual([307, "/docs"]);
  });

  it("HEAD /health answers without a body", async () => {
    const response = await testApp().fetch("/health", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});

describe("headers of every answer", () => {
  const answers: readonly [string, (headers: NonNullable<RequestInit["headers"]>) => Promise<Response>][] = [
    ["200", (headers) => testApp().fetch("/health", { headers })],
    ["rows", (headers) => testApp().post("/v3/connector/postgres/query", QUERY, headers)],
    ["204", (headers) => testApp().post("/v3/connector/postgres/query?dryRun=1", QUERY, headers)],
    ["307", (headers) => testApp().fetch("/", { headers })],
    ["404", (headers) => testApp().fetch("/nothing", { headers })],
    ["405", (headers) => testApp().fetch("/health", { method: "POST", headers })],
    ["422 detail", (headers) => testApp().post("/v3/connector/dry-plan", {}, headers)],
    ["422 error", (headers) => testApp().post("/v3/connector/postgres/query", { sql: "", manifestStr: "" }, headers)],
    [
      "500",
      (headers) => testApp({ script: { queryError: "a string" } }).post("/v3/connector/postgres/query", QUERY, headers),
    ],
    ["503", (headers) => testApp({ places: 0 }).post("/v3/connector/dry-plan", QUERY, headers)],
  ];

  it.each(answers)("%s: correlation id and time", async (_what, answer) => {
    const id = "0b0f6f5c-7c1d-4b8e-9d55-0a9f6d1d2c11";
    const response = await answer({ "X-Correlation-ID": id });
    expect(response.headers.get("x-correlation-id")).toBe(id);
    expect(response.headers.get("x-process-time")).toMatch(/^\d+\.\d{6}$/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it.each(["", "x", "0b0f6f5c-7c1d-1b8e-9d55-0a9f6d1d2c11", "0b0f6f5c-7c1d-4b8e-cd55-0a9f6d1d2c11", 'a","forged":"'])(
    "the correlation id %j is replaced",
    async (id) => {
      const sent = (await testApp().fetch("/health", { headers: { "X-Correlation-ID": id } })).headers.get(
        "x-correlation-id",
      );
      expect(sent).toMatch(UUID_V4);
      expect(sent).not.toBe(id);
    },
  );

  it("two requests without an id get two", async () => {
    const app = testApp();
    const ids = [await app.fetch("/health"), await app.fetch("/health")].map((response) =>
      response.headers.get("x-correlation-id"),
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe("what the service says of itself", () => {
  it("health", async () => {
    expect(await (await testApp().fetch("/health")).json()).toEqual({ status: "ok" });
  });

  it("config has the five keys, and the guarantees of row rules", async () => {
    const app = testApp({ limits: { applicationTimeoutMs: 240_000 } });
    expect(await (await app.fetch("/config")).json()).toEqual({
      wren_engine_endpoint: null,
      remote_function_list_path: null,
      remote_white_function_list_path: null,
      app_timeout_seconds: 240,
      diagnose: false,
      row_rules: expect.objectContaining({ postgres: ["plain", "fenced"], bigquery: ["plain"], athena: [] }),
    });
  });
});

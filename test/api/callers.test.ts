import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { MOUNTS, ROUTES } from "../../src/api/routes.ts";
import { createRequestRate } from "../../src/guard/request-rate.ts";
import { errorOf, QUERY, type TestApp, type TestAppOptions, testApp, testAuthenticator } from "./test-app.ts";

const PATH = "/v3/connector/postgres/query";
const digest = (key: string): string => createHash("sha256").update(key).digest("hex");
const key = (name: string) => ({ "x-api-key": `key-of-${name}` });

function keyedApp(entries: Readonly<Record<string, object>>, options: TestAppOptions = {}): TestApp {
  const keys = Object.entries(entries).map(([name, entry]) => [
    name,
    { digests: [digest(`key-of-${name}`)], ...entry },
  ]);
  const authenticator = testAuthenticator({ AUTH: "keys", API_KEYS: JSON.stringify(Object.fromEntries(keys)) });
  return testApp({ ...options, api: { authenticator, ...options.api } });
}

describe("without credentials", () => {
  const routes = MOUNTS.flatMap((mount) =>
    ROUTES.filter(({ family }) => family === mount.family).flatMap((route) =>
      route.methods.map((method) => [method, (mount.prefix + route.path).replaceAll(/:\w+/g, "postgres")] as const),
    ),
  );
  const others = [
    ["GET", "/config"],
    ["GET", "/nothing"],
    ["GET", "/health/"],
    ["GET", "//health"],
    ["OPTIONS", PATH],
    ["HEAD", PATH],
    ["PUT", PATH],
    ["GET", `${PATH}/`],
  ] as const;

  it.each([...routes, ...others])("%s %s answers nothing", async (method, path) => {
    const app = keyedApp({ ann: {} });
    const response = await app.fetch(path, { method });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="siskin"');
    if (method !== "HEAD") expect((await errorOf(response)).metadata).toMatchObject({ reason: "CREDENTIALS_MISSING" });
    expect(app.logged).toMatchObject([{ status: 401, reason: "CREDENTIALS_MISSING" }]);
    expect(app.logged[0]).not.toHaveProperty("caller");
  });

  it.each(["/health", "/ready", "/docs", "/redoc", "/openapi.json", "/manifest.schema.json", "/"])(
    "%s answers all the same",
    async (path) => {
      expect((await keyedApp({ ann: {} }).fetch(path)).status).toBeLessThan(400);
    },
  );

  it("no body is read", async () => {
    let pulled = 0;
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
    const response = await keyedApp({ ann: {} }).fetch(PATH, { method: "POST", body, duplex: "half" } as RequestInit);
    expect([response.status, pulled]).toEqual([401, 0]);
  });

  it("says that a credential was no good, and not why it was near", async () => {
    const response = await keyedApp({ ann: {} }).post(PATH, QUERY, { "x-api-key": "key-of-anna" });
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="siskin", error="invalid_token"');
    expect(await errorOf(response)).toMatchObject({
      errorCode: "GENERIC_USER_ERROR",
      phase: "REQUEST_RECEIVED",
      message: "The key is not known.",
    });
  });
});

describe("with credentials", () => {
  it("the caller is in the log, its properties hold, and it may not set them", async () => {
    const app = keyedApp({ ann: { properties: { tenant: "acme" } } });
    await (await app.post(PATH, QUERY, key("ann"))).text();
    expect(app.services.planner.requests[0]?.session).toEqual(new Map([["tenant", "'acme'"]]));
    expect(app.logged).toMatchObject([{ caller: "ann", status: 200 }]);
    for (const [body, headers] of [
      [{}, { "X-Wren-Variable-Tenant": "'other'" }],
      [{ sessionProperties: { TENANT: "'acme'" } }, {}],
    ] as const) {
      const response = await app.post(PATH, { ...QUERY, ...body }, { ...key("ann"), ...headers });
      expect(response.status).toBe(403);
      expect((await errorOf(response)).metadata).toMatchObject({ reason: "SESSION_PROPERTY_BOUND" });
    }
  });

  it("the operator's properties win over body and header, and give way to the credentials'", async () => {
    const sessionProperties = new Map([
      ["tenant", "'default'"],
      ["region", "'EU'"],
    ]);
    const app = keyedApp({ ann: { properties: { tenant: "acme" } } }, { api: { sessionProperties } });
    const body = { ...QUERY, sessionProperties: { region: "'US'", other: "1" } };
    expect((await app.post(PATH, body, { ...key("ann"), "x-wren-variable-region": "'JP'" })).status).toBe(200);
    expect(app.services.planner.requests[0]?.session).toEqual(
      new Map([
        ["region", "'EU'"],
        ["other", "1"],
        ["tenant", "'acme'"],
      ]),
    );
  });

  it("rows and bytes of an answer have their limits", async () => {
    const app = keyedApp(
      { few: { limits: { rows: 1 } }, small: { limits: { bytes: 7 } }, ann: {} },
      { script: { batches: [[[1], [2]]] } },
    );
    const few = await app.post(PATH, QUERY, key("few"));
    expect(few.status).toBe(422);
    expect((await errorOf(few)).metadata).toMatchObject({ reason: "ROW_LIMIT_EXCEEDED" });
    const small = await app.post(PATH, QUERY, key("small"));
    expect(small.status).toBe(422);
    expect((await errorOf(small)).metadata).toMatchObject({ reason: "BYTE_LIMIT_EXCEEDED" });
    expect((await app.post(PATH, QUERY, key("ann"))).status).toBe(200);
  });

  it("one that asks too often is told when to come back, and others are not", async () => {
    let now = 0;
    const requestRate = createRequestRate(undefined, () => now);
    const app = keyedApp({ ann: { limits: { requestsPerMinute: 2 } }, bob: {} }, { api: { requestRate } });
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await app.post(PATH, QUERY, key("ann"))).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await app.post(PATH, QUERY, key("ann"));
    expect(refused.headers.get("retry-after")).toBe("30");
    expect((await errorOf(refused)).metadata).toMatchObject({ reason: "RATE_LIMITED" });
    expect((await app.post(PATH, QUERY, key("bob"))).status).toBe(200);
    now += 30_000;
    expect((await app.post(PATH, QUERY, key("ann"))).status).toBe(200);
    expect((await app.post(PATH, QUERY, key("ann"))).status).toBe(429);
  });

  it("one that asks too much at once is refused, and others are not", async () => {
    const app = keyedApp({ ann: { limits: { concurrent: 1 } }, bob: {} }, { script: { hang: "query" } });
    const client = new AbortController();
    const first = app.fetch(PATH, {
      method: "POST",
      body: JSON.stringify(QUERY),
      headers: key("ann"),
      signal: client.signal,
    });
    while (app.gate.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await app.post(PATH, QUERY, key("ann"));
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await errorOf(second)).metadata).toMatchObject({ reason: "CONCURRENCY_LIMITED" });
    const other = app.fetch(PATH, {
      method: "POST",
      body: JSON.stringify(QUERY),
      headers: key("bob"),
      signal: client.signal,
    });
    while (app.gate.inFlight === 1) await new Promise((resolve) => setImmediate(resolve));
    client.abort();
    await Promise.all([first, other]);
    expect(app.gate.inFlight).toBe(0);
  });
});

describe("the API's description", () => {
  const of = (settings: Readonly<Record<string, string>>) => {
    const authenticator = testAuthenticator(settings);
    return openApiDocument({ authenticator, connectionShapes: {}, v2Profile: "modern" } as never);
  };
  const API_KEYS = JSON.stringify({ ann: { digests: [digest("x")] } });
  const jwt = { AUTH: "jwt", JWT_ISSUER: "i", JWT_AUDIENCE: "a", JWT_JWKS_URL: "https://x.test/keys" };

  it.each([
    [{ AUTH: "keys", API_KEYS }, ["bearerKey", "apiKey"]],
    [jwt, ["bearerToken"]],
    [{ ...jwt, JWT_HEADER: "cf-access-jwt-assertion" }, ["accessToken"]],
  ])("says what credentials are asked for: %j", (settings, names) => {
    const document = of(settings);
    expect(document.security).toEqual(names.map((name) => ({ [name]: [] })));
    expect(Object.keys(document.components.securitySchemes as object)).toEqual(names);
    expect(document.paths["/health"]?.get?.security).toEqual([]);
    const operation = document.paths["/v3/connector/{data_source}/query"]?.post;
    expect(operation?.security).toBeUndefined();
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(["401", "403", "429"]));
  });

  it("requires nothing where no caller is authenticated", () => {
    const document = of({ AUTH: "none" });
    expect(document.security).toEqual([]);
    expect(document.paths["/v3/connector/{data_source}/query"]?.post?.responses).not.toHaveProperty("401");
  });
});

describe("readiness", () => {
  it.each([
    ["ready", 200],
    ["degraded", 200],
    ["not ready", 503],
  ] as const)("%s is %d, with a word per part", async (status, expected) => {
    const readiness = { status, parts: { sidecar: "full" } };
    const response = await keyedApp({ ann: {} }, { api: { readiness: async () => readiness } }).fetch("/ready");
    expect([response.status, await response.json()]).toEqual([expected, readiness]);
  });
});

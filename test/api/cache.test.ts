import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../src/cache/memory-store.ts";
import { createQueryCache } from "../../src/cache/query-cache.ts";
import { FRAMES } from "../cache/frames.ts";
import { QUERY, type TestApp, type TestAppOptions, testApp } from "./test-app.ts";

const V3 = "/v3/connector/postgres/query";

function cachingApp(
  options: TestAppOptions = {},
): TestApp & { cached(query?: string, headers?: Record<string, string>): Promise<Response> } {
  const cache = createQueryCache({
    frames: FRAMES,
    store: new MemoryStore({ maxBytes: 1_000_000, now: Date.now }),
    secrets: ["the secret of the tests, long enough"],
    deployment: [],
    ttlSeconds: 300,
    staleSeconds: 0,
    waitMs: 1_000,
    maxBytes: 100_000,
    workBytes: 1_000_000,
  });
  const app = testApp({ queryCache: async () => cache, ...options });
  return {
    ...app,
    async cached(query = "", headers = {}) {
      const response = await app.post(`${V3}?cacheEnable=true${query}`, QUERY, headers);
      const text = await response.text();
      await app.settled();
      return new Response(text, response);
    },
  };
}

/** The cache headers that clients read (docs/spec/contract.md#cache-headers). */
function cacheHeadersOf({ headers }: Response): Record<string, string | null> {
  const names = ["x-cache-hit", "x-cache-create-at", "x-cache-override", "x-cache-override-at"];
  return Object.fromEntries(names.map((name) => [name.slice("x-cache-".length), headers.get(name)]));
}

it("an entry keeps the warnings of its source", async () => {
  const warning = { code: "FILE_COLUMN_MISSING", message: "Some files lack a column.", hint: "Name it." } as const;
  const app = cachingApp({ script: { sourceWarnings: [warning] } });
  for (const hit of ["false", "true"]) {
    const { headers } = await app.cached();
    expect([headers.get("x-cache-hit"), JSON.parse(headers.get("x-warnings") ?? "[]")]).toEqual([hit, [warning]]);
  }
});

describe("the table of headers", () => {
  const none = { "create-at": null, override: null, "override-at": null };

  it("without cacheEnable", async () => {
    const app = cachingApp();
    await app.cached();
    for (const override of ["", "?overrideCache=true"]) {
      const response = await app.post(V3 + override, QUERY);
      expect(cacheHeadersOf(response)).toEqual({ hit: "false", ...none });
      expect(response.headers.get("cache-status")).toBeNull();
      await response.text();
    }
  });

  it.each(["", "&overrideCache=true"])("no entry%s", async (override) => {
    const response = await cachingApp().cached(override);
    expect(cacheHeadersOf(response)).toEqual({ hit: "false", ...none });
    expect(response.headers.get("cache-status")).toBe("siskin; fwd=miss");
  });

  it("an entry", async () => {
    const app = cachingApp();
    const before = Date.now();
    await app.cached();
    const response = await app.cached();
    const { "create-at": createdAt, ...rest } = cacheHeadersOf(response);
    expect(rest).toEqual({ hit: "true", override: null, "override-at": null });
    expect(createdAt).toMatch(/^\d{13}$/);
    expect(Number(createdAt)).toBeGreaterThanOrEqual(before);
    expect(response.headers.get("cache-status")).toMatch(/^siskin; hit; ttl=(300|299)$/);
  });

  it("an entry that is to be replaced: its time, and the new one's, which is later", async () => {
    const app = cachingApp();
    await app.cached();
    const { "create-at": first } = cacheHeadersOf(await app.cached());
    const {
      hit,
      "create-at": old,
      override,
      "override-at": at,
    } = cacheHeadersOf(await app.cached("&overrideCache=true"));
    expect([hit, override, old]).toEqual(["false", "true", first]);
    expect(Number(at)).toBeGreaterThan(Number(old));
    expect(cacheHeadersOf(await app.cached())["create-at"]).toBe(at);
  });

  it("a dry run", async () => {
    const app = cachingApp();
    const response = await app.post(`${V3}?cacheEnable=true&dryRun=true`, QUERY);
    expect(response.status).toBe(204);
    expect(cacheHeadersOf(response)).toEqual({ hit: null, ...none });
  });
});

describe("Cache-Control of the request", () => {
  it.each([
    ["max-age=100", "siskin; hit; ttl="],
    ["no-cache", "siskin; fwd=request"],
    ["max-age=0", "siskin; fwd=request"],
    ["no-store", "siskin; fwd=bypass; detail=no-store"],
    ["No-Store, max-age=100", "siskin; fwd=bypass; detail=no-store"],
    ['max-age="100"', "siskin; hit; ttl="],
    ["max-age=-1, max-age=abc, public, only-if-cached", "siskin; hit; ttl="],
    ["max-age=99999999999999", "siskin; hit; ttl="],
  ])("%s", async (directives, status) => {
    const app = cachingApp();
    await app.cached();
    const response = await app.cached("", { "cache-control": directives });
    expect(response.headers.get("cache-status")).toContain(status);
  });
});

it("formats, profiles and columnDtypes are applied to what is kept", async () => {
  const app = cachingApp();
  await app.cached();
  const asked = (path: string, body: object, headers = {}) =>
    app.post(`${path}?cacheEnable=true`, { ...QUERY, ...body }, headers);
  const lines = await asked(V3, {}, { accept: "application/x-ndjson" });
  const classic = await asked("/v2/connector/postgres/query", {});
  const texts = await asked(V3, { columnDtypes: { a: "string" } });
  for (const response of [lines, classic, texts]) expect(response.headers.get("x-cache-hit")).toBe("true");
  expect((await lines.text()).trim().split("\n").at(-1)).toBe('{"end":{"rows":1}}');
  expect(await classic.json()).toMatchObject({ data: [[1]] });
  expect(await texts.json()).toMatchObject({ data: [["1"]] });
  expect(app.services.sources.events.filter((event) => event === "query")).toHaveLength(1);
});

it("an answer says that nothing between may keep it, whatever our own cache does", async () => {
  const app = cachingApp();
  for (const response of [await app.cached(), await app.cached()]) {
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
});

it("cube queries are kept as well", async () => {
  const app = cachingApp();
  const body = { cube: { cube: "c" }, manifestStr: QUERY.manifestStr, connectionInfo: QUERY.connectionInfo };
  const ask = async () => {
    const response = await app.post("/v3/connector/postgres/cube?cacheEnable=true", body);
    await response.text();
    await app.settled();
    return response.headers.get("x-cache-hit");
  };
  expect([await ask(), await ask()]).toEqual(["false", "true"]);
});

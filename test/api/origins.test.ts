import { describe, expect, it } from "vitest";
import { projectApp } from "../projects/project-app.ts";
import { SHOP } from "../projects/shop.ts";
import { QUERY, testApp } from "./test-app.ts";

const ORIGIN = "https://app.example";
const allowed = { api: { allowedOrigins: [ORIGIN] } };
const preflight = (origin: string) => ({
  method: "OPTIONS",
  headers: {
    Origin: origin,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, content-type",
  },
});
const grants = (response: Response) => [...response.headers.keys()].filter((name) => name.startsWith("access-control"));

describe("ALLOWED_ORIGINS", () => {
  it("answers preflights of listed origins without credentials", async () => {
    const app = projectApp({ alice: { projects: ["shop"] } }, allowed);
    const response = await app.fetch("/v3/projects/shop/query", preflight(ORIGIN));
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      204,
      expect.objectContaining({
        "access-control-allow-origin": ORIGIN,
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-allow-headers": "authorization, content-type",
        vary: expect.stringContaining("Origin"),
      }),
    ]);
  });
  it("lets listed origins read answers and errors", async () => {
    const app = testApp(allowed);
    for (const body of [QUERY, {}]) {
      const response = await app.post("/v3/connector/postgres/query", body, { Origin: ORIGIN });
      expect(response.headers.get("access-control-allow-origin")).toBe(ORIGIN);
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
      expect(response.headers.get("vary")).toContain("Origin");
    }
  });
  it.each([
    "https://evil.example",
    "https://app.example.evil",
    "http://app.example",
    "null",
    "https://APP.example:444",
  ])("gives %s nothing", async (origin) => {
    const app = testApp(allowed);
    const response = await app.post("/v3/connector/postgres/query", QUERY, { Origin: origin });
    expect(grants(response)).toEqual([]);
    expect(grants(await app.fetch("/v3/connector/postgres/query", preflight(origin)))).toEqual([]);
  });
  it("adds nothing without the setting", async () => {
    const response = await testApp().post("/v3/connector/postgres/query", QUERY, { Origin: ORIGIN });
    expect([grants(response), response.headers.get("vary")]).toEqual([[], "Accept"]);
  });
});

describe("a page of another origin and a project", () => {
  const KEYS = { alice: { projects: ["shop"], properties: { tenant: "a", level: 1 } } };
  const asked = async (headers: Record<string, string>, api = {}): Promise<number> => {
    const app = projectApp(KEYS, { api });
    app.store.push("shop", SHOP);
    const { status } = await app.ask(
      "alice",
      "shop/query",
      { sql: "SELECT id FROM orders" },
      { Cookie: "session=1", ...headers },
    );
    if (status === 403) expect(app.store.reads).toEqual([]);
    return status;
  };
  it.each<[Record<string, string>, number]>([
    [{}, 200],
    [{ Origin: "http://siskin.test" }, 200],
    [{ Origin: "https://siskin.test" }, 200],
    [{ "Sec-Fetch-Site": "same-origin" }, 200],
    [{ Origin: "https://evil.example" }, 403],
    [{ Origin: "https://siskin.test.evil.example" }, 403],
    [{ Origin: "null" }, 403],
    [{ "Sec-Fetch-Site": "cross-site" }, 403],
    [{ "Sec-Fetch-Site": "same-site" }, 403],
    [{ Origin: ORIGIN }, 403],
  ])("%j is answered %i", async (headers, status) => {
    expect(await asked(headers)).toBe(status);
  });
  it("is answered where it is listed", async () => {
    expect(await asked({ Origin: ORIGIN, "Sec-Fetch-Site": "cross-site" }, { allowedOrigins: [ORIGIN] })).toBe(200);
  });
});

it("a project whose connection is gone is 503, and the log says why", async () => {
  const app = projectApp({ alice: { projects: ["shop"], properties: { tenant: "a", level: 1 } } });
  app.store.push("shop", SHOP, { connection: "gone" });
  const response = await app.ask("alice", "shop/query", { sql: "SELECT id FROM orders" });
  expect([response.status, await response.text()]).toEqual([503, expect.not.stringContaining("gone")]);
  expect(app.logged.find(({ code }) => code === "PROJECT_BROKEN")).toMatchObject({
    message: expect.stringContaining("gone"),
  });
  const list = (await (await app.ask("alice", "")).json()) as { projects: object[] };
  expect(list.projects).toEqual([expect.objectContaining({ name: "shop", status: "unavailable" })]);
});

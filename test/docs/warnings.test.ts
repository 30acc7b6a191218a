/** Every row of docs/reference/warnings.md, by the API and the true planner: the warning, and the refusal that x-strict makes of it. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parsePostgresConnection } from "../../src/connectors/connection/postgres.ts";
import { plan } from "../../src/planner/index.ts";
import { errorOf, type TestApp, testApp } from "../api/test-app.ts";
import { SHOP } from "../planner/checks/shop.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const PAGE = read("docs/reference/warnings.md");

const ROWS = [...PAGE.matchAll(/^\| `([A-Z_]+)` \| .* \| `([^`]+)`(.*) \|$/gm)].map(
  ([, code = "", sql = "", rest = ""]) => ({ code, sql, rest }),
);

function appFor(code: string): TestApp {
  const connection = parsePostgresConnection({
    ...{ host: "db.test", port: 5432, user: "u", password: "p", database: "d" },
    ...(code === "UNKNOWN_OPTION" ? { kwargs: { sslcompression: "1" } } : {}),
  });
  const app = testApp({
    load: () => ({ ok: true, value: SHOP }),
    script: { warnings: connection.warnings },
    limits: { maxRows: code === "LIMIT_APPLIED" ? 10 : undefined },
  });
  app.services.planner.answer = plan;
  return app;
}

describe.each(ROWS)("$code", ({ code, sql, rest }) => {
  const path = `/v3/connector/postgres/query?${/limit=\d+/.exec(rest)?.[0] ?? ""}`;
  const body = { sql, manifestStr: "bTE=", connectionInfo: { host: "db.test" } };
  const [, zone] = /x-wren-timezone: ([\w/]+)/.exec(rest) ?? [];
  const headers = zone === undefined ? {} : { "x-wren-timezone": zone };

  test("is in the header, and the query runs", async () => {
    const app = appFor(code);
    const response = await app.post(path, body, headers);
    expect(response.status).toBe(200);
    const warnings = JSON.parse(response.headers.get("x-warnings") ?? "[]") as { code: string; message: string }[];
    expect(warnings.map((warning) => warning.code)).toEqual([code]);
    await response.text();
    await app.settled();
  });

  test("is an error with x-strict, and nothing is opened", async () => {
    const app = appFor(code);
    const response = await app.post(path, body, { ...headers, "x-strict": "true" });
    expect(response.status).toBe(422);
    const error = await errorOf(response);
    expect(error).toMatchObject({ errorCode: "INVALID_SQL", metadata: { reason: "STRICT_WARNING" } });
    expect(error.message).toMatch(new RegExp(`^${code}: `));
    expect(app.services.sources.events).not.toContain("open");
  });
});

describe("COLLATION_DEPENDENT", () => {
  const body = { sql: "SELECT name FROM customer ORDER BY name", manifestStr: "bTE=" };

  test("comes with explain", async () => {
    const response = await appFor("").post("/v3/connector/postgres/explain", body);
    expect(((await response.json()) as { warnings: object[] }).warnings).toMatchObject([
      { code: "COLLATION_DEPENDENT", position: { column: 36, length: 4 } },
    ]);
  });

  test.each(["explain", "dry-plan"])("is no error with x-strict, but another order: %s", async (operation) => {
    const response = await appFor("").post(`/v3/connector/postgres/${operation}`, body, { "x-strict": "true" });
    expect([response.status, response.headers.get("x-warnings")]).toEqual([200, null]);
    expect(await response.text()).toContain(String.raw`ORDER BY customer.name COLLATE \"C\"`);
  });

  test.each([undefined, "true"])("comes with no query (x-strict: %s)", async (strict) => {
    const app = appFor("");
    const headers = strict === undefined ? {} : { "x-strict": strict };
    const query = { ...body, connectionInfo: { host: "db.test" } };
    const response = await app.post("/v3/connector/postgres/query", query, headers);
    expect([response.status, response.headers.get("x-warnings")]).toEqual([200, null]);
    await response.text();
    await app.settled();
  });
});

test("the page has every code", () => {
  const codes = [
    ...(/WarningCode =([^;]+);/.exec(read("src/planner/diagnostics.ts"))?.[1] ?? "").matchAll(/"([A-Z_]+)"/g),
  ];
  const ofOthers = [...PAGE.matchAll(/^`([A-Z_]+)` comes with `/gm)].map(([, code]) => code);
  const listed = [...ROWS.map((row) => row.code), ...ofOthers];
  expect(listed.toSorted()).toEqual(codes.map(([, code]) => code).toSorted());
});

import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Authenticator } from "../../src/guard/authentication.ts";
import { parseSessionValue } from "../../src/planner/access/session-value.ts";
import { detailOf, errorOf, QUERY, type TestApp, type TestAppOptions, testApp } from "./test-app.ts";

const PATH = "/v3/connector/postgres/query";

/** A header value as a client's bytes reach Node: one UTF-16 unit per byte. */
const bytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

async function sessionOf(
  headers: NonNullable<RequestInit["headers"]>,
  body: object = {},
  options: TestAppOptions = {},
): Promise<[string, string][]> {
  const app = testApp(options);
  const response = await app.post(PATH, { ...QUERY, ...body }, headers);
  expect(response.status).toBe(200);
  return [...(app.services.planner.requests[0]?.session ?? [])];
}

const signed = (claims: Record<string, string>): Authenticator => ({
  scheme: "jwt",
  authenticate: async () => ({
    ok: true,
    caller: {
      id: "alice",
      claims: new Map(Object.entries(claims)),
      bound: new Set(Object.keys(claims)),
      connections: "all",
      ownConnections: true,
      limits: {},
    },
  }),
});

describe("session properties", () => {
  it("come from headers, with names in lower case and values as they are", async () => {
    expect(
      await sessionOf({
        "X-Wren-Variable-Session_User": "'Customer#000000001'",
        "x-wren-variable-level": "3",
        "x-other": "1",
      }),
    ).toEqual([
      ["level", "3"],
      ["session_user", "'Customer#000000001'"],
    ]);
  });

  it("are UTF-8", async () => {
    expect(await sessionOf({ "x-wren-variable-city": bytes("'Zürich 東京'") })).toEqual([["city", "'Zürich 東京'"]]);
  });

  it.each([
    ["bytes that are no UTF-8", Buffer.from([0x27, 0xe9, 0x27]).toString("latin1")],
    ["a replacement character", bytes("'a\uFFFDb'")],
  ])("refuse %s", async (_what, value) => {
    const app = testApp();
    const response = await app.post(PATH, QUERY, { "x-wren-variable-city": value });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({
      errorCode: "INVALID_SQL",
      metadata: { reason: "SESSION_PROPERTY_INVALID" },
    });
    expect(app.services.sources.events).toEqual([]);
  });

  it("are refused where two headers have one name", async () => {
    for (const [first, second] of [
      ["'bob' --", "'ann'"],
      ["'bob'", "'ann'"],
      ["'bob'", "'bob'"],
    ] as const) {
      const headers = new Headers([
        ["x-wren-variable-user", first],
        ["X-Wren-Variable-User", second],
      ]);
      expect(() => parseSessionValue(headers.get("x-wren-variable-user") ?? "", "user")).toThrow("no SQL literal");
      expect(await sessionOf(headers)).toEqual([["user", `${first}, ${second}`]]);
    }
  });

  it("come from the body, which wins over a header", async () => {
    const session = await sessionOf(
      { "x-wren-variable-region": "'EMEA'" },
      { sessionProperties: { Region: "'APAC'", "a b\nc": "'東京'" } },
    );
    expect(new Map(session)).toEqual(
      new Map([
        ["region", "'APAC'"],
        ["a b\nc", "'東京'"],
      ]),
    );
  });

  it("are refused when the body names one twice", async () => {
    const response = await testApp().post(PATH, { ...QUERY, sessionProperties: { region: "1", REGION: "2" } });
    expect(await errorOf(response)).toMatchObject({ metadata: { reason: "SESSION_PROPERTY_INVALID" } });
  });

  it.each([
    [{ "x-wren-variable-USER_ID": "2" }, {}],
    [{}, { sessionProperties: { User_Id: "2" } }],
    [{}, { sessionProperties: { user_id: "1" } }],
  ])("bound to the caller's credentials cannot be named: %j %j", async (headers, body) => {
    const app = testApp({ api: { authenticator: signed({ user_id: "1" }) } });
    const response = await app.post(PATH, { ...QUERY, ...body }, headers as NonNullable<RequestInit["headers"]>);
    expect(response.status).toBe(403);
    expect(await errorOf(response)).toMatchObject({ metadata: { reason: "SESSION_PROPERTY_BOUND" } });
    expect(app.services.sources.events).toEqual([]);
  });

  it("of the caller's credentials hold", async () => {
    const options = { api: { authenticator: signed({ user_id: "1" }) } };
    expect(await sessionOf({ "x-wren-variable-region": "'EMEA'" }, {}, options)).toEqual([
      ["region", "'EMEA'"],
      ["user_id", "1"],
    ]);
  });

  it("are in no line of the log and in no error, whatever comes of the request", async () => {
    const source = new ConnectorFailure("SOURCE_ERROR", "it failed");
    const scripts: readonly TestAppOptions[] = [
      {},
      { script: { queryError: source } },
      { script: { lateError: source } },
    ];
    for (const options of scripts) {
      const app = testApp(options);
      const headers = { "x-wren-variable-user": "'header-secret'", "x-strict": "perhaps" };
      for (const each of [headers, { "x-wren-variable-user": "'header-secret'" }]) {
        const response = await app.post(PATH, { ...QUERY, sessionProperties: { key: "'body-secret'" } }, each);
        expect(await response.text().catch(String)).not.toContain("-secret");
      }
      await app.settled();
      expect(app.logged).toHaveLength(2);
      expect(JSON.stringify(app.logged)).not.toContain("-secret");
    }
  });

  it("reach dry-plan and validate too", async () => {
    const call = async (path: string, app: TestApp) => {
      const parameters = { modelName: "m", columnName: "c" };
      const body = path.includes("/validate/") ? { ...QUERY, parameters } : QUERY;
      await app.post(path, body, { "x-wren-variable-a": "1" });
      return app.services.planner.requests[0]?.session.get("a");
    };
    expect(await call("/v3/connector/dry-plan", testApp())).toBe("1");
    expect(await call("/v2/connector/postgres/dry-plan", testApp())).toBe("1");
    expect(await call("/v2/connector/postgres/validate/column_is_valid", testApp())).toBe("1");
  });
});

describe("other headers", () => {
  it.each(["Europe/Paris", "UTC", "+05:30", "America/New_York"])(
    "x-wren-timezone %s reaches the planner",
    async (zone) => {
      const app = testApp();
      expect((await app.post(PATH, QUERY, { "x-wren-timezone": zone })).status).toBe(200);
      expect(app.services.planner.requests[0]?.timeZone).toBe(zone);
    },
  );

  it.each(["Nope/Zone", "", "+25:00", "Europe/Paris; DROP", "../etc/passwd"])(
    "x-wren-timezone %j is refused",
    async (zone) => {
      const response = await testApp().post(PATH, QUERY, { "x-wren-timezone": zone });
      expect(response.status).toBe(422);
      expect((await detailOf(response)).map(({ type, loc }) => [type, ...loc])).toEqual([
        ["timezone", "header", "x-wren-timezone"],
      ]);
    },
  );

  it("x-wren-timezone shows instants in that zone", async () => {
    const script = {
      columns: [{ name: "t", type: { kind: "timestamp", unit: "us", zone: "UTC" } }],
      batches: [[[0n]]],
    } as const;
    const response = await testApp({ script }).post(PATH, QUERY, { "x-wren-timezone": "Europe/Paris" });
    expect(await response.json()).toMatchObject({
      data: [["1970-01-01 01:00:00.000000 +01:00"]],
      dtypes: { a: "timestamp[us, tz=Europe/Paris]" },
    });
  });

  it("x-wren-db-statement_timeout is seconds", async () => {
    const app = testApp();
    await app.post(PATH, QUERY, { "x-wren-db-statement_timeout": "30" });
    expect(app.services.sources.options[0]?.timeoutMs).toBe(30_000);
  });

  it("X-Correlation-ID goes with the request to where it is served", async () => {
    const app = testApp();
    const id = "3e7c4f5a-8f0d-4b1e-9a55-0c1d2e3f4a5b";
    await app.post(PATH, QUERY, { "x-correlation-id": id });
    expect(app.services.sources.opened[0]?.correlationId).toBe(id);
  });

  it.each([
    ["abc", "int_parsing"],
    ["1.5", "int_parsing"],
    ["", "int_parsing"],
    ["0", "greater_than_equal"],
    ["-1", "greater_than_equal"],
    ["2147484", "less_than_equal"],
  ])("x-wren-db-statement_timeout %j is refused as %s", async (value, type) => {
    const response = await testApp().post(PATH, QUERY, { "x-wren-db-statement_timeout": value });
    expect(response.status).toBe(422);
    expect((await detailOf(response))[0]).toMatchObject({ type, loc: ["header", "x-wren-db-statement_timeout"] });
  });
});

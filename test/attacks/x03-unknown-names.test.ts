/** Names in a request that its operation does not have: query parameters, members of the body, of filters and of parameters. */
import { describe, expect, test } from "vitest";
import { detailOf, encoded, errorOf, QUERY, testApp } from "../api/test-app.ts";

const PATH = "/v3/connector/postgres/query";
const STRICT = { "x-strict": "true" };

interface Warning {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

const warningsOf = (response: Response): readonly Warning[] => JSON.parse(response.headers.get("x-warnings") ?? "[]");

describe.each([
  ["limt=3", "limt", "limit"],
  ["dryrun=false", "dryrun", "dryRun"],
  ["cacheEnabled=true", "cacheEnabled", "cacheEnable"],
])("the query parameter %s", (query, name, near) => {
  test("is a warning with near names", async () => {
    const response = await testApp().post(`${PATH}?${query}`, QUERY);
    expect(response.status).toBe(200);
    await response.text();
    expect(warningsOf(response)).toMatchObject([
      { code: "UNKNOWN_OPTION", message: expect.stringContaining(name), hint: `Did you mean ${near}?` },
    ]);
  });

  test("is an error with x-strict", async () => {
    const app = testApp();
    const response = await app.post(`${PATH}?${query}`, QUERY, STRICT);
    expect(response.status).toBe(422);
    const error = await errorOf(response);
    expect(error.metadata).toMatchObject({ reason: "STRICT_WARNING", hint: `Did you mean ${near}?` });
    expect(error.message).toContain(name);
    expect(app.services.sources.events).toEqual([]);
  });
});

test.each(["/v3/connector/postgres/functions", "/v3/connector/postgres/knowledge"])(
  "GET %s has them, too",
  async (path) => {
    const response = await testApp().fetch(`${path}?limt=3`);
    expect(response.status).toBe(200);
    expect(warningsOf(response)).toMatchObject([{ code: "UNKNOWN_OPTION" }]);
    expect((await testApp().fetch(`${path}?limt=3`, { headers: STRICT })).status).toBe(422);
  },
);

describe("members of the body", () => {
  test.each([
    ["columDtypes", "Did you mean columnDtypes?"],
    ["limit", "It is a query parameter: ?limit=…"],
    ["nobodyKnows", undefined],
  ])("%s is a warning, and an error with x-strict", async (name, hint) => {
    const body = { ...QUERY, [name]: {} };
    const response = await testApp().post(PATH, body);
    expect(response.status).toBe(200);
    await response.text();
    const [warning] = warningsOf(response);
    expect(warning).toMatchObject({ code: "UNKNOWN_OPTION", message: expect.stringContaining(name) });
    expect(warning?.hint).toBe(hint);
    expect((await testApp().post(PATH, body, STRICT)).status).toBe(422);
  });

  test.each(["sessionProperty", "sesionProperties", "session_propertys", "sslmode", "sslCa"])(
    "%s is refused, since rules or TLS depend on it",
    async (name) => {
      const response = await testApp().post(PATH, { ...QUERY, [name]: { a: "1" } });
      expect(response.status).toBe(422);
      expect(await detailOf(response)).toMatchObject([{ type: "extra_forbidden", loc: ["body", name] }]);
    },
  );

  test("in either spelling are known", async () => {
    const { manifestStr, connectionInfo, ...others } = QUERY;
    const body = { ...others, manifest_str: manifestStr, connection_info: connectionInfo, session_properties: {} };
    const response = await testApp().post(PATH, body, STRICT);
    expect([response.status, warningsOf(response)]).toEqual([200, []]);
    await response.text();
  });

  test("are counted when there are many", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`name${index}`, 1]));
    const response = await testApp().post(PATH, { ...QUERY, ...many });
    expect((response.headers.get("x-warnings") ?? "").length).toBeLessThan(4097);
    expect(JSON.stringify(warningsOf(response))).toContain("490 more");
    await response.text();
  });
});

test("more than a thousand members of a body, or of a connection, are refused", async () => {
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`ssl${index}`, 1]));
  const response = await testApp().post(PATH, { ...QUERY, ...many });
  expect(response.status).toBe(422);
  expect(await detailOf(response)).toMatchObject([{ type: "too_long", loc: ["body"] }]);
});

test("members of a filter have near names", async () => {
  const filterInfo = { shema: "a", projects: [{ projectId: "p", datasetId: "d" }] };
  const response = await testApp().post("/v3/connector/bigquery/metadata/tables", { connectionInfo: {}, filterInfo });
  expect(warningsOf(response)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ message: "filterInfo.shema is not honoured.", hint: "Did you mean schema?" }),
      expect.objectContaining({ message: "filterInfo.projects[0].datasetId is not honoured." }),
    ]),
  );
});

test("parameters of a validation are a warning, and an error with x-strict", async () => {
  const body = { manifestStr: encoded({}), connectionInfo: {}, parameters: { modelNam: "m" } };
  const path = "/v3/connector/postgres/validate/manifest_is_valid";
  const response = await testApp().post(path, body);
  expect([response.status, warningsOf(response)]).toMatchObject([204, [{ code: "UNKNOWN_OPTION" }]]);
  expect((await testApp().post(path, body, STRICT)).status).toBe(422);
});

describe("columnDtypes", () => {
  test.each(["datetime64[ns]", "int16", "double", "date32[day]", "timestamp[us, tz=UTC]", "string"])(
    "takes %s, which answers use",
    async (name) => {
      const response = await testApp().post(`${PATH}?dryRun=true`, { ...QUERY, columnDtypes: { a: name } });
      expect(response.status).toBe(204);
    },
  );

  test("warns of a column that the answer does not have, and refuses it with x-strict", async () => {
    const body = { ...QUERY, columnDtypes: { a: "int64", amuont: "int64" } };
    const response = await testApp().post(`${PATH}?dryRun=true`, body);
    expect([response.status, warningsOf(response)]).toMatchObject([
      204,
      [{ code: "UNKNOWN_OPTION", message: "columnDtypes: the answer has no column amuont" }],
    ]);
    expect((await testApp().post(`${PATH}?dryRun=true`, body, STRICT)).status).toBe(422);
  });
});

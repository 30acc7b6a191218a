import { describe, expect, it, vi } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { PlannerError, type PlannerWarning } from "../../src/planner/diagnostics.ts";
import type { Plan } from "../../src/planner/plan.ts";
import type { SqlType } from "../../src/planner/types.ts";
import type { Column } from "../../src/result/types.ts";
import { planOf } from "../service/in-memory.ts";
import { detailOf, errorOf, QUERY, testApp } from "./test-app.ts";

const V3 = "/v3/connector/postgres/query";
const V2 = "/v2/connector/postgres/query";

const DATED: readonly Column[] = [
  { name: "n", type: { kind: "int64" } },
  { name: "d", type: { kind: "date" } },
];
const integer: SqlType = { kind: "integer", bits: 64 };
const datedPlan: Pick<Plan, "columns"> = {
  columns: [
    { name: "n", type: integer, nullable: true },
    { name: "d", type: { kind: "date" }, nullable: true },
  ],
};

function datedApp(api: Parameters<typeof testApp>[0] = {}) {
  const app = testApp({ script: { columns: DATED, batches: [[[9007199254740993n, 1]], [[null, 0]]] }, ...api });
  app.services.planner.answer = (request) => ({ ok: true, value: planOf(request, datedPlan) });
  return app;
}

describe("POST query", () => {
  it.each([V3, "/v3/ibis/postgres/query"])("answers rows in the modern profile at %s", async (path) => {
    const response = await datedApp().post(path, QUERY);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-cache-hit")).toBe("false");
    expect(await response.text()).toBe(
      '{"columns":["n","d"],"data":[[9007199254740993,"1970-01-02"],[null,"1970-01-01"]],"dtypes":{"n":"int64","d":"date32[day]"}}',
    );
  });

  it.each([V2, "/v2/ibis/postgres/query"])("answers rows in the classic profile at %s", async (path) => {
    const response = await datedApp().post(path, QUERY);
    expect(await response.text()).toBe(
      '{"columns":["n","d"],"data":[[9007199254740993,86400000],[null,0]],"dtypes":{"n":"int64","d":"object"}}',
    );
  });

  it("answers rows in the modern profile at /v2 when the deployment says so", async () => {
    const response = await datedApp({ api: { v2Profile: "modern" } }).post(V2, QUERY);
    expect(await response.json()).toMatchObject({ dtypes: { d: "date32[day]" } });
  });

  it("honours columnDtypes", async () => {
    const response = await datedApp().post(V2, { ...QUERY, columnDtypes: { n: "string" } });
    expect(await response.json()).toMatchObject({
      data: [
        ["9007199254740993", 86400000],
        [null, 0],
      ],
      dtypes: { n: "object" },
    });
  });

  it("refuses a columnDtypes type that does not exist, before anything runs", async () => {
    const app = datedApp();
    const response = await app.post(V2, { ...QUERY, columnDtypes: { n: "varchar" } });
    expect(response.status).toBe(422);
    expect(await detailOf(response)).toEqual([
      { type: "enum", loc: ["body", "columnDtypes", "n"], msg: expect.stringContaining("'int64'") },
    ]);
    expect(app.services.sources.events).toEqual([]);
  });

  it("a first value that columnDtypes cannot show is an error with a status", async () => {
    const app = datedApp();
    const response = await app.post(V2, { ...QUERY, columnDtypes: { n: "int32" } });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({ errorCode: "GENERIC_USER_ERROR", phase: "RESPONSE_GENERATION" });
    await app.settled();
    expect(app.services.sources.events.at(-1)).toBe("connector closed");
    expect(app.gate.inFlight).toBe(0);
  });

  it.each(["true", "True", "1", "yes", "ON", "t", "Y"])("dryRun=%s answers 204 without a body", async (spelling) => {
    const app = testApp();
    const response = await app.post(`${V3}?dryRun=${spelling}`, QUERY);
    expect(response.status).toBe(204);
    expect(response.headers.get("content-type")).toBeNull();
    expect(response.headers.get("x-cache-hit")).toBeNull();
    expect(await response.text()).toBe("");
    expect(app.services.sources.events).toContain("dryRun");
  });

  it.each(["false", "False", "0", "no", "off", "F", "n"])("dryRun=%s runs the query", async (spelling) => {
    const app = testApp();
    expect((await app.post(`${V3}?dryRun=${spelling}`, QUERY)).status).toBe(200);
    expect(app.services.sources.events).toContain("query");
  });

  it("pushes limit down", async () => {
    const app = testApp();
    await app.post(`${V3}?limit=2&cacheEnable=true&overrideCache=false&is_fallback=true&other=1`, QUERY);
    expect(app.services.planner.requests[0]?.limit).toBe(2);
  });

  it.each([
    ["dryRun=maybe", "bool_parsing", "dryRun"],
    ["dryRun=", "bool_parsing", "dryRun"],
    ["cacheEnable=2", "bool_parsing", "cacheEnable"],
    ["overrideCache=x", "bool_parsing", "overrideCache"],
    ["limit=abc", "int_parsing", "limit"],
    ["limit=", "int_parsing", "limit"],
    ["limit=1.5", "int_parsing", "limit"],
    ["limit=1e3", "int_parsing", "limit"],
    ["limit=-1", "greater_than_equal", "limit"],
    ["limit=99999999999999999999", "less_than_equal", "limit"],
  ])("refuses ?%s as %s", async (search, type, name) => {
    const app = testApp();
    const response = await app.post(`${V3}?${search}`, QUERY);
    expect(response.status).toBe(422);
    expect(await detailOf(response)).toEqual([expect.objectContaining({ type, loc: ["query", name] })]);
    expect(app.services.sources.events).toEqual([]);
  });

  it("tells everything that is wrong at once", async () => {
    const response = await testApp().post(
      "/v3/connector/postgre/query?limit=x",
      { sql: 1 },
      { "x-wren-timezone": "Mars/Base" },
    );
    expect((await detailOf(response)).map(({ type, loc }) => [type, ...loc])).toEqual([
      ["enum", "path", "data_source"],
      ["int_parsing", "query", "limit"],
      ["timezone", "header", "x-wren-timezone"],
      ["string_type", "body", "sql"],
      ["missing", "body", "manifestStr"],
    ]);
  });

  it("lists the data sources when the path names none of them", async () => {
    const [problem] = await detailOf(await testApp().post("/v3/connector/Postgres/query", QUERY));
    expect(problem?.msg).toMatch(/^Input should be 'athena', 'bigquery', .* or 'databricks'$/);
  });

  it("accepts members in snake case, and prefers the documented ones", async () => {
    const app = testApp();
    const { sql, manifestStr, connectionInfo } = QUERY;
    const response = await app.post(V3, { sql, manifest_str: manifestStr, connection_info: { host: "snake" } });
    expect(response.status).toBe(200);
    expect(app.services.sources.connectionInfo).toEqual({ host: "snake" });
    await app.post(V3, { sql, manifestStr, connectionInfo, connection_info: { host: "snake" } });
    expect(app.services.sources.connectionInfo).toEqual(connectionInfo);
  });

  it.each([
    [{}, "CONNECTION_MISSING", /connectionInfo.*connectionFilePath/],
    [{ connectionInfo: null }, "CONNECTION_MISSING", /connectionInfo.*connectionFilePath/],
    [{ connectionFilePath: "a.json" }, "CONNECTION_FILE_UNAVAILABLE", /CONNECTION_FILE_ROOT must be set/],
    [{ connectionFilePath: "a.json", connectionInfo: {} }, "CONNECTION_FILE_UNAVAILABLE", /CONNECTION_FILE_ROOT/],
  ])("refuses the connection %j", async (fields, reason, message) => {
    const response = await testApp().post(V3, { sql: "SELECT 1", manifestStr: "bTE=", ...fields });
    expect(response.status).toBe(422);
    const body = await errorOf(response);
    expect(body).toMatchObject({ errorCode: "INVALID_CONNECTION_INFO", phase: null, metadata: { reason } });
    expect(body.message).toMatch(message);
  });

  it("gives an error the six keys and no other", async () => {
    const app = testApp();
    app.services.planner.answer = () => ({
      ok: false,
      error: new PlannerError("SYNTAX", "no", { span: { start: 0, end: 6 }, hint: "Do.", suggestions: ["s"] }),
    });
    const id = "0b0f6f5c-7c1d-4b8e-9d55-0a9f6d1d2c11";
    const response = await app.post(V3, QUERY, { "X-Correlation-ID": id });
    const body = await errorOf(response);
    expect(body).toEqual({
      errorCode: "INVALID_SQL",
      message: "no. Do.",
      metadata: {
        reason: "SYNTAX",
        position: { line: 1, column: 1, offset: 1, length: 6 },
        hint: "Do.",
        suggestions: ["s"],
      },
      phase: "SQL_PARSING",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      correlationId: id,
    });
    expect(response.headers.get("x-correlation-id")).toBe(id);
  });

  it("an unforeseen fault is a neutral 500 with all the headers, and its place is logged without its text", async () => {
    const app = testApp({ script: { queryError: new TypeError("row of secrets") } });
    const response = await app.post(V3, QUERY);
    expect(response.status).toBe(500);
    const body = await errorOf(response);
    expect(body).toMatchObject({
      errorCode: "GENERIC_INTERNAL_ERROR",
      phase: null,
      correlationId: response.headers.get("x-correlation-id"),
    });
    expect(JSON.stringify([body, app.logged])).not.toContain("row of secrets");
    expect(app.logged[0]?.fault).toMatch(/^TypeError at .*query\.test\.ts/);
  });

  it("passes Retry-After on", async () => {
    const app = testApp({ script: { openError: new ConnectorFailure("OVERLOADED", "busy", { retryAfter: 6.2 }) } });
    const response = await app.post(V3, QUERY);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "7"]);
  });
});

describe("formats", () => {
  it.each([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["application/*", "application/json"],
    ["application/json", "application/json"],
    ["text/html, application/xhtml+xml, */*;q=0.8", "application/json"],
    ["application/x-ndjson", "application/x-ndjson"],
    ["application/json;q=0.1, application/x-ndjson", "application/x-ndjson"],
    ["application/json;q=0, */*", "application/x-ndjson"],
    ["APPLICATION/JSON; charset=utf-8", "application/json"],
    ["nonsense", "application/json"],
    ["text/plain", "application/json"],
    ["text/html, application/xhtml+xml", "application/json"],
    ["text/*", "text/csv; charset=utf-8; header=present"],
    ["text/csv", "text/csv; charset=utf-8; header=present"],
    ["text/csv;q=0.5, application/json;q=0.4", "text/csv; charset=utf-8; header=present"],
    ["text/csv;q=0.4, application/json;q=0.5", "application/json"],
    ["text/csv, application/json", "application/json"],
    ["text/csv;q=0, text/*", "application/json"],
    ["application/vnd.apache.arrow.stream", "application/vnd.apache.arrow.stream"],
    ["application/vnd.apache.arrow.stream, */*;q=0.1", "application/vnd.apache.arrow.stream"],
    ["text/plain, application/x-ndjson;q=0.1", "application/x-ndjson"],
  ])("Accept: %s gives %s", async (accept, type) => {
    const response = await testApp().post(V3, QUERY, accept === undefined ? {} : { accept });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
  });

  it.each(["image/png", "application/vnd.apache.arrow.file", "application/json;q=0", "*/*;q=0", "text/plain;q=0"])(
    "Accept: %s is refused before anything runs, and says what there is",
    async (accept) => {
      const app = testApp();
      const response = await app.post(V3, QUERY, { accept });
      expect(response.status).toBe(406);
      expect((await errorOf(response)).metadata).toEqual({
        reason: "NOT_ACCEPTABLE",
        hint: "Available: application/json, application/x-ndjson, text/csv, application/vnd.apache.arrow.stream.",
      });
      expect(app.services.sources.events).toEqual([]);
    },
  );

  /** A failure behind more rows than are held back. */
  const LONG = 50_000;
  const failingLate = () =>
    testApp({
      script: {
        batches: [Array.from({ length: LONG }, () => [1])],
        lateError: new ConnectorFailure("SOURCE_ERROR", "division by zero"),
      },
    });

  it.each(["application/json", "application/x-ndjson", "text/csv", "application/vnd.apache.arrow.stream"])(
    "%s: a failure behind the first rows of a short answer has its status",
    async (accept) => {
      const app = testApp({ script: { lateError: new ConnectorFailure("SOURCE_ERROR", "division by zero") } });
      const response = await app.post(V3, QUERY, { accept });
      expect([response.status, response.headers.get("content-type")]).toEqual([422, "application/json"]);
      expect(await errorOf(response)).toMatchObject({ message: "division by zero", phase: "SQL_EXECUTION" });
      expect(app.logged).toEqual([expect.objectContaining({ status: 422, reason: "SOURCE_ERROR" })]);
      expect(app.logged[0]).not.toHaveProperty("rows");
      expect(app.gate.inFlight).toBe(0);
    },
  );

  it("NDJSON says what went wrong after the first rows, in the words of the error body", async () => {
    const app = failingLate();
    const response = await app.post(V3, QUERY, { accept: "application/x-ndjson" });
    const lines = (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toEqual({ columns: ["a"], dtypes: { a: "int32" } });
    expect(lines[1]).toEqual([1]);
    expect(lines.at(-1)?.error).toMatchObject({
      errorCode: "GENERIC_USER_ERROR",
      message: "division by zero",
      phase: "SQL_EXECUTION",
    });
    expect(app.logged).toEqual([
      expect.objectContaining({ status: 200, ended: "failed", reason: "SOURCE_ERROR", rows: LONG }),
    ]);
  });

  it("JSON ends with the error and without its brace, so that no parser accepts it", async () => {
    const app = failingLate();
    const response = await app.post(V3, QUERY);
    expect(response.status).toBe(200);
    let text = "";
    const read = async () => {
      for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
    };
    await expect(read()).rejects.toThrow();
    expect(() => JSON.parse(text)).toThrow();
    const whole = JSON.parse(`${text}}`) as { readonly data: unknown; readonly error: unknown };
    expect(whole.data).toHaveLength(LONG);
    expect(whole.error).toMatchObject({ message: "division by zero" });
    expect(app.logged[0]).toMatchObject({ ended: "failed" });
  });

  it.each(["text/csv", "application/vnd.apache.arrow.stream"])("%s breaks off, and the body errors", async (accept) => {
    const app = failingLate();
    const response = await app.post(V3, QUERY, { accept });
    expect(response.status).toBe(200);
    await expect(response.bytes()).rejects.toThrow("broke off");
    expect(app.logged).toEqual([
      expect.objectContaining({ status: 200, ended: "failed", reason: "SOURCE_ERROR", rows: LONG }),
    ]);
  });

  it("a value that Arrow cannot hold, among the first rows, is an answer of its own", async () => {
    const script = {
      columns: [{ name: "a", type: { kind: "date" } }],
      batches: [[[1], [Number.POSITIVE_INFINITY]]],
    } as const;
    const app = testApp({ script });
    const response = await app.post(V3, QUERY, { accept: "application/vnd.apache.arrow.stream" });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({
      phase: "RESPONSE_GENERATION",
      metadata: { reason: "CONVERSION" },
      message: expect.stringContaining('Column "a" (date32[day]) has a value that Arrow cannot hold'),
    });
    expect(await (await testApp({ script }).post(V3, QUERY, { accept: "text/csv" })).text()).toBe(
      "a\r\n1970-01-02\r\ninfinity\r\n",
    );
  });

  it("a failure with the first rows still has its status", async () => {
    const app = testApp({
      script: { batches: [[]], lateError: new ConnectorFailure("SOURCE_ERROR", "division by zero") },
    });
    const response = await app.post(V3, QUERY, { accept: "application/x-ndjson" });
    expect([response.status, (await errorOf(response)).message]).toEqual([422, "division by zero"]);
    expect(app.gate.inFlight).toBe(0);
  });
});

describe("warnings of the source", () => {
  const warning = {
    code: "FILE_COLUMN_MISSING",
    message: 'Some files have no column "größe".',
    hint: "Name it.",
  } as const;

  it.each(["application/json", "application/x-ndjson", "text/csv", "application/vnd.apache.arrow.stream"])(
    "go into x-warnings: %s",
    async (accept) => {
      const app = testApp({ script: { sourceWarnings: [warning] } });
      const response = await app.post(V3, QUERY, { accept });
      expect(response.status).toBe(200);
      expect(JSON.parse(response.headers.get("x-warnings") ?? "[]")).toEqual([warning]);
      await response.arrayBuffer();
      await app.settled();
    },
  );

  it.each(["", "?dryRun=true"])("are errors with x-strict, and the source is released%s", async (query) => {
    const app = testApp({ script: { sourceWarnings: [warning] } });
    const response = await app.post(V3 + query, QUERY, { "x-strict": "true" });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({ metadata: { reason: "STRICT_WARNING", hint: "Name it." } });
    await app.settled();
    expect(app.services.sources.events).toContain("connector closed");
  });

  it("come with a dry run", async () => {
    const response = await testApp({ script: { sourceWarnings: [warning] } }).post(`${V3}?dryRun=true`, QUERY);
    expect([response.status, JSON.parse(response.headers.get("x-warnings") ?? "[]")]).toEqual([204, [warning]]);
  });
});

describe("warnings", () => {
  const warn = (app: ReturnType<typeof testApp>, warnings: readonly PlannerWarning[]) => {
    app.services.planner.answer = (request) => ({ ok: true, value: planOf(request, { warnings }) });
  };

  it("go into x-warnings as ASCII JSON", async () => {
    const app = testApp();
    warn(app, [
      { code: "UNKNOWN_FUNCTION", message: "größe is unknown", span: { start: 7, end: 8 }, hint: "spell it" },
    ]);
    const response = await app.post(V3, QUERY);
    const header = response.headers.get("x-warnings") ?? "";
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(header)).toEqual([
      {
        code: "UNKNOWN_FUNCTION",
        message: "größe is unknown",
        position: { line: 1, column: 8, offset: 8, length: 1 },
        hint: "spell it",
      },
    ]);
  });

  it("are cut at 4 KiB and the rest is counted", async () => {
    const app = testApp();
    warn(
      app,
      Array.from({ length: 100 }, () => ({ code: "FANOUT_RISK", message: "x".repeat(150) }) as const),
    );
    const header = (await app.post(V3, QUERY)).headers.get("x-warnings") ?? "";
    expect(header.length).toBeLessThanOrEqual(4096);
    const items = JSON.parse(header) as { code: string; count?: number }[];
    expect(items.at(-1)).toEqual({ code: "MORE", count: 100 - (items.length - 1) });
    expect(items.length).toBeGreaterThan(15);
  });

  it("are counted only when a single one does not fit", async () => {
    const app = testApp();
    warn(app, [{ code: "FANOUT_RISK", message: "x".repeat(5000) }]);
    expect((await app.post(V3, QUERY)).headers.get("x-warnings")).toBe('[{"code":"MORE","count":1}]');
  });

  it.each(["dryRun=true", ""])("become errors with x-strict (%s)", async (search) => {
    const app = testApp();
    warn(app, [{ code: "COLLATION_DEPENDENT", message: "order depends" }]);
    const response = await app.post(`${V3}?${search}`, QUERY, { "x-strict": "true" });
    expect(await errorOf(response)).toMatchObject({ errorCode: "INVALID_SQL", metadata: { reason: "STRICT_WARNING" } });
    expect(app.services.sources.events).not.toContain("open");
  });

  it("an x-strict that is no boolean is refused", async () => {
    const [problem] = await detailOf(await testApp().post(V3, QUERY, { "x-strict": "very" }));
    expect(problem).toMatchObject({ type: "bool_parsing", loc: ["header", "x-strict"] });
  });
});

describe("the end of a request", () => {
  it("a client that goes while the source hangs ends the work there", async () => {
    const app = testApp({ script: { hang: "query" } });
    const client = new AbortController();
    const pending = app.fetch(V3, { method: "POST", body: JSON.stringify(QUERY), signal: client.signal });
    await app.services.sources.happened("query");
    client.abort();
    const response = await pending;
    await app.settled();
    expect(response.status).toBe(499);
    expect(app.services.sources.events).toContain("abort");
    expect(app.services.sources.events.at(-1)).toBe("connector closed");
    expect(app.gate.inFlight).toBe(0);
  });

  it("a client that goes after the first bytes ends the work there", async () => {
    const app = testApp({ script: { hang: "batches", batches: [Array.from({ length: 20_000 }, () => [1])] } });
    const client = new AbortController();
    const response = await app.fetch(V3, { method: "POST", body: JSON.stringify(QUERY), signal: client.signal });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    client.abort();
    await app.services.sources.happened("connector closed");
    await app.settled();
    expect(app.services.sources.events).toContain("abort");
    expect(app.gate.inFlight).toBe(0);
    expect(app.logged).toEqual([expect.objectContaining({ reason: "CANCELLED", ended: "cancelled" })]);
  });

  it("a client that stops reading ends the work too", async () => {
    const app = testApp({ script: { hang: "batches", batches: [Array.from({ length: 20_000 }, () => [1])] } });
    const response = await app.post(V3, QUERY);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await app.settled();
    expect(app.services.sources.events.slice(-2)).toEqual(["stream closed", "connector closed"]);
    expect(app.logged).toEqual([expect.objectContaining({ ended: "cancelled" })]);
    expect(app.gate.inFlight).toBe(0);
  });

  it("needs neither place nor stream for an answer that is whole when it begins", async () => {
    const app = testApp({ places: 1, script: { batches: [[[1]], [[2]]] } });
    const response = await app.post(V3, QUERY);
    await app.settled();
    expect(app.gate.inFlight).toBe(0);
    expect(app.logged).toEqual([expect.objectContaining({ status: 200, rows: 2 })]);
    expect(await response.json()).toMatchObject({ data: [[1], [2]] });
  });

  it("does not let the status wait for rows that are long in coming", async () => {
    const app = testApp({ script: { hang: "batches", batches: [[[1]]] } });
    const response = await app.post(V3, QUERY);
    expect(response.status).toBe(200);
    expect(app.logged).toEqual([]);
    await response.body?.cancel();
    await app.settled();
    expect(app.logged).toEqual([expect.objectContaining({ ended: "cancelled" })]);
  });

  it("holds a place until the rows are read", async () => {
    const wide = Array.from({ length: 20_000 }, () => [1]);
    const app = testApp({ places: 1, script: { batches: [wide, wide] } });
    const response = await app.post(V3, QUERY);
    expect(app.gate.inFlight).toBe(1);
    const refused = await app.post(V3, QUERY);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await errorOf(refused)).toMatchObject({ metadata: { reason: "OVERLOADED" } });
    await response.text();
    await app.settled();
    expect(app.gate.inFlight).toBe(0);
    expect((await app.post(V3, QUERY)).status).toBe(200);
  });

  it("waits for a place, and gets that of a request whose source is silent", async () => {
    vi.useFakeTimers();
    try {
      const gate = { waitMs: 5000, holdMs: 30_000 };
      const app = testApp({ places: 1, gate, script: { hang: "query" } });
      const silent = app.post(V3, QUERY);
      await vi.advanceTimersByTimeAsync(28_000);
      const early = app.post(V3, QUERY);
      await vi.advanceTimersByTimeAsync(1000);
      const late = app.post(V3, QUERY);
      await vi.advanceTimersByTimeAsync(1500);
      const response = await silent;
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "10"]);
      expect(await errorOf(response)).toMatchObject({ metadata: { reason: "OVERLOADED" } });
      // One of the two waiting requests was too many.
      expect((await late).status).toBe(503);
      expect(app.gate).toMatchObject({ inFlight: 1, waiting: 0 });
      await vi.advanceTimersByTimeAsync(240_000);
      expect((await early).status).toBe(504);
      await app.settled();
      expect(app.gate.inFlight).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps its place while somebody reads, and loses it to others when nobody does", async () => {
    vi.useFakeTimers();
    try {
      const wide = Array.from({ length: 20_000 }, () => [1]);
      const batches = Array.from({ length: 50 }, () => wide);
      const app = testApp({ places: 1, gate: { waitMs: 100_000, holdMs: 30_000 }, script: { batches } });
      const reader = (await app.post(V3, QUERY)).body?.getReader();
      await vi.advanceTimersByTimeAsync(20_000);
      const waiting = app.post(V3, QUERY);
      await reader?.read();
      await reader?.read();
      await vi.advanceTimersByTimeAsync(20_000);
      expect(app.gate.waiting).toBe(1);
      await vi.advanceTimersByTimeAsync(20_000);
      expect((await waiting).status).toBe(200);
      expect(app.logged).toEqual([expect.objectContaining({ ended: "failed" })]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("health answers while every place is taken", async () => {
    const app = testApp({ places: 1, script: { hang: "query" } });
    const client = new AbortController();
    const pending = app.fetch(V3, { method: "POST", body: JSON.stringify(QUERY), signal: client.signal });
    await app.services.sources.happened("query");
    expect((await app.fetch("/health")).status).toBe(200);
    client.abort();
    await pending;
  });

  it("logs one line without SQL or connection", async () => {
    const app = testApp();
    await (await app.post(V3, QUERY)).text();
    expect(app.logged).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: "info",
        event: "request",
        method: "POST",
        route: "/v3/connector/:data_source/query",
        dataSource: "postgres",
        caller: "anonymous",
        status: 200,
        milliseconds: expect.any(Number),
        phases: expect.any(Object),
        correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        rows: 1,
        bytes: expect.any(Number),
      },
    ]);
  });
});

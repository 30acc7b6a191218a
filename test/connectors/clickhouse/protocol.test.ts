/** The HTTP interface, against a FAKE of it: ends of answers, older servers, proxies, and what is sent. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failureOf, patient, plain } from "../contract.ts";
import { bytes, fake, HEADERS, header, ORIGIN, ok, refused, TAG } from "./server.ts";

const MESSAGE = "Code: 395. DB::Exception: Value is non-zero: while executing. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO)";
const VERSION = " (version 26.7.2.1 (official build))\n";
const MARKED = `\r\n__exception__\r\n${TAG}\r\n${MESSAGE}${VERSION}150 ${TAG}\r\n__exception__\r\n`;
const { "x-clickhouse-exception-tag": _, ...OLDER } = HEADERS;

const inPieces = (whole: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.slice(i * size, (i + 1) * size));

describe("a request", () => {
  it("brings along who asks, the database, the settings and an id", async () => {
    const { sent, open } = fake(ok([header("UInt8"), bytes([7])]));
    const connector = await open({ settings: { max_threads: 2 }, kwargs: { client_name: "reports" } });
    const session = [{ name: "join_use_nulls", value: "1" }];
    const options = { signal: new AbortController().signal, timeoutMs: 1500 };
    const result = await connector.query({ ...plain("SELECT n FROM t"), session }, options);
    expect([...((await result.batches.next()).value ?? [])]).toEqual([[7]]);
    const [first] = sent;
    expect(first?.url.origin).toBe(ORIGIN);
    expect(Object.fromEntries(first?.url.searchParams ?? [])).toMatchObject({
      database: "default",
      default_format: "RowBinaryWithNamesAndTypes",
      readonly: "2",
      max_execution_time: "1.5",
      max_threads: "2",
      join_use_nulls: "1",
      session_timezone: "UTC",
      timeout_overflow_mode: "throw",
      query_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(first?.headers.get("authorization")).toBe(`Basic ${Buffer.from("ann:pässword").toString("base64")}`);
    expect(first?.headers.get("user-agent")).toBe("reports");
    expect(first?.body).toBe("SELECT n FROM t");
  });

  it("carries a token instead of a password", async () => {
    const { sent, rows } = fake(ok([header("UInt8")]));
    await rows("SELECT 1", { kwargs: { access_token: "a.b.c" } });
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer a.b.c");
  });

  it("checks a statement by its columns, on lines of its own", async () => {
    const { sent, open } = fake(ok([header("String")]));
    await (await open()).dryRun(plain("SELECT 1 -- one"), patient());
    expect(sent[0]?.body).toBe("DESCRIBE TABLE (SELECT 1 -- one\n)");
  });

  it("kills by its id what it leaves", async () => {
    const { sent, open } = fake(ok([header("UInt8"), bytes([1]), bytes([2])]));
    const connector = await open();
    const result = await connector.query(plain("SELECT 1"), patient());
    await result.batches.next();
    await result.close();
    await connector.close();
    const id = sent[0]?.url.searchParams.get("query_id");
    expect(sent.slice(1).map(({ body }) => body)).toEqual([`KILL QUERY WHERE query_id = '${id}' ASYNC`]);
    expect(sent[1]?.url.searchParams.get("readonly")).toBeNull();
  });
});

describe("an answer", () => {
  it("is the same in whatever pieces it comes", async () => {
    const whole = bytes([2, 1], "a", [1], "b", [5], "Int16", [6], "String", [1, 0, 4], "x€", [0xff, 0xff, 1], "\r");
    for (let size = 1; size <= whole.length; size++) {
      const pieces = inPieces(whole, size);
      for (const headers of [HEADERS, OLDER]) {
        expect(await fake(ok(pieces, headers)).rows()).toEqual([
          [1, "x€"],
          [-1, "\r"],
        ]);
      }
    }
  });

  it.each([1, 2, 7, 1000])("that ends in an exception fails with it, in pieces of %i bytes", async (size) => {
    for (const [headers, text, isBroken] of [
      [HEADERS, MARKED, true],
      [HEADERS, MARKED, false],
      [OLDER, `${MESSAGE}${VERSION}`, false],
      [OLDER, `${MESSAGE}${VERSION}`, true],
    ] as const) {
      const whole = bytes([...header("String")], [1], "a", text);
      const pieces = inPieces(whole, size);
      const failure = await failureOf(fake(ok(pieces, headers, isBroken)).rows());
      expect(failure).toMatchObject({ reason: "SOURCE_ERROR", engineCode: "395" });
      expect(failure.message).toMatch(/^Value is non-zero: while executing\. \(FUNCTION_/);
    }
  });

  it("whose values look like an exception's mark is no exception", async () => {
    const text = "\r\n__exception__\r\nother\r\n";
    expect(await fake(ok([header("String"), bytes([text.length], text)])).rows()).toEqual([[text]]);
  });

  it.each<[string, Response]>([
    ["within a row", ok([header("UInt32"), bytes([1, 2])])],
    ["within the header", ok([bytes([1, 1], "n", [5], "UI")])],
    ["before anything", ok([])],
    ["between rows", ok([header("UInt8"), bytes([1, 2])], HEADERS, true)],
    ["between rows, on an older server", ok([header("UInt8"), bytes([1, 2])], OLDER, true)],
  ])("that breaks off %s fails", async (_, response) => {
    expect(await failureOf(fake(response).rows())).toMatchObject({
      reason: "UPSTREAM_PROTOCOL",
      message: "The answer broke off.",
    });
  });

  it.each<[string, Response, string]>([
    ["a proxy's page", new Response("<html>", { status: 200 }), "UPSTREAM_PROTOCOL"],
    ["a page for another address", new Response("<html>", { status: 404 }), "UPSTREAM_PROTOCOL"],
    ["a proxy that asks who it is", new Response("<html>", { status: 401 }), "AUTHENTICATION"],
    ["a proxy that has no server", new Response("<html>", { status: 503 }), "OVERLOADED"],
    [
      "a redirect",
      new Response(null, { status: 302, headers: { location: "https://evil.example" } }),
      "UPSTREAM_PROTOCOL",
    ],
    ["another format", ok([bytes("{}")], { ...HEADERS, "x-clickhouse-format": "JSON" }), "UPSTREAM_PROTOCOL"],
    [
      "an exception that is none",
      new Response("?", { status: 500, headers: { "x-clickhouse-exception-code": "1" } }),
      "UPSTREAM_PROTOCOL",
    ],
    ["a type that is none", ok([header("Array(Int8")]), "SOURCE_ERROR"],
    ["a type without end", ok([bytes([1, 1], "n", [0x90, 0x4e], "Array(".repeat(1666), "Int8")]), "SOURCE_ERROR"],
    ["a name without end", ok([bytes([1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])]), "UPSTREAM_PROTOCOL"],
    ["columns without end", ok([bytes([0xff, 0xff, 0xff, 0xff, 0x0f])]), "UPSTREAM_PROTOCOL"],
    ["a list without end", ok([header("Array(Nothing)"), bytes([0xff, 0xff, 0xff, 0xff, 0x0f])]), "SOURCE_ERROR"],
  ])("that is %s fails", async (_, response, reason) => {
    const { sent, rows } = fake(response);
    expect((await failureOf(rows())).reason).toBe(reason);
    // A statement is never sent twice.
    expect(sent.filter(({ body }) => !body.startsWith("KILL"))).toHaveLength(1);
  });
});

it.each<[number, Record<string, string>, number]>([
  [429, { "retry-after": "7" }, 7],
  [503, { "retry-after": "7" }, 7],
  [503, { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30],
  [429, {}, 5],
  [503, {}, 5],
])("a statement that a proxy refuses with status %i, %j, is not sent twice", async (status, headers, retryAfter) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const { sent, rows } = fake(new Response("<html>busy", { status, headers }));
  const failure = await failureOf(rows());
  expect(failure.reason).toBe("OVERLOADED");
  expect(failure.retryAfter).toBe(retryAfter);
  expect(sent).toHaveLength(1);
});

describe("an exception", () => {
  it.each<[number, string, string, string]>([
    [408, "159", "Timeout exceeded: elapsed 1 s. (TIMEOUT_EXCEEDED)", "STATEMENT_TIMEOUT"],
    [500, "202", "Too many simultaneous queries. (TOO_MANY_SIMULTANEOUS_QUERIES)", "OVERLOADED"],
    [403, "516", "ann: Authentication failed. (AUTHENTICATION_FAILED)", "AUTHENTICATION"],
    [404, "81", "Database default does not exist. (UNKNOWN_DATABASE)", "AUTHENTICATION"],
    [404, "81", "Database other does not exist. (UNKNOWN_DATABASE)", "SOURCE_INVALID_SQL"],
    [404, "47", "Unknown identifier `x`. (UNKNOWN_IDENTIFIER)", "SOURCE_INVALID_SQL"],
    [500, "241", "Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)", "SOURCE_ERROR"],
    [500, "497", "ann: Not enough privileges. (ACCESS_DENIED)", "SOURCE_ERROR"],
  ])("%i, code %s: %s is %s", async (status, code, text, reason) => {
    const failure = await failureOf(fake(refused(status, code, text)).rows());
    expect(failure).toMatchObject({ reason, engineCode: code, message: text });
  });

  it.each<[string, boolean]>([
    ["SELECT /* 𝒳 é */ FROM WHERE", false],
    ["\n  SELECT /* 𝒳 é */ FROM WHERE", false],
    ["SELECT /* 𝒳 é */ FROM WHERE", true],
    ["\n  SELECT /* 𝒳 é */ FROM WHERE", true],
  ])("of the parser has its place in %j (dry run: %j)", async (sql, isDry) => {
    const sent = isDry ? `DESCRIBE TABLE (${sql}` : sql.trimStart();
    const at = new TextEncoder().encode(sent.slice(0, sent.indexOf("WHERE"))).length + 1;
    const text = `Syntax error: failed at position ${at} (WHERE) (line 1, col 8): WHERE. Expected one of: x. (SYNTAX_ERROR)`;
    const { open } = fake(refused(400, "62", text));
    const connector = await open();
    const work = isDry ? connector.dryRun(plain(sql), patient()) : connector.query(plain(sql), patient());
    expect(await failureOf(work)).toMatchObject({ reason: "SOURCE_INVALID_SQL", position: sql.indexOf("WHERE") });
  });

  it("about a setting of the statement's own is not taken for one about the user's profile", async () => {
    const text = "Cannot modify 'readonly' setting in readonly mode. (READONLY)";
    const { sent, rows } = fake(refused(500, "164", text), new Response("0\n"), ok([header("UInt8"), bytes([1])]));
    expect((await failureOf(rows("SELECT 1 SETTINGS readonly = 0"))).engineCode).toBe("164");
    expect(sent).toHaveLength(2);
  });
});

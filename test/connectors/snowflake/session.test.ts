/** The protocol of sessions against a FAKE of it (`sessions.ts`), and against one that says what it is told to. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHere } from "../../../src/connectors/open-here.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { ACCOUNT, STATEMENTS } from "./rest.ts";
import { type FakeSessions, PASSWORD, STORAGE, startFakeSessions } from "./sessions.ts";

const FIELDS = { user: "reader", account: ACCOUNT, database: "D", schema: "PUBLIC", password: PASSWORD };

const open = (fetch: typeof globalThis.fetch, change: object = {}, connectTimeoutMs = 5000) =>
  openHere(
    parseConnection("snowflake", { ...FIELDS, ...change }).info,
    { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs },
    { signal: new AbortController().signal },
  );

describe("a session", () => {
  let snowflake: FakeSessions;
  beforeAll(async () => {
    snowflake = await startFakeSessions();
  });
  afterAll(() => snowflake?.close());

  it("is opened with all that statements mean by it, and left behind the request", async () => {
    const change = { warehouse: "WH", kwargs: { role: "ANALYST", query_tag: "team" } };
    const connector = await open(snowflake.fetch, change);
    expect(snowflake.open.size).toBe(1);
    expect(await drain(await connector.query(plain(STATEMENTS.numbers(2)), patient()))).toEqual([[1n], [2n]]);
    await connector.close();
    expect(snowflake.open.size).toBe(0);
    expect(snowflake.logins.at(-1)).toMatchObject({
      ACCOUNT_NAME: "AB12345",
      LOGIN_NAME: "reader",
      SESSION_PARAMETERS: {
        TIMEZONE: "UTC",
        ROWS_PER_RESULTSET: 0,
        QUOTED_IDENTIFIERS_IGNORE_CASE: false,
        QUERY_TAG: "team",
      },
    });
    expect(snowflake.questions.at(-1)).toMatchObject({
      sqlText: STATEMENTS.numbers(2),
      parameters: {
        TIMEZONE: "UTC",
        MULTI_STATEMENT_COUNT: "1",
        STATEMENT_TIMEOUT_IN_SECONDS: "60",
        QUERY_TAG: "team",
      },
    });
  });

  it("reads chunks of a storage as they are pulled, by their key and without the session's", async () => {
    const connector = await open(snowflake.fetch);
    const before = snowflake.asked.length;
    const rows = await drain(await connector.query(plain(STATEMENTS.numbers(2500)), patient()));
    expect([rows.length, rows.at(-1)]).toEqual([2500, [2500n]]);
    expect(snowflake.asked.slice(before)).toEqual([
      "POST /queries/v1/query-request",
      "GET /stored/id/1",
      "GET /stored/id/2",
    ]);
    await connector.close();
  });

  it("is renewed when its token has expired, once for all statements that notice", async () => {
    const connector = await open(snowflake.fetch);
    snowflake.expire();
    const before = snowflake.asked.length;
    const ask = async () => drain(await connector.query(plain(STATEMENTS.numbers(1)), patient()));
    expect(await Promise.all([ask(), ask()])).toEqual([[[1n]], [[1n]]]);
    const renewals = snowflake.asked.slice(before).filter((line) => line === "POST /session/token-request");
    expect(renewals).toHaveLength(1);
    snowflake.expire();
    expect(await failureOf(ask())).toMatchObject({ reason: "AUTHENTICATION", engineCode: "390112" });
    await connector.close();
  });

  it("is not opened by a wrong password, nor without somebody who holds the second factor", async () => {
    expect(await failureOf(open(snowflake.fetch, { password: "wrong" }))).toMatchObject({
      reason: "AUTHENTICATION",
      engineCode: "390100",
      message: "Incorrect username or password was specified.",
    });
    expect(await failureOf(open(snowflake.fetch, { user: "mfa" }))).toMatchObject({
      reason: "AUTHENTICATION",
      hint: expect.stringContaining("PROGRAMMATIC_ACCESS_TOKEN"),
    });
  });

  it("cancels a statement by its name, which it has before there is an answer", async () => {
    const connector = await open(snowflake.fetch);
    const controller = new AbortController();
    const asked = failureOf(connector.query(plain(STATEMENTS.stuck), patient(controller.signal)));
    await expect.poll(() => snowflake.running("SYSTEM$WAIT")).toBe(1);
    controller.abort();
    expect((await asked).reason).toBe("CANCELLED");
    await expect.poll(() => snowflake.running("SYSTEM$WAIT")).toBe(0);
    const late = failureOf(connector.query(plain(STATEMENTS.stuck), { ...patient(), timeoutMs: 100 }));
    expect((await late).reason).toBe("STATEMENT_TIMEOUT");
    await expect.poll(() => snowflake.running("SYSTEM$WAIT")).toBe(0);
    await connector.close();
  });

  it("plans without running anything", async () => {
    const connector = await open(snowflake.fetch);
    expect(await connector.dryRun(plain(STATEMENTS.numbers(1)), patient())).toEqual({ bytes: 1024n });
    expect(snowflake.questions.at(-1)).toMatchObject({ sqlText: `EXPLAIN USING JSON\n${STATEMENTS.numbers(1)}` });
    await connector.close();
  });
});

type Told = Response | Error | (() => Promise<Response>);

/** The login, and then what it is told to say; the last goes on. */
function fake(...answers: readonly Told[]) {
  const sent: { readonly url: string; readonly headers: Headers }[] = [];
  const left = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname.startsWith("/session")) {
      return Response.json({ success: true, data: { token: "t", masterToken: "m" } });
    }
    sent.push({ url: String(input), headers: new Headers(init?.headers) });
    const answer = (left.length > 1 ? left.shift() : left[0]) as Told;
    if (answer instanceof Error) throw answer;
    return typeof answer === "function" ? answer() : answer.clone();
  };
  const rows = async (options = patient()) => drain(await (await open(fetch)).query(plain("SELECT 1"), options));
  return { sent, rows };
}

const N = { name: "N", type: "fixed", precision: 38, scale: 0 };
const done = (change: object = {}) =>
  Response.json({
    success: true,
    data: { rowtype: [N], rowset: [["1"]], total: 1, queryResultFormat: "json", ...change },
  });
const refused = (code: string, message: string, sqlState?: string, init: ResponseInit = {}) =>
  Response.json({ success: false, code, message, data: { sqlState, errorCode: code } }, init);
const chunk = (url: string, rowCount = 1) => ({ url, rowCount, compressedSize: 1, uncompressedSize: 1 });

describe("answers", () => {
  it.each<[string, Response]>([
    ["plain", new Response('["2"],["3"]')],
    ["compressed and not said so", new Response(gzipSync('["2"],["3"]'))],
  ])("a chunk that is %s", async (_, stored) => {
    const { rows, sent } = fake(done({ total: 3, chunks: [chunk(`${STORAGE}/1?sig=x`, 2)] }), stored);
    expect(await rows()).toEqual([[1n], [2n], [3n]]);
    expect(sent[1]?.headers.get("authorization")).toBeNull();
  });

  it("values of every type", async () => {
    const types: [string, object, string, unknown, unknown][] = [
      ["fixed", { scale: 2, precision: 10 }, "12.30", { kind: "decimal", precision: 10, scale: 2 }, "12.30"],
      ["boolean", {}, "1", { kind: "boolean" }, true],
      ["boolean", {}, "0", { kind: "boolean" }, false],
      ["real", {}, "1.5e300", { kind: "float64" }, 1.5e300],
      ["date", {}, "-1", { kind: "date" }, -1],
      ["time", { scale: 9 }, "3600.000000001", { kind: "time", unit: "ns" }, 3_600_000_000_001],
      ["timestamp_ntz", {}, "-0.5", { kind: "timestamp", unit: "ns", zone: undefined }, -500_000_000n],
      ["timestamp_tz", {}, "1.000000000 1500", { kind: "timestamp", unit: "ns", zone: "UTC" }, 1_000_000_000n],
      ["binary", {}, "00ff", { kind: "binary" }, Uint8Array.of(0, 255)],
      ["variant", {}, '{"a":1}', { kind: "json" }, '{"a":1}'],
      ["text", {}, "x", { kind: "string" }, "x"],
    ];
    const rowtype = types.map(([type, change], index) => ({ name: `C${index}`, type, ...change }));
    const fetch = fake(done({ rowtype, rowset: [types.map(([, , json]) => json), types.map(() => null)], total: 2 }));
    expect(await fetch.rows()).toEqual([types.map(([, , , , value]) => value), types.map(() => null)]);
  });

  it("is sent again by its name where no answer came, and where somebody between is busy", async () => {
    const { sent, rows } = fake(new TypeError("reset"), async () => new Response("", { status: 503 }), done());
    expect(await rows()).toEqual([[1n]]);
    const ids = sent.map(({ url }) => new URL(url).searchParams);
    expect(new Set(ids.map((id) => id.get("requestId"))).size).toBe(1);
    expect(ids.map((id) => id.get("retryCount"))).toEqual([null, "1", "2"]);
  });

  it.each<[string, Told[], string, object?]>([
    [
      "a name",
      [refused("000904", "SQL compilation error: error line 1 at position 7\ninvalid identifier 'N'", "42000")],
      "SOURCE_INVALID_SQL",
      { position: 7, engineCode: "000904" },
    ],
    ["a value", [refused("100051", "Division by zero", "22012")], "SOURCE_ERROR"],
    ["time", [refused("000630", "Statement reached its timeout", "57014")], "STATEMENT_TIMEOUT"],
    ["a session that is gone", [refused("390111", "Session no longer exists.")], "AUTHENTICATION"],
    ["a network policy", [refused("390422", "IP is not allowed", undefined, { status: 403 })], "AUTHENTICATION"],
    [
      "no such account",
      [new Response("<html>", { status: 403 })],
      "AUTHENTICATION",
      { hint: expect.stringContaining("account") },
    ],
    ["a proxy's page", [new Response("<html>")], "UPSTREAM_PROTOCOL"],
    ["rows that are missing", [done({ total: 2 })], "UPSTREAM_PROTOCOL"],
    ["no columns", [done({ rowtype: [] })], "UPSTREAM_PROTOCOL"],
    ["another form", [done({ queryResultFormat: "xml" })], "UPSTREAM_PROTOCOL"],
    ["a value that is not of its type", [done({ rowset: [["x"]] })], "SOURCE_ERROR"],
    [
      "a redirect",
      [new Response(null, { status: 302, headers: { location: "https://evil.example/" } })],
      "UPSTREAM_PROTOCOL",
    ],
    [
      "a result that lies elsewhere",
      [Response.json({ success: false, code: "333334", data: { getResultUrl: "//evil.example/queries/a/result" } })],
      "UPSTREAM_PROTOCOL",
    ],
    ["chunks at a foreign host", [done({ total: 2, chunks: [chunk("https://evil.example/1")] })], "EGRESS_DENIED"],
    ["chunks without TLS", [done({ total: 2, chunks: [chunk(STORAGE.replace("https", "http"))] })], "EGRESS_DENIED"],
    [
      "chunks that want another header",
      [done({ total: 2, chunks: [chunk(STORAGE)], chunkHeaders: { Authorization: "x" } })],
      "UPSTREAM_PROTOCOL",
    ],
    [
      "a chunk that has expired",
      [done({ total: 2, chunks: [chunk(STORAGE)] }), new Response("", { status: 403 })],
      "SOURCE_ERROR",
    ],
    [
      "a chunk of fewer rows",
      [done({ total: 3, chunks: [chunk(STORAGE, 2)] }), new Response('["2"]')],
      "UPSTREAM_PROTOCOL",
    ],
    [
      "a chunk that is not JSON",
      [done({ total: 2, chunks: [chunk(STORAGE)] }), new Response("<xml/>")],
      "UPSTREAM_PROTOCOL",
    ],
    [
      "a chunk cut off",
      [done({ total: 2, chunks: [chunk(STORAGE)] }), new Response(gzipSync('["2"]').subarray(0, 12))],
      "UPSTREAM_PROTOCOL",
    ],
    ["nothing", [new TypeError("reset")], "HOST_UNREACHABLE"],
  ])("%s", async (_, answers, reason, expected = {}) => {
    expect(await failureOf(fake(...answers).rows())).toMatchObject({ reason, ...expected });
  });

  it.each([
    ["a token that would end its header", { token: 't" x', masterToken: "m" }, "UPSTREAM_PROTOCOL"],
    ["no token", {}, "UPSTREAM_PROTOCOL"],
    ["a password that has to be changed", { nextAction: "PWD_CHANGE" }, "AUTHENTICATION"],
  ])("a login with %s", async (_, data, reason) => {
    const fetch = async () => Response.json({ success: true, data });
    expect((await failureOf(open(fetch as never))).reason).toBe(reason);
  });

  it("a login that is not answered ends in time", async () => {
    const fetch = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
      );
    expect((await failureOf(open(fetch as never, {}, 50))).reason).toBe("HOST_UNREACHABLE");
  });
});

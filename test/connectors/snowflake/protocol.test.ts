/** The SQL API against a FAKE that says what it is told to, in the shapes of its documentation. */
import { createPrivateKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openHere } from "../../../src/connectors/open-here.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { ACCOUNT, makeKeyPair, startFakeSnowflake } from "./rest.ts";

const PAIR = makeKeyPair();
const FIELDS = { user: "reader", account: ACCOUNT, database: "D", schema: "PUBLIC", private_key: PAIR.privateKey };
const SQL = "SELECT n FROM t";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answer = Response | Error | ((sent: Sent) => Promise<Response>);

/** Each answer is a response, a broken connection, or what makes one; the last goes on. */
function fake(...answers: readonly Answer[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const one: Sent = { method, path: pathname + search, headers, body: await request.text() };
    sent.push(one);
    const answer = (left.length > 1 ? left.shift() : left[0]) as Answer;
    if (answer instanceof Error) throw answer;
    return typeof answer === "function" ? answer(one) : new Response(await textOf(answer), answer);
  };
  const open = (change: object = {}) =>
    openHere(
      parseConnection("snowflake", { ...FIELDS, ...change }).info,
      { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 },
      { signal: new AbortController().signal },
    );
  const rows = async (options = patient(), change: object = {}) =>
    drain(await (await open(change)).query(plain(SQL), options));
  return { sent, open, rows, lines: () => sent.map(({ method, path }) => `${method} ${path.split("?")[0]}`) };
}

const texts = new Map<Response, Promise<string>>();

/** Can be read any number of times. */
function textOf(response: Response): Promise<string> {
  const text = texts.get(response) ?? response.text();
  texts.set(response, text);
  return text;
}

const HANDLE = "01b2c3d4-0000-1111-0000-000000000001";
const running = Response.json({ code: "333334", message: "in progress", statementHandle: HANDLE }, { status: 202 });
const done = (values: readonly (string | null)[], change: object = {}, meta: object = {}) =>
  Response.json({
    code: "090001",
    statementHandle: HANDLE,
    message: "ok",
    resultSetMetaData: {
      numRows: values.length,
      format: "jsonv2",
      rowType: [{ name: "N", type: "FIXED", precision: 38, scale: 0 }],
      partitionInfo: [{ rowCount: values.length }],
      ...meta,
    },
    data: values.map((value) => [value]),
    ...change,
  });
const failed = (status: number, code: string, message: string, sqlState?: string, headers = {}) =>
  Response.json({ code, message, sqlState, statementHandle: HANDLE }, { status, headers });

const SUBMIT = "POST /api/v2/statements";
const POLL = `GET /api/v2/statements/${HANDLE}`;
const CANCEL = `POST /api/v2/statements/${HANDLE}/cancel`;

describe("a statement", () => {
  it("is sent with all that a session would have", async () => {
    const { sent, rows } = fake(done(["1"]));
    const change = { warehouse: "WH", kwargs: { role: "ANALYST", query_tag: "team" } };
    expect(await rows({ ...patient(), timeoutMs: 30_000 }, change)).toEqual([[1n]]);
    expect(JSON.parse(sent[0]?.body ?? "{}")).toEqual({
      statement: SQL,
      timeout: 30,
      database: "D",
      schema: "PUBLIC",
      warehouse: "WH",
      role: "ANALYST",
      parameters: { TIMEZONE: "UTC", MULTI_STATEMENT_COUNT: "1", QUERY_TAG: "team" },
    });
    expect(sent[0]?.path).toMatch(/^\/api\/v2\/statements\?async=true&requestId=[\da-f-]{36}$/);
    expect(sent[0]?.headers.get("x-snowflake-authorization-token-type")).toBe("KEYPAIR_JWT");
  });

  it("is asked after while a warehouse resumes, and read part by part", async () => {
    const parts = { numRows: 3, partitionInfo: [{ rowCount: 2 }, { rowCount: 1 }] };
    const { sent, rows, lines } = fake(
      running,
      running,
      running,
      done(["1", "2"], {}, parts),
      Response.json({ data: [["3"]] }),
    );
    expect(await rows()).toEqual([[1n], [2n], [3n]]);
    expect(lines()).toEqual([SUBMIT, POLL, POLL, POLL, POLL]);
    expect(sent.at(-1)?.path).toContain("?partition=1");
  });

  it("is sent once more, under the same name, when no answer came", async () => {
    const { sent, rows } = fake(new TypeError("reset"), done(["1"]));
    expect(await rows()).toEqual([[1n]]);
    expect(sent[1]?.path).toBe(`${sent[0]?.path}&retry=true`);
  });

  it("whose caller goes while it is sent is cancelled as soon as it has a handle, once", async () => {
    const controller = new AbortController();
    const { lines, rows } = fake(async () => {
      controller.abort();
      return Response.json({ code: "333334", message: "", statementHandle: HANDLE }, { status: 202 });
    }, Response.json({}));
    expect((await failureOf(rows(patient(controller.signal)))).reason).toBe("CANCELLED");
    await expect.poll(lines).toEqual([SUBMIT, CANCEL]);
  });

  it("that has ended is not cancelled when its rows are not read", async () => {
    const { open, lines } = fake(done(["1"], {}, { numRows: 2, partitionInfo: [{ rowCount: 1 }, { rowCount: 1 }] }));
    const result = await (await open()).query(plain(SQL), patient());
    await result.close();
    expect(lines()).toEqual([SUBMIT]);
  });

  it("keeps the digits of what the plan means as a decimal", async () => {
    const { open } = fake(done(["9".repeat(38)]));
    const columns = [{ name: "N", type: { kind: "decimal" }, nullable: true }] as never;
    const result = await (await open()).query({ ...plain(SQL), columns }, patient());
    expect(await drain(result)).toEqual([["9".repeat(38)]]);
  });

  it("brings the settings of its dialect", async () => {
    const { open, sent } = fake(done(["1"]));
    const session = [
      { name: "TIMEZONE", value: "UTC" },
      { name: "ROWS_PER_RESULTSET", value: "0" },
    ];
    await (await open()).query({ ...plain(SQL), session }, patient());
    const { parameters } = JSON.parse(sent[0]?.body ?? "{}");
    expect(parameters).toEqual({ TIMEZONE: "UTC", ROWS_PER_RESULTSET: "0", MULTI_STATEMENT_COUNT: "1" });
  });

  it("fails where names in quotes are folded", async () => {
    const { open } = fake(done(["1"]));
    const columns = [{ name: "n", type: { kind: "integer", bits: 64 }, nullable: true }] as never;
    const failure = await failureOf((await open()).query({ ...plain(SQL), columns }, patient()));
    expect(failure).toMatchObject({ reason: "SOURCE_ERROR", hint: expect.stringContaining("QUOTED_IDENTIFIERS") });
  });

  it("brings no settings that could not be had, and only reads", async () => {
    const { open, sent } = fake(done(["1"]));
    const connector = await open();
    const session = [{ name: "WEEK_START", value: "1" }];
    await expect(connector.query({ ...plain(SQL), session }, patient())).rejects.toThrow("cannot be set");
    for (const sql of [
      "INSERT INTO t SELECT 1",
      "CALL p()",
      "BEGIN SELECT 1; END",
      "EXECUTE IMMEDIATE 'x'",
      "WITH p AS/* */\nPROCEDURE () RETURNS INT AS 'x' CALL p()",
    ]) {
      expect((await failureOf(connector.query(plain(sql), patient()))).reason).toBe("SOURCE_INVALID_SQL");
    }
    expect(sent).toEqual([]);
  });
});

describe("a dry run", () => {
  it.each([
    ['{"GlobalStats":{"bytesAssigned":1024}}', { bytes: 1024n }],
    ['{"GlobalStats":{}}', {}],
    ["GlobalStats: …", {}],
  ])("is a plan: %s", async (plan, report) => {
    const meta = { rowType: [{ name: "content", type: "TEXT" }] };
    const { sent, open } = fake(done([plan], {}, meta));
    expect(await (await open()).dryRun(plain(SQL), patient())).toEqual(report);
    expect(JSON.parse(sent[0]?.body ?? "{}").statement).toBe(`EXPLAIN USING JSON\n${SQL}`);
  });
});

describe("what is wrong", () => {
  it.each<[string, Answer, string, object?]>([
    [
      "a name",
      failed(422, "000904", "SQL compilation error: error line 1 at position 7\ninvalid identifier 'N'", "42000"),
      "SOURCE_INVALID_SQL",
      { position: 7, engineCode: "000904" },
    ],
    [
      "a table",
      failed(422, "002003", "SQL compilation error:\nObject 'T' does not exist or not authorized.", "42S02"),
      "SOURCE_INVALID_SQL",
      { position: undefined },
    ],
    ["a right", failed(422, "003001", "SQL access control error:\nInsufficient privileges", "42501"), "SOURCE_ERROR"],
    ["a value", failed(422, "100051", "Division by zero", "22012"), "SOURCE_ERROR"],
    [
      "no warehouse",
      failed(422, "000606", "No active warehouse selected", "57P03"),
      "SOURCE_ERROR",
      { hint: expect.stringContaining("warehouse") },
    ],
    [
      "time",
      failed(408, "000630", "Statement reached its statement or warehouse timeout", "57014"),
      "STATEMENT_TIMEOUT",
    ],
    [
      "a token",
      failed(401, "390144", "JWT token is invalid."),
      "AUTHENTICATION",
      { hint: expect.stringContaining("public half") },
    ],
    ["a network policy", failed(403, "390422", "IP is not allowed"), "AUTHENTICATION"],
    ["429", new Response("", { status: 429 }), "OVERLOADED", { retryAfter: 5 }],
    [
      "503 that says when",
      new Response("", { status: 503, headers: { "retry-after": "9" } }),
      "OVERLOADED",
      { retryAfter: 9 },
    ],
    ["a proxy's page", new Response("<html>"), "UPSTREAM_PROTOCOL"],
    ["500", new Response("<html>", { status: 500 }), "UPSTREAM_PROTOCOL"],
    [
      "a redirect",
      new Response(null, { status: 302, headers: { location: "https://evil.example/" } }),
      "UPSTREAM_PROTOCOL",
    ],
    [
      "a handle that names an address",
      Response.json({ statementHandle: "../x" }, { status: 202 }),
      "UPSTREAM_PROTOCOL",
    ],
    ["rows that are missing", done(["1"], { data: [] }), "UPSTREAM_PROTOCOL"],
    ["parts that are not all", done(["1"], {}, { numRows: 2 }), "UPSTREAM_PROTOCOL"],
    ["rows in another form", done(["1"], {}, { format: "arrowv1" }), "UPSTREAM_PROTOCOL"],
    ["a value that is not of its type", done(["x"]), "SOURCE_ERROR"],
    ["nothing", new TypeError("reset"), "HOST_UNREACHABLE"],
  ])("%s", async (_, answer, reason, expected = {}) => {
    expect(await failureOf(fake(answer).rows())).toMatchObject({ reason, ...expected });
  });

  it("a warehouse that does not resume in time: the statement is cancelled", async () => {
    const { rows, lines } = fake(running);
    expect((await failureOf(rows({ ...patient(), timeoutMs: 150 }))).reason).toBe("STATEMENT_TIMEOUT");
    await expect.poll(() => lines().filter((line) => line === CANCEL)).toHaveLength(1);
  });
});

it("who asks is proven by a signature of the user's key, and its fingerprint", async () => {
  const snowflake = await startFakeSnowflake(PAIR);
  const ask = async (change: object) => {
    const connector = await openHere(
      parseConnection("snowflake", { ...FIELDS, ...change }).info,
      { fetch: snowflake.fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 5000 },
      { signal: patient().signal },
    );
    return drain(await connector.query(plain("SELECT 1"), patient()));
  };
  try {
    expect(await ask({})).toEqual([[1n]]);
    const kept = createPrivateKey(PAIR.privateKey).export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "open sesame",
    });
    expect(await ask({ private_key: kept, private_key_passphrase: "open sesame" })).toEqual([[1n]]);
    expect((await failureOf(ask({ private_key: kept, private_key_passphrase: "open" }))).reason).toBe(
      "INVALID_CONNECTION",
    );
    expect((await failureOf(ask({ private_key: makeKeyPair().privateKey }))).reason).toBe("AUTHENTICATION");
    expect((await failureOf(ask({ user: "other" }))).reason).toBe("AUTHENTICATION");
  } finally {
    await snowflake.close();
  }
});

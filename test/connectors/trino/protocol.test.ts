/**
 * Trino's client protocol, against a FAKE that says what it is told to, in the shapes that a Trino 476 sends. The same
 * connector runs on a real one in `test/engines/trino.test.ts`.
 */
import { describe, expect, it } from "vitest";
import { parseTrinoConnection } from "../../../src/connectors/connection/trino.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";

const ORIGIN = "https://trino.example.com";
const FIELDS = { host: ORIGIN, port: 443, catalog: "hive", schema: "sales", user: "ann", password: "pässword" };
const NEXT = `${ORIGIN}/v1/statement/executing/id/slug/1`;
const COLUMN = { name: "n", type: "bigint", typeSignature: { rawType: "bigint", arguments: [] } };
const TEXT = { name: "t", type: "varchar", typeSignature: { rawType: "varchar", arguments: [] } };
const STATS = { state: "RUNNING" };

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Each answer is a body's JSON, its text, or a response. */
function fake(...answers: readonly (object | string | Response)[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers } = request;
    sent.push({ method, url, headers, body: await request.text() });
    if (method === "DELETE") return new Response(null, { status: 204 });
    const answer = left.shift() ?? { stats: STATS };
    if (answer instanceof Response) return answer;
    return new Response(typeof answer === "string" ? answer : JSON.stringify({ stats: STATS, ...answer }));
  };
  const open = (change: object = {}) =>
    openHere(
      parseTrinoConnection({ ...FIELDS, ...change }).info,
      { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 },
      { signal: new AbortController().signal },
    );
  const rows = async (sql = "SELECT 1", change: object = {}) =>
    drain(await (await open(change)).query(plain(sql), patient()));
  return { sent, open, rows };
}

const deepType = (depth: number) =>
  `${'{"rawType":"array","arguments":[{"kind":"TYPE","value":'.repeat(depth)}{"rawType":"bigint"}${"}]}".repeat(depth)}`;

const asked = (sent: readonly Sent[]) => sent.map(({ method, url }) => `${method} ${url}`);

describe("a statement", () => {
  it("is posted, and followed from answer to answer", async () => {
    const { sent, rows } = fake(
      { nextUri: NEXT },
      { columns: [COLUMN], data: [[1], [null]], nextUri: `${NEXT}2` },
      `{"columns":[${JSON.stringify(COLUMN)}],"data":[[9007199254740993],[-9223372036854775808]],"stats":{}}`,
    );
    expect(await rows("SELECT n FROM t")).toEqual([[1n], [null], [9007199254740993n], [-9223372036854775808n]]);
    expect(asked(sent)).toEqual([
      `POST ${ORIGIN}/v1/statement`,
      `GET ${NEXT}?targetResultSize=1MB`,
      `GET ${NEXT}2?targetResultSize=1MB`,
    ]);
    expect(sent[0]?.body).toBe("SELECT n FROM t");
  });

  it("brings its session along", async () => {
    const { sent, open } = fake({ columns: [COLUMN] });
    const kwargs = { source: "reports", sessionProperties: "query_max_run_time:1h;hive.x:a=b,c d" };
    const connector = await open({ kwargs });
    const statement = { ...plain("SELECT 1"), session: [{ name: "join_distribution_type", value: "AUTOMATIC" }] };
    await drain(await connector.query(statement, { signal: new AbortController().signal, timeoutMs: 1500 }));
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({
      "x-trino-user": "ann",
      "x-trino-catalog": "hive",
      "x-trino-schema": "sales",
      "x-trino-source": "reports",
      "x-trino-time-zone": "UTC",
      "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
      "x-trino-session":
        "query_max_execution_time=1500ms,query_max_run_time=1h,hive.x=a%3Db%2Cc%20d,join_distribution_type=AUTOMATIC",
    });
  });

  it("is checked by an EXPLAIN that runs nothing", async () => {
    const { sent, open } = fake({ columns: [{ ...COLUMN, name: "Valid" }], data: [[1]] });
    await (await open()).dryRun(plain("SELECT 1"), patient());
    expect(sent[0]?.body).toBe("EXPLAIN (TYPE VALIDATE)\nSELECT 1");
  });

  it("is cancelled where it stands when its reader goes", async () => {
    const { sent, open } = fake({ columns: [COLUMN], data: [[1]], nextUri: NEXT });
    const connector = await open();
    const result = await connector.query(plain("SELECT 1"), patient());
    await result.batches.next();
    await result.close();
    await connector.close();
    expect(asked(sent).slice(1)).toEqual([`DELETE ${NEXT}`]);
    expect(sent[1]?.headers.get("authorization")).toMatch(/^Basic /);
  });

  it.each([502, 503, 504, 429])("is asked for again after status %i", async (status) => {
    const { sent, rows } = fake({ nextUri: NEXT }, new Response("", { status }), { columns: [COLUMN], data: [[7]] });
    expect(await rows()).toEqual([[7n]]);
    expect(asked(sent).slice(1)).toEqual(Array.from({ length: 2 }, () => `GET ${NEXT}?targetResultSize=1MB`));
  });

  it("leaves the server alone for as long as it says, and no longer", async () => {
    const busy = new Response("", { status: 429, headers: { "retry-after": "1" } });
    const { rows } = fake({ nextUri: NEXT }, busy, { columns: [COLUMN], data: [[7]] });
    const began = performance.now();
    expect(await rows()).toEqual([[7n]]);
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  it.each<[number, Record<string, string>, number]>([
    [429, { "retry-after": "7" }, 7],
    [503, { "retry-after": "7" }, 7],
    [429, {}, 5],
    [503, {}, 5],
  ])("that is refused with status %i, %j, is not sent twice", async (status, headers, retryAfter) => {
    const { sent, rows } = fake(new Response("busy", { status, headers }));
    expect(await failureOf(rows())).toMatchObject({ reason: "OVERLOADED", retryAfter });
    expect(asked(sent)).toEqual([`POST ${ORIGIN}/v1/statement`]);
  });

  it.each<[string, object]>([
    ["before its columns are known", { nextUri: NEXT }],
    ["while its rows are read", { columns: [COLUMN], data: [[1]], nextUri: NEXT }],
  ])("that the server has forgotten %s is told as such", async (_, first) => {
    for (const status of [404, 410]) {
      const { sent, rows } = fake(first, new Response("Query not found", { status }));
      expect(await failureOf(rows())).toMatchObject({
        reason: "SOURCE_ERROR",
        message: "The result no longer exists.",
        hint: expect.stringContaining("query.client.timeout"),
      });
      // There is nothing left to cancel.
      expect(asked(sent)).toEqual([`POST ${ORIGIN}/v1/statement`, `GET ${NEXT}?targetResultSize=1MB`]);
    }
  });

  it("that stays in the server's queue ends with its time, and is taken out of it", async () => {
    const queued = { nextUri: NEXT, stats: { state: "QUEUED" } };
    const { sent, open } = fake(...Array.from({ length: 1000 }, () => queued));
    const connector = await open();
    const late = connector.query(plain("SELECT 1"), { signal: new AbortController().signal, timeoutMs: 100 });
    expect((await failureOf(late)).reason).toBe("STATEMENT_TIMEOUT");
    await connector.close();
    expect(asked(sent).filter((line) => line === `DELETE ${NEXT}`)).toHaveLength(1);
    expect(asked(sent).at(-1)).toBe(`DELETE ${NEXT}`);
    // It is asked less and less often.
    expect(sent.length).toBeLessThan(12);
  });

  it.each([
    "SELECT 1",
    "  select 1",
    "((VALUES 1) UNION (TABLE t))",
    "-- INSERT\nWITH x AS (SELECT 1) TABLE x",
    "/* a */ /* b */ (/**/VALUES 1)",
  ])("that is a query is sent: %s", async (sql) => {
    const { sent, rows } = fake({ columns: [COLUMN] });
    await rows(sql);
    expect(sent[0]?.body).toBe(sql);
  });

  it.each([
    "",
    "INSERT INTO t SELECT 1",
    "/* SELECT */ DELETE FROM t",
    "-- SELECT",
    "/* SELECT 1",
    "EXPLAIN ANALYZE SELECT 1",
    "CALL p()",
    "selected",
    "(((",
    `${"/**/".repeat(50_000)}DROP TABLE t`,
    `${"/*".repeat(50_000)}`,
  ])("that is anything else is not (%#)", async (sql) => {
    const { sent, rows } = fake();
    expect((await failureOf(rows(sql))).reason).toBe("SOURCE_INVALID_SQL");
    expect(sent).toEqual([]);
  });
});

describe("secrets", () => {
  const basic = `Basic ${Buffer.from("ann:pässword", "latin1").toString("base64")}`;
  const wide = `Basic ${Buffer.from("ann:пароль").toString("base64")}`;

  it.each<[string, object, string | null]>([
    ["a password over HTTPS", {}, basic],
    ["a password of other letters", { password: "пароль" }, wide],
    ["a token over HTTPS", { kwargs: { accessToken: "a.b.c" } }, "Bearer a.b.c"],
    ["none over plain HTTP", { host: "http://trino.example.com", port: 80 }, null],
    ["no token over plain HTTP", { host: "trino.example.com", port: 8080, kwargs: { access_token: "a.b.c" } }, null],
    ["none where there is none", { password: undefined }, null],
  ])("%s", async (_, change, expected) => {
    const { sent, rows } = fake({ columns: [COLUMN] });
    await rows("SELECT 1", change);
    expect(sent[0]?.headers.get("authorization")).toBe(expected);
  });

  it.each([
    "https://evil.example/v1/statement/executing/id/slug/1",
    "http://trino.example.com/v1/statement/executing/id/slug/1",
    "https://trino.example.com:8443/v1/statement/executing/id/slug/1",
    "https://trino.example.com@evil.example/v1/1",
  ])("do not follow an answer to %s", async (nextUri) => {
    const { sent, rows } = fake({ columns: [COLUMN], data: [[1]], nextUri });
    const failure = await failureOf(rows());
    expect(failure.reason).toBe("EGRESS_DENIED");
    // Nor is it cancelled there.
    expect(asked(sent)).toEqual([`POST ${ORIGIN}/v1/statement`]);
  });

  it("are in no failure", async () => {
    const { rows } = fake(new Response("no", { status: 401 }));
    const failure = await failureOf(rows());
    expect(failure.reason).toBe("AUTHENTICATION");
    expect(JSON.stringify({ ...failure, message: failure.message })).not.toMatch(/p.ssword|cMOkc3N3b3Jk/);
  });
});

describe("errors", () => {
  const at = (lineNumber: number, columnNumber: number) => ({ lineNumber, columnNumber });

  it.each<[string, object, string, number | undefined]>([
    ["COLUMN_NOT_FOUND", { errorType: "USER_ERROR", errorLocation: at(1, 8) }, "SOURCE_INVALID_SQL", 7],
    // 𝒳 is one character for Trino and two units for us.
    ["COLUMN_NOT_FOUND", { errorType: "USER_ERROR", errorLocation: at(2, 11) }, "SOURCE_INVALID_SQL", 21],
    ["SYNTAX_ERROR", { errorType: "USER_ERROR", errorLocation: at(9, 1) }, "SOURCE_INVALID_SQL", undefined],
    ["SYNTAX_ERROR", { errorType: "USER_ERROR", errorLocation: at(0, 0) }, "SOURCE_INVALID_SQL", undefined],
    ["DIVISION_BY_ZERO", { errorType: "USER_ERROR" }, "SOURCE_ERROR", undefined],
    ["PERMISSION_DENIED", { errorType: "USER_ERROR", errorLocation: at(1, 1) }, "SOURCE_ERROR", 0],
    ["EXCEEDED_TIME_LIMIT", { errorType: "INSUFFICIENT_RESOURCES" }, "STATEMENT_TIMEOUT", undefined],
    ["QUERY_QUEUE_FULL", { errorType: "INSUFFICIENT_RESOURCES" }, "OVERLOADED", undefined],
    ["NO_NODES_AVAILABLE", { errorType: "INTERNAL_ERROR" }, "OVERLOADED", undefined],
    ["GENERIC_INTERNAL_ERROR", { errorType: "INTERNAL_ERROR", errorLocation: null }, "SOURCE_ERROR", undefined],
  ])("%s %o is %s at %s", async (errorName, more, reason, position) => {
    const { sent, rows } = fake({ nextUri: NEXT }, { error: { message: "what it says", errorName, ...more } });
    const failure = await failureOf(rows("SELECT a,\n/* 𝒳 */ b, c"));
    expect(failure).toMatchObject({ reason, message: "what it says", engineCode: errorName });
    expect(failure.position).toBe(position);
    expect(asked(sent)).toHaveLength(2);
  });

  it("of a recursion that is too deep say what to do", async () => {
    const message =
      "Recursion depth limit exceeded (10). Use 'max_recursion_depth' session property to modify the limit.";
    const { rows } = fake({ error: { message, errorName: "NOT_SUPPORTED", errorType: "USER_ERROR" } });
    const failure = await failureOf(rows());
    expect(failure).toMatchObject({ reason: "SOURCE_ERROR", message, engineCode: "NOT_SUPPORTED" });
    expect(failure.hint).toMatch(/generate_series.*max_recursion_depth/);
    const other = fake({ error: { message: "Unsupported", errorName: "NOT_SUPPORTED", errorType: "USER_ERROR" } });
    expect((await failureOf(other.rows())).hint).toBeUndefined();
  });

  it("of a dry run are told by their place in the statement", async () => {
    const error = { message: "m", errorName: "X", errorType: "USER_ERROR", errorLocation: at(2, 8) };
    const { open } = fake({ error });
    expect((await failureOf((await open()).dryRun(plain("SELECT a"), patient()))).position).toBe(7);
  });
});

it("reads a catalogue of a million columns a part at a time, and keeps what was asked for", async () => {
  const [PARTS, ROWS] = [50, 20_000];
  const texts = (count: number) => Array.from({ length: count }, (_, i) => ({ ...TEXT, name: `c${i}` }));
  const part = JSON.stringify(
    Array.from({ length: ROWS }, () => ["hive", "sales", "wide", "c", "bigint", "YES", null]),
  );
  const parts = Array.from({ length: PARTS }, (_, i) => {
    const next = i + 1 === PARTS ? "" : `"nextUri":"${NEXT}${i + 1}",`;
    return `{"stats":{},${next}"columns":${JSON.stringify(texts(7))},"data":${part}}`;
  });
  const { open, sent } = fake({ columns: texts(4), data: [["hive", "sales", "orders", null]] }, ...parts);
  const connector = await open();
  const tables = await connector.catalog({ kind: "tables", filter: {}, limit: 1 }, patient());
  expect(tables).toMatchObject([{ name: "hive.sales.orders", columns: [] }]);
  expect(sent).toHaveLength(1 + PARTS);
});

describe("an answer that is none of Trino's", () => {
  it.each<[string, object | string | Response]>([
    ["no JSON", "<html>"],
    ["JSON of another kind", "[]"],
    ["JSON of somebody else", '{"rows": []}'],
    ["an address that has a query already", { nextUri: `${NEXT}?x=1` }],
    ["an address that is none", { nextUri: 7 }],
    ["rows before the columns", { data: [[1]] }],
    ["a row of another length", { columns: [COLUMN], data: [[1, 2]] }],
    ["a row that is none", { columns: [COLUMN], data: [7] }],
    ["columns without types", { columns: [{ name: "n" }], data: [] }],
    ["columns without names", { columns: [{ ...COLUMN, name: 7 }] }],
    ["no columns", { columns: [null] }],
    ["a type that is none", { columns: [{ ...COLUMN, typeSignature: null }] }],
    ["a type without its parts", { columns: [{ ...COLUMN, typeSignature: { rawType: "array", arguments: [] } }] }],
    ["a type with parts that are none", { columns: [{ ...COLUMN, typeSignature: { rawType: "map", arguments: 7 } }] }],
    ["a type without end", `{"stats":{},"columns":[{"name":"n","type":"","typeSignature":${deepType(100_000)}}]}`],
    ["values without end", `{"stats":{},"columns":[${JSON.stringify(COLUMN)}],"data":${"[".repeat(100_000)}`],
    ["a page of errors", new Response("<html>", { status: 404 })],
  ])("%s", async (_, answer) => {
    expect((await failureOf(fake(answer).rows())).reason).toBe("UPSTREAM_PROTOCOL");
  });

  it.each<[string, string, string]>([
    ["itself", NEXT, NEXT],
    ["a part before it", `${NEXT}2`, `${NEXT}1`],
    [
      "a part before it, by a number beyond what a double holds",
      `${NEXT}0000000000000000002`,
      `${NEXT}0000000000000000001`,
    ],
    ["itself, where parts have no numbers", `${ORIGIN}/v1/part/a`, `${ORIGIN}/v1/part/a`],
  ])("a part of the rows that leads to %s", async (_, first, second) => {
    const part = { columns: [COLUMN], data: [[1]] };
    const { rows, sent } = fake({ nextUri: first }, { ...part, nextUri: second }, part);
    expect(await failureOf(rows())).toMatchObject({
      reason: "UPSTREAM_PROTOCOL",
      message: expect.stringContaining("leads back"),
    });
    expect(asked(sent)).toEqual([
      `POST ${ORIGIN}/v1/statement`,
      expect.stringContaining(`GET ${first}?`),
      `DELETE ${first}`,
    ]);
  });

  it("a value that is not of its type fails with its column's name, and not with the value", async () => {
    const { rows, sent } = fake({ columns: [COLUMN], data: [["a secret"]], nextUri: NEXT });
    const failure = await failureOf(rows());
    expect(failure.reason).toBe("SOURCE_ERROR");
    expect(failure.message).toBe('Column "n" holds a value that cannot be represented: an integer.');
    expect(asked(sent).at(-1)).toBe(`DELETE ${NEXT}`);
  });
});

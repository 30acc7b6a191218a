/** Requests, values and errors of the TypeScript client. */
import { describe, expect, test } from "vitest";
import { type ClientOptions, type Parameter, SiskinError, siskin } from "../../../clients/typescript/src/index.ts";
import { answer, type FakeServer, fakeServer, lines, NDJSON, type Reply } from "../fake-server.ts";

const HEAD = { columns: ["a"], dtypes: { a: "int32" } };
const END = { end: { rows: 1 } };
const WHOLE = lines(HEAD, [1], END);
const JSON_HEADERS = { "content-type": "application/json" };

async function clientOf(...replies: readonly Reply[]) {
  const server = await fakeServer(...replies);
  return { server, db: siskin({ url: server.url, project: "shop" }) };
}
const clientFor = ({ url }: FakeServer, more: Partial<ClientOptions> = {}) => siskin({ url, project: "shop", ...more });

async function failureOf(work: Promise<unknown>): Promise<SiskinError> {
  const error = await work.then(
    () => undefined,
    (each: unknown) => each,
  );
  expect(error).toBeInstanceOf(SiskinError);
  return error as SiskinError;
}

describe("requests", () => {
  test("a statement goes to the project with its options", async () => {
    const server = await fakeServer(WHOLE);
    const db = clientFor(server, { token: async () => "secret", headers: { "x-team": "a" } });
    const asked = { limit: 5, timeZone: "Europe/Paris", strict: true, viewAs: { tenant: "acme" } };
    expect(await db.query("SELECT 1 AS a", { ...asked, parameters: [1] })).toEqual({
      columns: [{ name: "a", type: "int32" }],
      rows: [{ a: 1 }],
      warnings: [],
    });
    const [{ method, url, headers, body }] = server.seen as [(typeof server.seen)[number]];
    expect([method, url]).toEqual(["POST", "/v3/projects/shop/query"]);
    expect(headers).toMatchObject({
      authorization: "Bearer secret",
      accept: "application/x-ndjson",
      "x-wren-timezone": "Europe/Paris",
      "x-strict": "true",
      "x-team": "a",
    });
    expect(JSON.parse(body)).toEqual({ sql: "SELECT 1 AS a", limit: 5, viewAs: { tenant: "acme" }, parameters: [1] });
  });

  test("a key has a header of its own", async () => {
    const server = await fakeServer(WHOLE);
    await clientFor(server, { key: "k" }).query("SELECT 1");
    expect(server.seen[0]?.headers).toMatchObject({ "x-api-key": "k" });
    expect(server.seen[0]?.headers).not.toHaveProperty("authorization");
  });

  test.each([
    ["not a URL", "shop"],
    ["another scheme", "ftp://siskin.test"],
    ["credentials in the URL", "https://ann:secret@siskin.test"],
  ])("%s is refused", (_, url) => {
    expect(() => siskin({ url, project: "shop" })).toThrow(TypeError);
  });

  test.each<readonly [name: string, sent: Parameter, expected: unknown]>([
    ["a text", "a", "a"],
    ["a number", 1.5, 1.5],
    ["a number with many digits", 0.1 + 0.2, { type: "double precision", value: "0.30000000000000004" }],
    ["a bigint", 9007199254740993n, { type: "bigint", value: "9007199254740993" }],
    ["a larger bigint", 2n ** 64n, { type: "decimal(38,0)", value: "18446744073709551616" }],
    ["an instant", new Date(0), { type: "timestamp with time zone", value: "1970-01-01T00:00:00.000Z" }],
    ["a number with an exponent", 1e30, { type: "double precision", value: "1e+30" }],
    ["a list", ["a", null], ["a", null]],
    ["bytes", new Uint8Array([0, 255]), { type: "bytea", value: "\\x00ff" }],
    ["no byte", new Uint8Array(), { type: "bytea", value: "\\x" }],
    ["a list of bytes", [new Uint8Array([1]), null], { type: "bytea[]", value: ["\\x01", null] }],
    ["a list of bigints", [1n, null], { type: "bigint[]", value: ["1", null] }],
    ["a typed value", { type: "date", value: "2026-01-01" }, { type: "date", value: "2026-01-01" }],
    ["null", null, null],
  ])("sends %s as a parameter", async (_, sent, expected) => {
    const { server, db } = await clientOf(WHOLE);
    await db.query("SELECT $1", { parameters: [sent] });
    expect(JSON.parse(server.seen[0]!.body)).toMatchObject({ parameters: [expected] });
  });

  test.each<readonly [name: string, sent: unknown]>([
    ["NaN", Number.NaN],
    ["an invalid Date", new Date("x")],
    ["numbers of two bytes, which are no Uint8Array", new Uint16Array([0, 255])],
    ["undefined", undefined],
    ["a function", () => 1],
    ["a list of lists", [[1]]],
    ["a list of a bigint and a number", [1n, 2]],
  ])("refuses %s as a parameter before it sends anything", async (_, sent) => {
    const { server, db } = await clientOf(WHOLE);
    const failure = await failureOf(db.query("SELECT $1", { parameters: [sent as Parameter] }));
    expect([failure.reason, server.seen.length]).toEqual(["PARAMETER_INVALID", 0]);
  });
});

describe("values", () => {
  const rowOf = async (types: Readonly<Record<string, string>>, row: string, numbers?: "bigint") => {
    const server = await fakeServer(lines({ columns: Object.keys(types), dtypes: types }, row, END));
    const { rows } = await clientFor(server, numbers && { numbers }).query("SELECT …");
    return rows[0];
  };

  test.each<[type: string, json: string, text: unknown, bigint?: unknown]>([
    ["int64", "9007199254740993", "9007199254740993", 9007199254740993n],
    ["int64", "-5", "-5", -5n],
    ["uint64", "18446744073709551615", "18446744073709551615", 18446744073709551615n],
    ["int64", "null", null, null],
    ["int32", "7", 7],
    ["double", "1.5", 1.5],
    ["decimal128(38, 2)", '"12345678901234567890.5"', "12345678901234567890.5"],
    ["string", '"9007199254740993 \\" 1234567890123456789"', '9007199254740993 " 1234567890123456789'],
    ["list<item: int64>", "[1,9007199254740993,null]", ["1", "9007199254740993", null], [1n, 9007199254740993n, null]],
    ["list<item: list<item: int64>>", "[[1]]", [["1"]], [[1n]]],
    ["bool", "true", true],
  ])("%s %s", async (type, json, text, bigint = text) => {
    expect(await rowOf({ v: type }, `[${json}]`)).toEqual({ v: text });
    expect(await rowOf({ v: type }, `[${json}]`, "bigint")).toEqual({ v: bigint });
  });

  test("a double with sixteen digits stays a number beside 64-bit integers", async () => {
    expect(await rowOf({ i: "int64", d: "double" }, "[1,100000000000000000]")).toEqual({ i: "1", d: 1e17 });
  });

  test("names that objects have already are names as any other", async () => {
    const head =
      '{"columns":["__proto__","7","toString"],"dtypes":{"__proto__":"int32","7":"int32","toString":"int32"}}';
    const { db } = await clientOf(lines(head, [1, 2, 3], END));
    const { rows } = await db.query("SELECT …");
    expect(Object.entries(rows[0]!).sort()).toEqual([
      ["7", 2],
      ["__proto__", 1],
      ["toString", 3],
    ]);
  });

  test("types by position win over types by name", async () => {
    const { db } = await clientOf(lines({ columns: ["u"], dtypes: { u: "string" }, types: ["uuid"] }, END));
    expect((await db.query("SELECT …")).columns).toEqual([{ name: "u", type: "uuid" }]);
  });

  test("two columns of one name are refused, because an object has room for one", async () => {
    const { db } = await clientOf(lines({ columns: ["a", "a"], dtypes: { a: "int32" } }, [1, 2], END));
    expect(await failureOf(db.query("SELECT …"))).toMatchObject({ reason: "DUPLICATE_COLUMN" });
  });

  test("warnings come from their header", async () => {
    const warning = { code: "TEXT_ORDER", message: "sorted by the source" };
    const { db } = await clientOf((response) => {
      response.writeHead(200, { ...NDJSON, "x-warnings": JSON.stringify([warning]) });
      response.end(`${JSON.stringify(HEAD)}\n${JSON.stringify({ end: { rows: 0 } })}\n`);
    });
    expect((await db.query("SELECT …")).warnings).toEqual([warning]);
  });
});

describe("errors", () => {
  test("carry what the service says", async () => {
    const position = { line: 1, column: 8, offset: 8, length: 3 };
    const metadata = { reason: "COLUMN_NOT_FOUND", position, suggestions: ["total"], hint: "…" };
    const body = { errorCode: "INVALID_SQL", message: "column not found", metadata, correlationId: "request-2" };
    const { db } = await clientOf(answer(422, JSON_HEADERS, body));
    const failure = await failureOf(db.query("SELECT tot FROM orders"));
    expect(failure).toMatchObject({ ...metadata, status: 422, code: "INVALID_SQL", requestId: "request-2" });
    expect(failure.message).toBe("column not found");
  });

  test.each<readonly [name: string, reply: Reply, reason: string]>([
    [
      "a wrong shape",
      answer(422, JSON_HEADERS, { detail: [{ loc: ["body", "sql"], msg: "Field required" }] }),
      "REQUEST_SHAPE",
    ],
    ["an unknown route", answer(404, JSON_HEADERS, { detail: "Not Found" }), "NOT_FOUND"],
    [
      "an error page of a proxy",
      answer(502, { "content-type": "text/html" }, "<html>Bad Gateway"),
      "UNEXPECTED_ANSWER",
    ],
    ["a page with status 200", answer(200, { "content-type": "text/html" }, "<html>Sign in"), "UNEXPECTED_ANSWER"],
    ["JSON that is no error", answer(500, JSON_HEADERS, "[1]"), "UNEXPECTED_ANSWER"],
    ["an empty answer", answer(500, {}, ""), "UNEXPECTED_ANSWER"],
    ["a first line without columns", lines({ version: 9 }), "UNEXPECTED_ANSWER"],
    ["a row of another width", lines(HEAD, [1, 2], END), "UNEXPECTED_ANSWER"],
    ["a line of an unknown kind", lines(HEAD, { news: 1 }, END), "UNEXPECTED_ANSWER"],
    ["rows behind the end", lines(HEAD, END, [1]), "UNEXPECTED_ANSWER"],
    ["an end without the last line", lines(HEAD, [1]), "BROKEN_OFF"],
    [
      "an end within a row",
      (response) => response.writeHead(200, NDJSON).end(`${JSON.stringify(HEAD)}\n[1`),
      "BROKEN_OFF",
    ],
    ["no lines at all", (response) => response.writeHead(200, NDJSON).end(), "BROKEN_OFF"],
    [
      "a failure behind the first row",
      lines(HEAD, [1], { error: { message: "the source went away", metadata: { reason: "SOURCE_GONE" } } }),
      "SOURCE_GONE",
    ],
    [
      "a connection that breaks",
      (response) => {
        response.writeHead(200, { ...NDJSON, "content-length": "1000" });
        response.write(`${JSON.stringify(HEAD)}\n`, () => setImmediate(() => response.destroy()));
      },
      "BROKEN_OFF",
    ],
    ["a connection that breaks before the answer", (response) => response.destroy(), "NETWORK"],
  ])("%s", async (_, reply, reason) => {
    const { db } = await clientOf(reply);
    expect(await failureOf(db.query("SELECT 1"))).toMatchObject({ reason });
  });

  test("rows before a break are rows of a stream", async () => {
    const { db } = await clientOf(lines(HEAD, [1], [2]));
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const row of db.stream("SELECT …")) seen.push(row);
    })();
    expect((await failureOf(reading)).reason).toBe("BROKEN_OFF");
    expect(seen).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test("an error page without an end is not read to its end", async () => {
    const server = await fakeServer((response) => {
      response.writeHead(500, { "content-type": "text/html" });
      const more = (): void => void response.write("x".repeat(1 << 16), () => setImmediate(more));
      more();
    });
    expect((await failureOf(clientFor(server).query("SELECT 1"))).reason).toBe("UNEXPECTED_ANSWER");
    await server.seen[0]?.left;
  });

  test("nobody listens", async () => {
    expect(await failureOf(siskin({ url: "http://127.0.0.1:9", project: "shop" }).query("SELECT 1"))).toMatchObject({
      reason: "NETWORK",
      status: undefined,
    });
  });

  test("a redirect is not followed, and its address gets no request", async () => {
    const other = await fakeServer(WHOLE);
    for (const status of [301, 302, 303, 307, 308]) {
      const { db } = await clientOf(answer(status, { location: `${other.url}/x` }, ""));
      expect(await failureOf(db.query("SELECT 1"))).toMatchObject({ reason: "REDIRECTED", status });
    }
    expect(other.seen).toHaveLength(0);
  });

  test("Arrow that stops before its mark is not an answer", async () => {
    const { db } = await clientOf(answer(200, { "content-type": "application/vnd.apache.arrow.stream" }, "ARROW"));
    expect((await failureOf(db.arrow("SELECT 1"))).reason).toBe("BROKEN_OFF");
  });
});

describe("retries", () => {
  const busy = (status: number, retryAfter?: string): Reply =>
    answer(
      status,
      { ...JSON_HEADERS, ...(retryAfter !== undefined && { "retry-after": retryAfter }) },
      { message: "busy" },
    );

  test.each([
    [429, "0"],
    [503, "0"],
    [429, new Date(0).toUTCString()],
  ])("%i with Retry-After %s is sent again", async (status, retryAfter) => {
    const { server, db } = await clientOf(busy(status, retryAfter), WHOLE);
    expect((await db.query("SELECT 1")).rows).toEqual([{ a: 1 }]);
    expect(server.seen).toHaveLength(2);
  });

  test.each([
    ["without Retry-After", 503, undefined],
    ["with a long wait", 429, "3600"],
    ["with an unreadable wait", 429, "soon"],
    ["of another status", 500, "0"],
  ])("%s it is not", async (_, status, retryAfter) => {
    const { server, db } = await clientOf(busy(status, retryAfter));
    expect((await failureOf(db.query("SELECT 1"))).status).toBe(status);
    expect(server.seen).toHaveLength(1);
  });

  test("they are bounded", async () => {
    const server = await fakeServer(busy(429, "0"));
    expect((await failureOf(clientFor(server, { retries: 3 }).query("SELECT 1"))).status).toBe(429);
    expect(server.seen).toHaveLength(4);
  });

  test("waiting ends with the signal", async () => {
    const { server, db } = await clientOf(busy(429, "29"));
    const stop = new AbortController();
    const asked = db.query("SELECT 1", { signal: stop.signal });
    await expect.poll(() => server.seen.length).toBe(1);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("ends", () => {
  const endless: Reply = (response) => {
    response.writeHead(200, NDJSON);
    response.write(`${JSON.stringify(HEAD)}\n[1]\n`);
  };

  test("leaving the loop closes the connection", async () => {
    const { server, db } = await clientOf(endless);
    for await (const row of db.stream("SELECT …")) {
      expect(row).toEqual({ a: 1 });
      break;
    }
    await server.seen[0]?.left;
  });

  test("a signal closes the connection, before and within the rows", async () => {
    for (const reply of [endless, (() => undefined) as Reply]) {
      const { server, db } = await clientOf(reply);
      const stop = new AbortController();
      const asked = db.query("SELECT …", { signal: stop.signal });
      await expect.poll(() => server.seen.length).toBe(1);
      stop.abort(new Error("enough"));
      await expect(asked).rejects.toThrow("enough");
      await server.seen[0]?.left;
    }
  });

  test("a signal that was aborted before sends nothing", async () => {
    const { server, db } = await clientOf(WHOLE);
    await expect(db.query("SELECT 1", { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    expect(server.seen).toHaveLength(0);
  });

  test("a server that hangs is left, before and within the rows", async () => {
    for (const reply of [endless, (() => undefined) as Reply]) {
      const server = await fakeServer(reply);
      expect((await failureOf(clientFor(server, { timeout: 20 }).query("SELECT …"))).reason).toBe("TIMEOUT");
      await server.seen[0]?.left;
    }
  });

  test("a row of 40 MB that arrives in pieces is one row", async () => {
    const piece = "x".repeat(1 << 16);
    const { db } = await clientOf(async (response) => {
      response.writeHead(200, NDJSON);
      response.write(`${JSON.stringify({ columns: ["a"], dtypes: { a: "string" } })}\n["`);
      for (let index = 0; index < 640; index++) await new Promise((resolve) => response.write(piece, resolve));
      response.end(`"]\n${JSON.stringify(END)}\n`);
    });
    const { rows } = await db.query("SELECT …");
    expect(String(rows[0]?.["a"])).toHaveLength(640 << 16);
  });
});

test("lists of projects are read page by page", async () => {
  const page = (name: string, cursor?: string) =>
    answer(200, JSON_HEADERS, { projects: [{ name, status: "ready" }], ...(cursor !== undefined && { cursor }) });
  const { server, db } = await clientOf(page("a", "a&b"), page("c"));
  expect((await db.projects()).map(({ name }) => name)).toEqual(["a", "c"]);
  expect(server.seen.map(({ url }) => url)).toEqual(["/v3/projects", "/v3/projects?cursor=a%26b"]);
});

import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { detailOf, errorOf, QUERY, testApp } from "./test-app.ts";

const PATH = "/v3/connector/postgres/query";

function send(
  body: NonNullable<RequestInit["body"]>,
  headers: NonNullable<RequestInit["headers"]> = {},
  app = testApp(),
): Promise<Response> {
  return app.fetch(PATH, { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

async function problemsOf(response: Response) {
  expect(response.status).toBe(422);
  return (await detailOf(response)).map(({ type, loc }) => [type, ...loc]);
}

const valid = JSON.stringify(QUERY);
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("a body of the wrong form", () => {
  it.each([
    ["nothing", "", ["missing", "body"]],
    ["null", "null", ["missing", "body"]],
    ["an array", "[]", ["model_attributes_type", "body"]],
    ["a number", "3", ["model_attributes_type", "body"]],
    ["a truth value", "true", ["model_attributes_type", "body"]],
    ["a string", '"SELECT 1"', ["model_attributes_type", "body"]],
    ["no JSON", "SELECT 1", ["json_invalid", "body", 0]],
    ["JSON that breaks off", '{"sql":"SEL', ["json_invalid", "body", 11]],
    ["JSON with a comma too many", '{"sql":"a",}', ["json_invalid", "body", 11]],
    ["JSON with more after it", "{} {}", ["json_invalid", "body", 3]],
    ["a name without quotes", "{sql:1}", ["json_invalid", "body", 1]],
    ["a number with a leading zero", '{"a":01}', ["json_invalid", "body", 6]],
    ["NaN", '{"a":NaN}', ["json_invalid", "body", 5]],
    ["a line break in a string", '{"a":"x\ny"}', ["json_invalid", "body", 7]],
    ["a broken escape", '{"a":"\\x41"}', ["json_invalid", "body", 6]],
  ])("%s", async (_what, body, expected) => {
    expect(await problemsOf(await send(body))).toEqual([expected]);
  });

  it.each([
    [{ manifestStr: "" }, [["missing", "body", "sql"]]],
    [{ sql: "" }, [["missing", "body", "manifestStr"]]],
    [{ sql: null, manifestStr: "" }, [["string_type", "body", "sql"]]],
    [
      { sql: ["x"], manifestStr: {} },
      [
        ["string_type", "body", "sql"],
        ["string_type", "body", "manifestStr"],
      ],
    ],
    [{ sql: "", manifestStr: "", connectionInfo: "x" }, [["dict_type", "body", "connectionInfo"]]],
    [{ sql: "", manifestStr: "", connectionInfo: [] }, [["dict_type", "body", "connectionInfo"]]],
    [{ sql: "", manifestStr: "", connectionFilePath: 3 }, [["string_type", "body", "connectionFilePath"]]],
    [{ sql: "", manifestStr: "", columnDtypes: "int" }, [["dict_type", "body", "columnDtypes"]]],
    [{ sql: "", manifestStr: "", columnDtypes: { a: 1 } }, [["string_type", "body", "columnDtypes", "a"]]],
    [{ sql: "", manifestStr: "", sessionProperties: { a: 1 } }, [["string_type", "body", "sessionProperties", "a"]]],
  ])("%j", async (body, expected) => {
    expect(await problemsOf(await send(JSON.stringify(body)))).toEqual(expected);
  });

  it("never repeats what was sent", async () => {
    const response = await send('{"sql":"geheim","manifestStr":17,"connectionInfo":{"password":"geheim"}}');
    expect(await response.text()).not.toMatch(/geheim|17/);
    expect(await (await send('{"password": geheim}')).text()).not.toContain("geheim");
  });
});

describe("reading a body", () => {
  it.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", ""])(
    "looks at the JSON and not at Content-Type: %s",
    async (type) => {
      expect((await send(valid, { "content-type": type })).status).toBe(200);
    },
  );

  it("accepts a byte order mark", async () => {
    expect((await send(`\uFEFF${valid}`)).status).toBe(200);
  });

  it.each([
    ["Latin-1", Uint8Array.of(0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d)],
    ["UTF-16", Uint8Array.from(Buffer.from("{}", "utf16le")).slice(0, 3)],
    ["an encoded surrogate", Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ])("refuses %s", async (_what, bytes) => {
    expect((await problemsOf(await send(bytes)))[0]?.[0]).toBe("json_invalid");
  });

  it.each([
    ["a lone surrogate in a value", '{"sql":"\\ud800"}', "string_unicode", ["body", "sql"]],
    ["a lone surrogate in a name", '{"connectionInfo":{"\\udc00":1}}', "string_unicode", ["body", "connectionInfo"]],
    ["NUL in the SQL", '{"sql":"a\\u0000b"}', "string_null", ["body", "sql"]],
    [
      "NUL in a connection",
      '{"connectionInfo":{"user":"a\\u0000b"}}',
      "string_null",
      ["body", "connectionInfo", "user"],
    ],
    ["NUL in a list", '{"sqls":["a","\\u0000"]}', "string_null", ["body", "sqls", 1]],
  ])("refuses %s", async (_what, body, type, loc) => {
    expect(await problemsOf(await send(body))).toEqual([[type, ...loc]]);
  });

  it("accepts a pair of surrogates", async () => {
    const app = testApp();
    expect((await send(JSON.stringify({ ...QUERY, sql: "SELECT '😀'" }), {}, app)).status).toBe(200);
    expect(app.services.planner.requests[0]?.sql).toBe("SELECT '😀'");
  });

  it.each([
    [63, 200],
    [64, 422],
    [40_000, 422],
  ])("JSON that is %i levels deep inside the body's object gives %i", async (depth, status) => {
    const response = await send(`${valid.slice(0, -1)},"x":${nested(depth)}}`);
    expect(response.status).toBe(status);
    if (status === 422)
      expect((await detailOf(response))[0]).toMatchObject({ type: "json_invalid", msg: "JSON decode error" });
  });

  it("counts brackets in strings as text", async () => {
    expect((await send(JSON.stringify({ ...QUERY, sql: `${nested(500)}\\"` }))).status).toBe(200);
  });

  it("refuses more values than any request needs", async () => {
    const app = testApp({ api: { bodyLimits: { maxBytes: 1_000_000, timeoutMs: 30_000, maxDepth: 64 } } });
    const response = await send(`{"x":[${"0,".repeat(100_000)}0]}`, {}, app);
    expect((await detailOf(response))[0]?.type).toBe("json_invalid");
  });

  it("of equal names the last one counts", async () => {
    const app = testApp();
    await send(`{"sql":"first",${valid.slice(1, -1)},"sql":"last"}`, {}, app);
    expect(app.services.planner.requests[0]?.sql).toBe("last");
  });

  it.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"])(
    "a member named %s pollutes nothing",
    async (name) => {
      const poison = `{"polluted":"yes","sql":"x","manifestStr":"x"}`;
      const app = testApp();
      const within = `{"${name}":${poison}}`;
      const response = await send(
        `{"${name}":${poison},"sql":"SELECT a FROM m","manifestStr":"bTE=","connectionInfo":${within},"columnDtypes":{"${name}":"string"},"sessionProperties":{"${name}":"'v'"}}`,
        {},
        app,
      );
      expect(response.status).toBe(200);
      await response.text();
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(Object.getPrototypeOf(app.services.sources.connectionInfo)).toBe(Object.prototype);
      expect(app.services.sources.connectionInfo?.polluted).toBeUndefined();
      const missing = await send(`{"${name}":${poison}}`);
      expect(await problemsOf(missing)).toEqual([
        ["missing", "body", "sql"],
        ["missing", "body", "manifestStr"],
      ]);
    },
  );
});

describe("the size of a body", () => {
  const small = () => testApp({ api: { bodyLimits: { maxBytes: 2000, timeoutMs: 30_000, maxDepth: 64 } } });
  const padded = (length: number): string => JSON.stringify({ ...QUERY, pad: "x".repeat(length) });

  it("may be what the deployment allows", async () => {
    const body = padded(2000 - padded(0).length);
    expect(body.length).toBe(2000);
    expect((await send(body, {}, small())).status).toBe(200);
  });

  it("is refused past it by Content-Length, before anything is read", async () => {
    const app = small();
    const response = await send(padded(2000), { "content-length": "2100" }, app);
    expect(response.status).toBe(413);
    expect(await errorOf(response)).toMatchObject({
      phase: "REQUEST_RECEIVED",
      metadata: { reason: "BODY_TOO_LARGE" },
    });
    expect(app.gate.inFlight).toBe(0);
  });

  it("is refused past it by what arrives, whatever the headers say", async () => {
    const body = new Blob([padded(2000)]).stream();
    expect((await send(body, {}, small())).status).toBe(413);
  });

  it("without an end is cut off", async () => {
    let pulls = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls++;
        controller.enqueue(new Uint8Array(500).fill(32));
      },
      cancel() {
        cancelled = true;
      },
    });
    expect((await send(endless, {}, small())).status).toBe(413);
    expect(pulls).toBeLessThan(12);
    expect(cancelled).toBe(true);
  });

  it("gzip is unpacked", async () => {
    expect((await send(gzipSync(valid), { "content-encoding": "gzip" })).status).toBe(200);
    expect((await send(gzipSync(valid), { "content-encoding": "X-GZIP" })).status).toBe(200);
    expect((await send(valid, { "content-encoding": "identity" })).status).toBe(200);
  });

  it("gzip is bounded by what it unpacks to", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
    expect(bomb.length).toBeLessThan(100_000);
    expect((await send(bomb, { "content-encoding": "gzip" })).status).toBe(413);
  });

  it.each([
    ["text", Buffer.from(valid)],
    ["a stream that breaks off", gzipSync(valid).subarray(0, -10)],
    [
      "a wrong checksum",
      Buffer.from(gzipSync(valid).map((byte, index, all) => (index === all.length - 6 ? byte ^ 1 : byte))),
    ],
    ["something after the end", Buffer.concat([gzipSync(valid), Buffer.from("tail")])],
  ])("bad gzip is refused: %s", async (_what, bytes) => {
    expect(await problemsOf(await send(new Uint8Array(bytes), { "content-encoding": "gzip" }))).toEqual([
      ["gzip_invalid", "body"],
    ]);
  });

  it.each(["br", "deflate", "gzip, gzip", "zstd"])(
    "Content-Encoding: %s is refused and says what is taken",
    async (encoding) => {
      const response = await send(valid, { "content-encoding": encoding });
      expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "gzip"]);
      expect(await errorOf(response)).toMatchObject({ metadata: { reason: "UNSUPPORTED_ENCODING" } });
    },
  );
});

describe("a body that does not arrive", () => {
  it("is waited for as long as the deployment says, and its place is given back", async () => {
    vi.useFakeTimers();
    try {
      const app = testApp();
      const dripping = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Uint8Array.of(123)),
      });
      const pending = send(dripping, {}, app);
      await vi.advanceTimersByTimeAsync(29_999);
      expect([app.arrivals.bodies, app.gate.inFlight]).toEqual([1, 0]);
      await vi.advanceTimersByTimeAsync(1);
      const response = await pending;
      expect(response.status).toBe(408);
      expect(await errorOf(response)).toMatchObject({
        message: "The body did not arrive within 30 seconds.",
        metadata: { reason: "BODY_TIMEOUT" },
      });
      expect([app.arrivals.bodies, app.gate.inFlight]).toEqual([0, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is given up when it drips, typed and before its time", async () => {
    vi.useFakeTimers();
    try {
      const app = testApp({ arrivals: { bytesPerSecond: 100 } });
      let timer: ReturnType<typeof setInterval> | undefined;
      const dripping = new ReadableStream<Uint8Array>({
        start: (controller) => {
          timer = setInterval(() => controller.enqueue(Uint8Array.of(123)), 1000);
        },
        cancel: () => clearInterval(timer),
      });
      const pending = send(dripping, {}, app);
      await vi.advanceTimersByTimeAsync(6000);
      const response = await pending;
      expect(response.status).toBe(408);
      expect(await errorOf(response)).toMatchObject({ metadata: { reason: "BODY_TIMEOUT" } });
      expect(app.arrivals.bodies).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is given up in the same time when it is short and says so", async () => {
    vi.useFakeTimers();
    try {
      const app = testApp({ arrivals: { bytesPerSecond: 100 } });
      const stalled = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Uint8Array.of(123)) });
      const pending = send(stalled, { "content-length": "200" }, app);
      await vi.advanceTimersByTimeAsync(6900);
      expect(app.arrivals.bodies).toBe(1);
      await vi.advanceTimersByTimeAsync(500);
      const response = await pending;
      expect(response.status).toBe(408);
      expect(await errorOf(response)).toMatchObject({ metadata: { reason: "BODY_TIMEOUT" } });
      expect(app.arrivals).toMatchObject({ bodies: 0, bytes: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("shuts nobody out: neither by number, beyond what may arrive and run at once, nor by size", async () => {
    vi.useFakeTimers();
    try {
      const app = testApp({ places: 1, arrivals: { bodies: 8, bytes: 100_000 } });
      const drips = Array.from({ length: 80 }, () =>
        send(
          new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(12_000)) }),
          {},
          app,
        ),
      );
      await vi.advanceTimersByTimeAsync(1100);
      const response = await app.post(PATH, QUERY);
      expect(response.status).toBe(200);
      await response.text();
      await vi.advanceTimersByTimeAsync(30_000);
      const statuses = (await Promise.all(drips)).map(({ status }) => status);
      expect([...new Set(statuses)].sort()).toEqual([408, 503]);
      expect(app.arrivals).toMatchObject({ bodies: 0, bytes: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("is given up when the client goes", async () => {
    const client = new AbortController();
    const app = testApp();
    const started = Promise.withResolvers<void>();
    const stalled = new ReadableStream<Uint8Array>({ pull: () => started.resolve() }, { highWaterMark: 0 });
    const pending = app.fetch(PATH, {
      method: "POST",
      body: stalled,
      signal: client.signal,
      duplex: "half",
    } as RequestInit);
    await started.promise;
    client.abort();
    expect((await pending).status).toBe(499);
    expect(app.gate.inFlight).toBe(0);
  });
});

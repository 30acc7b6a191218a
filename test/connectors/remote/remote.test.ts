import { afterEach, describe, expect, it, vi } from "vitest";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import type { Transport } from "../../../src/connectors/remote/client.ts";
import { FRAMES_TYPE, PROTOCOL_VERSION, VERSION_HEADER } from "../../../src/connectors/remote/protocol.ts";
import { readOperation } from "../../../src/connectors/remote/read-operation.ts";
import { eventually } from "../../support/eventually.ts";
import { drain, failureOf } from "../contract.ts";
import { binding, calling, client, FakeConnector, pair, STATEMENT } from "./fakes.ts";

const { setImmediate: realImmediate } = globalThis;

const BODY = new TextEncoder().encode(
  JSON.stringify({ source: "x", connection: {}, timeoutMs: 1000, correlationId: "c", statement: STATEMENT }),
);

afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);

describe("a call", () => {
  it("carries rows, columns, and what it is asked with", async () => {
    const { fake, connector, ends } = pair();
    fake.next = (pull) => [[[1], [2]], [[3]]][pull];
    const statement = {
      sql: "SELECT é",
      columns: [
        { name: "n", type: { kind: "row", fields: [{ name: undefined, type: { kind: "text" } }] }, nullable: true },
      ],
      session: [{ name: "TimeZone", value: "UTC" }],
      reads: [
        { model: "a", columns: ["x"], physical: { schema: "s", table: "t" } },
        { model: "b", columns: [], physical: undefined },
        { model: "c", columns: [], physical: { table: "c.csv" }, declared: [{ name: "x", type: { kind: "text" } }] },
      ],
      fenced: true,
      joinsMayFilter: true,
      variant: { product: "mariadb", from: [10, 6], below: [11] },
      lineage: "not part of a statement",
    } as const;
    const result = await connector.query(statement, calling({ timeoutMs: 1234 }));
    expect(result.columns).toEqual([{ name: "n", type: { kind: "int32" } }]);
    expect(await drain(result)).toEqual([[1], [2], [3]]);
    const { lineage: _, ...sent } = statement;
    expect(fake.statement).toEqual(sent);
    expect(fake.timeoutMs).toBe(1234);
    await eventually(() => expect(ends).toMatchObject([{ outcome: "complete", rows: 3 }]));
    expect(fake).toMatchObject({ closes: 1, streamCloses: 1 });
  });

  it("gets the report of a dry run with its bytes, and the catalogue's answer", async () => {
    const { fake, connector, ends } = pair();
    expect(await connector.dryRun(STATEMENT, calling())).toEqual({ bytes: 12345678901234567890n });
    expect(await connector.catalog({ kind: "schemas", filter: { table: "x*" }, limit: undefined }, calling())).toEqual([
      { name: "a", schemas: ["b"] },
    ]);
    await eventually(() => expect(ends).toHaveLength(2));
    expect(fake.closes).toBe(2);
  });

  it("opens a connector of its own each time, with the connection as it was sent", async () => {
    const opened: unknown[] = [];
    const connector = client(
      binding(async ({ source, connection, correlationId }) => {
        opened.push([source, connection, correlationId]);
        return new FakeConnector();
      }),
    );
    await connector.dryRun(STATEMENT, calling());
    await connector.dryRun(STATEMENT, calling());
    const one = ["postgres", { host: "db", password: "hunter2" }, "a correlation id"];
    expect(opened).toEqual([one, one]);
  });
});

describe("a host that goes", () => {
  const leaving = (): Response =>
    Response.json({ reason: "SIDECAR_REFUSED", message: "It goes.", retryAfter: 1 }, { status: 503 });

  it.each([
    ["has not begun, and is asked once more", 1, 2, undefined],
    ["is not asked a third time", 2, 2, "SIDECAR_REFUSED"],
  ])("%s", async (_, refusals, tries, reason) => {
    const bound = binding(async () => new FakeConnector());
    let asked = 0;
    const connector = client(async (...request) => (asked++ < refusals ? leaving() : bound(...request)));
    const outcome = connector.dryRun(STATEMENT, calling());
    if (reason === undefined) expect(await outcome).toEqual({ bytes: 12345678901234567890n });
    else expect(await failureOf(outcome)).toMatchObject({ reason });
    expect(asked).toBe(tries);
  });

  it.each([
    ["too much to do", Response.json({ reason: "OVERLOADED", message: "full" }, { status: 503 }), "OVERLOADED"],
    ["something in between", new Response("no backend", { status: 503 }), "SIDECAR_UNREACHABLE"],
  ])("nothing is asked again because of %s", async (_, answer, reason) => {
    let asked = 0;
    const connector = client(async () => {
      asked++;
      return answer;
    });
    expect(await failureOf(connector.dryRun(STATEMENT, calling()))).toMatchObject({ reason });
    expect(asked).toBe(1);
  });
});

describe("failures cross whole", () => {
  const failure = new ConnectorFailure("SOURCE_INVALID_SQL", 'relation "t" does not exist', {
    hint: "create it",
    engineCode: "42P01",
    position: 14,
    retryAfter: 3,
    cause: new Error("not for the other end"),
  });
  const whole = {
    reason: "SOURCE_INVALID_SQL",
    message: failure.message,
    hint: "create it",
    engineCode: "42P01",
    position: 14,
    retryAfter: 3,
  };

  it.each<[when: string, script: (fake: FakeConnector) => void]>([
    [
      "before the columns",
      (fake) => {
        fake.begin = () => Promise.reject(failure);
      },
    ],
    [
      "in the first batch",
      (fake) => {
        fake.next = () => Promise.reject(failure);
      },
    ],
    [
      "after rows",
      (fake) => {
        fake.next = (pull) => (pull < 3 ? [[pull]] : Promise.reject(failure));
      },
    ],
  ])("%s", async (_, script) => {
    const { fake, connector, ends } = pair();
    script(fake);
    const got = await failureOf(connector.query(STATEMENT, calling()).then(drain));
    expect(got).toMatchObject(whole);
    expect(got.cause).toBeUndefined();
    await eventually(() => expect(ends).toMatchObject([{ outcome: "failed", error: failure }]));
    expect(fake.closes).toBe(1);
  });

  it("when the connector cannot be opened", async () => {
    const connector = client(binding(() => Promise.reject(failure)));
    expect(await failureOf(connector.query(STATEMENT, calling()))).toMatchObject(whole);
    expect(await failureOf(connector.dryRun(STATEMENT, calling()))).toMatchObject(whole);
    expect(await failureOf(connector.catalog({ kind: "version" }, calling()))).toMatchObject(whole);
  });

  it("but a fault of the host keeps its text to itself", async () => {
    const { fake, connector, ends } = pair();
    fake.begin = () => Promise.reject(new TypeError("password hunter2 is wrong"));
    const got = await failureOf(connector.query(STATEMENT, calling()));
    expect(got).toMatchObject({
      reason: "UPSTREAM_PROTOCOL",
      message: "The sidecar failed; its log has the details under a correlation id.",
    });
    await eventually(() => expect(ends).toMatchObject([{ error: { message: "password hunter2 is wrong" } }]));
  });

  it("and a value that is not of its column's type names the column alone", async () => {
    const { fake, connector } = pair();
    fake.next = () => [["hunter2"]];
    const got = await failureOf(connector.query(STATEMENT, calling()).then(drain));
    expect(got).toMatchObject({ reason: "UPSTREAM_PROTOCOL", message: 'A value of column "n" is not int32.' });
  });
});

describe("the reader's pace", () => {
  it("is the source's pace", async () => {
    const { fake, connector } = pair();
    fake.next = (pull) => [[pull]];
    const result = await connector.query(STATEMENT, calling());
    for (let read = 1; read <= 50; read++) {
      await result.batches.next();
      expect(fake.pulls).toBeLessThanOrEqual(read + 3);
    }
    await result.close();
  });

  it("when it stands still, so does the source, and no heartbeat piles up", async () => {
    vi.useFakeTimers();
    const { fake, connector, ends } = pair();
    fake.next = (pull) => (pull < 5 ? [[pull]] : undefined);
    const result = await connector.query(STATEMENT, calling());
    const before = fake.pulls;
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(fake.pulls).toBeLessThanOrEqual(before + 1);
    expect(await drain(result)).toHaveLength(5);
    await eventually(() => expect(ends[0]?.bytes).toBeLessThan(500));
  });
});

describe("giving up", () => {
  it.each<
    [
      how: string,
      end: (
        result: Awaited<ReturnType<FakeConnector["query"]>>,
        caller: AbortController,
        connector: { close(): Promise<void> },
      ) => unknown,
    ]
  >([
    ["closing the result", (result) => result.close()],
    ["aborting", (_, caller) => caller.abort()],
    ["closing the connector", (_, __, connector) => connector.close()],
  ])("by %s ends the call on the host", async (_, end) => {
    const { fake, connector, ends } = pair();
    fake.next = (pull) => (pull === 0 ? [[1]] : never());
    const caller = new AbortController();
    const result = await connector.query(STATEMENT, calling({ signal: caller.signal }));
    await result.batches.next();
    const waiting = result.batches.next().then(
      ({ done }) => (done ? "done" : "rows"),
      (error: ConnectorFailure) => error.reason,
    );
    await end(result as never, caller, connector);
    await eventually(() => expect(ends).toMatchObject([{ outcome: "cancelled" }]));
    expect(fake.signal?.aborted).toBe(true);
    expect(fake).toMatchObject({ closes: 1, streamCloses: 1 });
    expect(["CANCELLED", "done"]).toContain(await waiting);
  });

  it("before the columns reaches the source, and closes what comes up late", async () => {
    const opening = Promise.withResolvers<FakeConnector>();
    const fake = new FakeConnector();
    const caller = new AbortController();
    let seen: AbortSignal | undefined;
    const connector = client(
      binding((_, { signal }) => {
        seen = signal;
        return opening.promise;
      }),
    );
    const failing = failureOf(connector.query(STATEMENT, calling({ signal: caller.signal })));
    await eventually(() => expect(seen).toBeDefined());
    caller.abort();
    expect((await failing).reason).toBe("CANCELLED");
    expect(seen?.aborted).toBe(true);
    opening.resolve(fake);
    await eventually(() => expect(fake.closes).toBe(1));
    expect(fake.statement).toBeUndefined();
  });

  it("is told with the reason that the deadline gave", async () => {
    const { fake, connector } = pair();
    fake.begin = never;
    const caller = new AbortController();
    const failing = failureOf(connector.query(STATEMENT, calling({ signal: caller.signal })));
    caller.abort(new ConnectorFailure("STATEMENT_TIMEOUT", "the time is up"));
    expect(await failing).toMatchObject({ reason: "STATEMENT_TIMEOUT", message: "the time is up" });
  });
});

describe("silence", () => {
  it("is broken by heartbeats at least every 15 seconds while the source works", async () => {
    vi.useFakeTimers();
    const release = Promise.withResolvers<void>();
    const { fake, connector } = pair();
    fake.begin = () => release.promise;
    fake.next = (pull) => (pull === 0 ? [[7]] : undefined);
    const asked = connector.query(STATEMENT, calling({ timeoutMs: 3_600_000 })).then(drain);
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    release.resolve();
    expect(await asked).toEqual([[7]]);

    fake.begin = never;
    const response = await binding(async () => fake)("/v1/query", BODY, new AbortController().signal);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    for (let i = 0; i < 5; i++) {
      const started = Date.now();
      let isThere = false;
      const heartbeat = reader.read().finally(() => {
        isThere = true;
      });
      // The next timer may be another one's, or the heartbeat's may not be set yet; the stream needs turns of the real event loop.
      while (!isThere) {
        await vi.advanceTimersToNextTimerAsync();
        await new Promise((resolve) => realImmediate(resolve));
      }
      expect((await heartbeat).value).toEqual(Uint8Array.of(0, 0, 0, 0, 5));
      expect(Date.now() - started).toBeLessThanOrEqual(15_000);
    }
    await reader.cancel();
  });

  it.each<[timeoutMs: number, reason: string]>([
    [180_000, "SIDECAR_UNREACHABLE"],
    [20_000, "STATEMENT_TIMEOUT"],
  ])("that lasts is a failure; past the statement's %d ms: %s", async (timeoutMs, reason) => {
    vi.useFakeTimers();
    const { fake, connector, ends } = pair(undefined, { host: { heartbeatMs: 3_600_000 } });
    fake.begin = never;
    const failing = failureOf(connector.query(STATEMENT, calling({ timeoutMs })));
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await failing).reason).toBe(reason);
    await eventually(() => expect(ends).toMatchObject([{ outcome: "cancelled" }]));
  });

  it("among the rows is one too", async () => {
    vi.useFakeTimers();
    const { fake, connector } = pair(undefined, { host: { heartbeatMs: 3_600_000 }, client: { silenceMs: 50 } });
    fake.next = (pull) => (pull < 2 ? [[pull]] : never());
    const failing = failureOf(connector.query(STATEMENT, calling()).then(drain));
    await vi.advanceTimersByTimeAsync(60);
    expect(await failing).toMatchObject({
      reason: "SIDECAR_UNREACHABLE",
      message: "The sidecar cannot be reached: it was silent for 50 ms.",
    });
  });

  it("before the headers is shorter", async () => {
    const mute: Transport = (_, __, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const failure = await failureOf(client(mute, { connectTimeoutMs: 30 }).query(STATEMENT, calling()));
    expect(failure).toMatchObject({
      reason: "SIDECAR_UNREACHABLE",
      message: "The sidecar cannot be reached: it did not answer within 30 ms.",
    });
  });
});

describe("answers that are none", () => {
  const headers = { "content-type": FRAMES_TYPE, [VERSION_HEADER]: PROTOCOL_VERSION };
  const refusal =
    (status: number, failure: object): Transport =>
    async () =>
      Response.json(failure, { status });

  it.each<[what: string, transport: Transport, reason: string, message: RegExp]>([
    [
      "a refusal",
      refusal(401, { reason: "SIDECAR_REFUSED", message: "The signature is wrong." }),
      "SIDECAR_REFUSED",
      /^The signature is wrong\.$/,
    ],
    ["an overload", refusal(503, { reason: "OVERLOADED", message: "full", retryAfter: 1 }), "OVERLOADED", /^full$/],
    [
      "a refusal without a reason",
      async () => new Response("no", { status: 403 }),
      "SIDECAR_REFUSED",
      /answered 403 without a reason/,
    ],
    ["a reason nobody knows", refusal(400, { reason: "NEW", message: "x" }), "SIDECAR_REFUSED", /answered 400/],
    ["a gateway's page", async () => new Response("<html>", { status: 502 }), "SIDECAR_UNREACHABLE", /answered 502/],
    [
      "a page without an end",
      async () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)) }), { status: 500 }),
      "SIDECAR_UNREACHABLE",
      /answered 500/,
    ],
    ["somebody else's page", async () => new Response("hello"), "UPSTREAM_PROTOCOL", /is another program/],
    [
      "frames of another version",
      async () => new Response("x", { headers: { ...headers, [VERSION_HEADER]: `${PROTOCOL_VERSION}1` } }),
      "UPSTREAM_PROTOCOL",
      /is another program/,
    ],
    [
      "no frames",
      async () => new Response("hello, this is no frame", { headers }),
      "UPSTREAM_PROTOCOL",
      /broke its answer off/,
    ],
    ["nothing", async () => new Response(null, { headers }), "UPSTREAM_PROTOCOL", /broke its answer off/],
    [
      "nobody",
      () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") })),
      "SIDECAR_UNREACHABLE",
      /: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
    ],
    [
      "a lost connection",
      () => Promise.reject(new Error("Network connection lost.")),
      "SIDECAR_UNREACHABLE",
      /: Network connection lost\.$/,
    ],
  ])("%s", async (_, transport, reason, message) => {
    const connector = client(transport);
    const failure = await failureOf(connector.query(STATEMENT, calling()));
    expect(failure.reason).toBe(reason);
    expect(failure.message).toMatch(message);
    expect((await failureOf(connector.dryRun(STATEMENT, calling()))).reason).toBe(reason);
  });

  it("a stream that is cut is never a complete one", async () => {
    const fake = new FakeConnector();
    fake.next = (pull) => (pull < 3 ? [[pull]] : undefined);
    const whole = await binding(async () => fake)("/v1/query", BODY, new AbortController().signal);
    const bytes = new Uint8Array(await whole.arrayBuffer());
    for (let length = 0; length < bytes.length; length++) {
      const connector = client(async () => new Response(bytes.slice(0, length), { headers }));
      const failure = await failureOf(connector.query(STATEMENT, calling()).then(drain));
      expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
    }
  });

  it("rows where a report was asked for, and the other way round", async () => {
    const answer =
      (path: string): Transport =>
      (_, body, signal) =>
        binding(async () => new FakeConnector())(path, body, signal);
    expect(await failureOf(client(answer("/v1/query")).dryRun(STATEMENT, calling()))).toMatchObject({
      reason: "UPSTREAM_PROTOCOL",
    });
    expect(await failureOf(client(answer("/v1/dry-run")).query(STATEMENT, calling()))).toMatchObject({
      reason: "UPSTREAM_PROTOCOL",
    });
  });
});

describe("bodies that are no operation", () => {
  const good = { source: "postgres", connection: {}, timeoutMs: 1000, correlationId: "c", statement: STATEMENT };
  it.each<[what: string, body: unknown, problem: string]>([
    ["no JSON", "{", "The body is not JSON."],
    ["no UTF-8", new Uint8Array([0xff, 0xfe]), "The body is not JSON."],
    ["a list", [], "Not valid in the body: body."],
    ["no statement", { ...good, statement: undefined }, "Not valid in the body: statement."],
    ["SQL that is none", { ...good, statement: { ...STATEMENT, sql: 1 } }, "Not valid in the body: statement.sql."],
    ["no time", { ...good, timeoutMs: 0 }, "Not valid in the body: timeoutMs."],
    ["no source and no id", { ...good, source: "", correlationId: 7 }, "Not valid in the body: source, correlationId."],
  ])("%s", (_, body, problem) => {
    const bytes =
      body instanceof Uint8Array
        ? body
        : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
    expect(readOperation("query", bytes)).toEqual({ ok: false, problem });
  });

  it("a catalogue request of another kind", () => {
    const body = new TextEncoder().encode(JSON.stringify({ ...good, request: { kind: "secrets" } }));
    expect(readOperation("catalog", body)).toEqual({ ok: false, problem: "Not valid in the body: request.kind." });
  });
});

/** BigQuery's REST API against a FAKE that says what it is told to, in the shapes of its documentation. */

import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openHere } from "../../../src/connectors/open-here.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { listenOnLoopback } from "../../support/tcp.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { makeAccount, startFakeGoogle } from "./rest.ts";

const ACCOUNT = makeAccount();
const FIELDS = { project_id: "acme", dataset_id: "sales", credentials: ACCOUNT.credentials };
const SQL = "SELECT n FROM t";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answer = object | Response | Error | ((sent: Sent) => Promise<object>);

const bodies = new Map<Response, Promise<ArrayBuffer>>();

/** Can be read any number of times. A clone would not do: cancelling one of two waits for the other. */
async function again(response: Response): Promise<Response> {
  const body = bodies.get(response) ?? response.arrayBuffer();
  bodies.set(response, body);
  return new Response(response.body === null ? null : await body, response);
}

/** Each answer is JSON, a response, a broken connection, or what makes one; the last goes on. Tokens are given. */
function fake(...answers: readonly Answer[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname, search } = new URL(request.url);
    const { method, headers } = request;
    if (origin === "https://oauth2.googleapis.com") return Response.json({ access_token: "ya29.token" });
    const one: Sent = { method, path: pathname + search, headers, body: await request.text() };
    sent.push(one);
    const answer = (left.length > 1 ? left.shift() : left[0]) ?? {};
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return again(answer);
    const said = typeof answer === "function" ? await answer(one) : answer;
    return said instanceof Response ? said : Response.json(said);
  };
  const open = (change: object = {}) =>
    openHere(
      parseConnection("bigquery", { ...FIELDS, ...change }).info,
      { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 },
      { signal: new AbortController().signal },
    );
  const rows = async (options = patient(), change: object = {}) =>
    drain(await (await open(change)).query(plain(SQL), options));
  return { sent, open, rows, lines: () => sent.map(({ method, path }) => `${method} ${path.split("?")[0]}`) };
}

const JOB = { projectId: "acme", jobId: "job_1", location: "EU" };
const running = { jobReference: JOB, jobComplete: false };
const done = (values: readonly string[], change: object = {}) => ({
  jobReference: JOB,
  jobComplete: true,
  schema: { fields: [{ name: "n", type: "INTEGER", mode: "NULLABLE" }] },
  totalRows: String(values.length),
  rows: values.map((v) => ({ f: [{ v }] })),
  ...change,
});
const refused = (code: number, reason: string, message: string, headers = {}) =>
  Response.json(
    { error: { code, message, errors: [{ reason, message, domain: "global" }] } },
    { status: code, headers },
  );

const QUERIES = "POST /bigquery/v2/projects/acme/queries";
const RESULTS = "GET /bigquery/v2/projects/acme/queries/job_1";
const CANCEL = "POST /bigquery/v2/projects/acme/jobs/job_1/cancel";

describe("a statement", () => {
  it("is sent with all that gives it its meaning and its price", async () => {
    const { sent, rows } = fake(done(["1"]));
    const change = { location: "EU", maximum_bytes_billed: 10_485_760, labels: { team: "sales" } };
    expect(await rows({ ...patient(), timeoutMs: 30_000 }, change)).toEqual([[1n]]);
    const { requestId, ...question } = JSON.parse(sent[0]?.body ?? "{}");
    expect(requestId).toMatch(/^[\da-f-]{36}$/);
    expect(question).toEqual({
      query: SQL,
      useLegacySql: false,
      useQueryCache: true,
      connectionProperties: [{ key: "time_zone", value: "UTC" }],
      formatOptions: { useInt64Timestamp: true },
      maxResults: 10_000,
      timeoutMs: 1000,
      jobTimeoutMs: "30000",
      defaultDataset: { projectId: "acme", datasetId: "sales" },
      location: "EU",
      maximumBytesBilled: "10485760",
      labels: { team: "sales" },
    });
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer ya29.token");
  });

  it("of a project connection runs in its region, without a default dataset", async () => {
    const { sent, rows } = fake(done(["1"]));
    await rows(patient(), { bigquery_type: "project", billing_project_id: "payer", region: "asia-east1" });
    expect(sent[0]?.path).toBe("/bigquery/v2/projects/payer/queries");
    const question = JSON.parse(sent[0]?.body ?? "{}");
    expect([question.location, question.defaultDataset]).toEqual(["asia-east1", undefined]);
  });

  it("is asked after where it runs, and read page by page", async () => {
    const second = { totalRows: "3", rows: [{ f: [{ v: "3" }] }], pageToken: undefined };
    const { sent, rows, lines } = fake(
      running,
      running,
      done(["1", "2"], { totalRows: "3", pageToken: "a/b=" }),
      done([], second),
    );
    expect(await rows()).toEqual([[1n], [2n], [3n]]);
    expect(lines()).toEqual([QUERIES, RESULTS, RESULTS, RESULTS]);
    const asked = sent.slice(1).map(({ path }) => Object.fromEntries(new URLSearchParams(path.split("?")[1])));
    const settings = {
      location: "EU",
      maxResults: "10000",
      timeoutMs: "10000",
      "formatOptions.useInt64Timestamp": "true",
    };
    expect(asked).toEqual([settings, settings, { ...settings, pageToken: "a/b=" }]);
  });

  it("has the shorter of two times", async () => {
    const { sent, rows } = fake(running);
    const failure = await failureOf(rows({ ...patient(), timeoutMs: 60_000 }, { job_timeout_ms: 150 }));
    expect(failure.reason).toBe("STATEMENT_TIMEOUT");
    expect(JSON.parse(sent[0]?.body ?? "{}").jobTimeoutMs).toBe("150");
    await expect.poll(() => sent.filter(({ path }) => path.includes("/cancel?location=EU"))).toHaveLength(1);
  });

  it("is sent once more, under the same name, when no answer came", async () => {
    const { sent, rows, lines } = fake(new TypeError("reset"), done(["1"]));
    expect(await rows()).toEqual([[1n]]);
    expect(lines()).toEqual([QUERIES, QUERIES]);
    expect(JSON.parse(sent[0]?.body ?? "").requestId).toBe(JSON.parse(sent[1]?.body ?? "").requestId);
    const gone = fake(new TypeError("reset"));
    expect((await failureOf(gone.rows())).reason).toBe("HOST_UNREACHABLE");
    expect(gone.sent).toHaveLength(2);
  });

  it("whose caller goes while it is sent is cancelled as soon as it has a name, once", async () => {
    const controller = new AbortController();
    const { lines, rows } = fake(async () => {
      controller.abort();
      return running;
    }, {});
    expect((await failureOf(rows(patient(controller.signal)))).reason).toBe("CANCELLED");
    await expect.poll(lines).toEqual([QUERIES, CANCEL]);
  });

  it("that has ended is not cancelled when its rows are not read", async () => {
    const { open, lines } = fake(done(["1"], { totalRows: "2", pageToken: "p" }));
    const result = await (await open()).query(plain(SQL), patient());
    await result.close();
    expect(lines()).toEqual([QUERIES]);
  });

  it("brings no settings that could not be had", async () => {
    const { open, sent } = fake(done(["1"]));
    const connector = await open();
    const set = (name: string, value: string) =>
      connector.query({ ...plain(SQL), session: [{ name, value }] }, patient()).then(drain);
    expect(await set("time_zone", "UTC")).toEqual([[1n]]);
    await expect(set("time_zone", "Europe/Berlin")).rejects.toThrow("cannot be set");
    expect(sent).toHaveLength(1);
  });
});

describe("an answer without columns", () => {
  const errors = [{ reason: "invalidQuery", message: "Unrecognized name: n at [1:8]" }];
  it("is what went wrong, also of a dry run", async () => {
    const answer = { ...done([], { schema: { fields: [] } }), errors };
    const { open } = fake(answer);
    const connector = await open();
    for (const work of [connector.dryRun(plain(SQL), patient()), connector.query(plain(SQL), patient())]) {
      expect(await failureOf(work)).toMatchObject({ reason: "SOURCE_INVALID_SQL", position: 7 });
    }
  });

  it("is none", async () => {
    expect((await failureOf(fake(done([], { schema: undefined })).rows())).reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("with columns beside errors is an answer: they are warnings", async () => {
    expect(await fake({ ...done(["1"]), errors }).rows()).toEqual([[1n]]);
  });
});

describe("a dry run", () => {
  it("tells what the statement would read, every digit of it, and runs nothing", async () => {
    const { sent, open } = fake({
      jobComplete: true,
      schema: {},
      totalBytesProcessed: "9007199254740993",
      jobReference: { projectId: "acme" },
    });
    const connector = await open();
    expect(await connector.dryRun(plain(SQL), patient())).toEqual({ bytes: 9007199254740993n });
    expect(JSON.parse(sent[0]?.body ?? "{}")).toMatchObject({ dryRun: true, useQueryCache: false, query: SQL });
  });

  it("ends with its caller", async () => {
    const controller = new AbortController();
    const { open } = fake(() => new Promise(() => {}));
    const waiting = failureOf((await open()).dryRun(plain(SQL), patient(controller.signal)));
    controller.abort();
    expect((await waiting).reason).toBe("CANCELLED");
  });
});

describe("what is wrong", () => {
  it("with a statement has its place", async () => {
    const { rows } = fake(refused(400, "invalidQuery", "Unrecognized name: n at [1:8]"));
    expect(await failureOf(rows())).toMatchObject({
      reason: "SOURCE_INVALID_SQL",
      position: 7,
      engineCode: "invalidQuery",
    });
  });

  it("is told by an answer of success, too", async () => {
    const { rows } = fake({
      jobReference: JOB,
      jobComplete: true,
      errors: [{ reason: "invalidQuery", message: "x at [1:8]" }],
    });
    expect(await failureOf(rows())).toMatchObject({ reason: "SOURCE_INVALID_SQL", position: 7 });
  });

  it.each<[string, Answer, string, number?]>([
    ["429", refused(429, "rateLimitExceeded", "slow down"), "OVERLOADED", 5],
    ["429 that says when", refused(429, "rateLimitExceeded", "slow down", { "retry-after": "17" }), "OVERLOADED", 17],
    ["503", refused(503, "backendError", "try again"), "OVERLOADED", 5],
    ["503 that says when", refused(503, "backendError", "try again", { "retry-after": "9" }), "OVERLOADED", 9],
    ["a quota that is used up", refused(403, "quotaExceeded", "Quota exceeded"), "OVERLOADED", 60],
    ["503 of a proxy", new Response("<html>", { status: 503, headers: { "retry-after": "3" } }), "OVERLOADED", 3],
    ["a token that has expired", refused(401, "required", "Login Required"), "AUTHENTICATION"],
    ["403 of a proxy", new Response("<html>", { status: 403 }), "AUTHENTICATION"],
    ["a proxy's page", new Response("<html>", { headers: { "content-type": "text/html" } }), "UPSTREAM_PROTOCOL"],
    [
      "a page that says that it is JSON",
      new Response("<html>", { headers: { "content-type": "application/json" } }),
      "UPSTREAM_PROTOCOL",
    ],
    [
      "a redirect",
      new Response(null, { status: 307, headers: { location: "https://evil.example/" } }),
      "UPSTREAM_PROTOCOL",
    ],
    ["an error without one", Response.json({}, { status: 400 }), "UPSTREAM_PROTOCOL"],
    ["JSON that is no answer", Response.json([]), "UPSTREAM_PROTOCOL"],
    ["a job without a name", { jobComplete: false }, "UPSTREAM_PROTOCOL"],
    [
      "a job that names an address",
      { jobComplete: false, jobReference: { projectId: "acme", jobId: "../x" } },
      "UPSTREAM_PROTOCOL",
    ],
    ["rows that are none", done([], { rows: [{ v: 1 }], totalRows: "1" }), "UPSTREAM_PROTOCOL"],
    [
      "a row of too many values",
      done([], { rows: [{ f: [{ v: "1" }, { v: "2" }] }], totalRows: "1" }),
      "UPSTREAM_PROTOCOL",
    ],
    ["a value that is not of its type", done(["x"]), "SOURCE_ERROR"],
    ["rows that are missing", done(["1"], { totalRows: "2" }), "UPSTREAM_PROTOCOL"],
    ["rows that are too many", done(["1", "2"], { totalRows: "1" }), "UPSTREAM_PROTOCOL"],
    ["a count that is none", done(["1"], { totalRows: "1e9" }), "UPSTREAM_PROTOCOL"],
  ])("%s", async (_, answer, reason, retryAfter) => {
    const { rows } = fake(answer);
    expect(await failureOf(rows())).toMatchObject({ reason, retryAfter });
  });

  it("a page that repeats", async () => {
    const { rows, sent } = fake(done(["1"], { totalRows: "9", pageToken: "a" }));
    expect(await failureOf(rows())).toMatchObject({
      reason: "UPSTREAM_PROTOCOL",
      message: expect.stringContaining("again and again"),
    });
    expect(sent.length).toBeLessThan(4);
  });

  it("pages that go in a circle, by their rows", async () => {
    let page = 0;
    const { rows } = fake(async () => done(["1"], { totalRows: "3", pageToken: page++ % 2 === 0 ? "a" : "b" }));
    expect(await failureOf(rows())).toMatchObject({
      reason: "UPSTREAM_PROTOCOL",
      message: expect.stringContaining("has 3 rows"),
    });
  });

  it("a service that is overloaded while it is asked is asked again, and not for ever", async () => {
    const again = fake(running, refused(503, "backendError", "try again"), done(["1"]));
    expect(await again.rows()).toEqual([[1n]]);
    const never = fake(running, refused(503, "backendError", "try again"));
    expect((await failureOf(never.rows())).reason).toBe("OVERLOADED");
    await expect.poll(never.lines).toEqual([QUERIES, ...Array(6).fill(RESULTS), CANCEL]);
  });

  it("an answer that does not end", async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(" ".repeat(1 << 20))),
    });
    const { rows } = fake(async () => new Response(endless, { headers: { "content-type": "application/json" } }));
    expect(await failureOf(rows())).toMatchObject({ reason: "SOURCE_ERROR", hint: expect.stringContaining("fewer") });
  });

  it("a compressed answer that is cut", async () => {
    const whole = gzipSync(JSON.stringify(done(Array.from({ length: 5000 }, (_, i) => String(i * 7919)))));
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
    });
    const { url, close } = await listenOnLoopback(server);
    try {
      const { rows } = fake(() => fetch(url));
      expect((await failureOf(rows())).reason).toBe("UPSTREAM_PROTOCOL");
    } finally {
      await close();
    }
  });
});

describe("a hundred thousand columns", () => {
  it("are read", async () => {
    const fields = Array.from({ length: 100_000 }, (_, i) => ({ name: `c${i}`, type: "INTEGER" }));
    const { rows } = fake(
      done([], { schema: { fields }, rows: [{ f: fields.map(() => ({ v: "1" })) }], totalRows: "1" }),
    );
    expect((await rows())[0]).toHaveLength(100_000);
  });
});

describe("who asks", () => {
  const open = async (account: { readonly credentials: string }, key = ACCOUNT) => {
    const google = await startFakeGoogle(key);
    try {
      return await openHere(
        parseConnection("bigquery", { ...FIELDS, credentials: account.credentials }).info,
        { fetch: google.fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 5000 },
        { signal: patient().signal },
      );
    } finally {
      await google.close();
    }
  };

  it("is proven by a signature of the account's key", async () => {
    await (await open(ACCOUNT)).close();
    expect(await failureOf(open(makeAccount()))).toMatchObject({
      reason: "AUTHENTICATION",
      engineCode: "invalid_grant",
      message: expect.stringContaining("Invalid JWT Signature."),
    });
  });

  it("cannot be by a key of another kind", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const account = makeAccount({ private_key: privateKey.export({ type: "pkcs8", format: "pem" }) });
    expect(await failureOf(open(account))).toMatchObject({
      reason: "INVALID_CONNECTION",
      message: "connectionInfo.credentials: has a private key that is not one of RSA",
    });
  });

  it.each<[string, () => Promise<Response>, string]>([
    ["a page", async () => new Response("<html>"), "UPSTREAM_PROTOCOL"],
    ["no token", async () => Response.json({}), "UPSTREAM_PROTOCOL"],
    ["a token that ends a header", async () => Response.json({ access_token: "a\r\nb" }), "UPSTREAM_PROTOCOL"],
    ["503", async () => new Response("", { status: 503, headers: { "retry-after": "4" } }), "OVERLOADED"],
    ["nothing", () => Promise.reject(new TypeError("reset")), "HOST_UNREACHABLE"],
    ["nothing in time", () => new Promise(() => {}), "HOST_UNREACHABLE"],
  ])("is not known by %s", async (_, fetch, reason) => {
    const host = { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 200 };
    const opening = openHere(parseConnection("bigquery", FIELDS).info, host, { signal: patient().signal });
    expect((await failureOf(opening)).reason).toBe(reason);
  });
});

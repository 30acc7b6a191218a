import { describe, expect, it, vi } from "vitest";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { type HttpSource, request } from "../../../src/connectors/http/request.ts";
import { failureOf } from "../contract.ts";

function asking(answer: () => Response | Promise<Response>, change: Partial<HttpSource> = {}) {
  const fetch = vi.fn(async (_url: string | URL | Request, _init?: RequestInit) => answer());
  const source: HttpSource = {
    fetch,
    origins: ["https://db.example.com"],
    maxBytes: 100,
    isAnswer: (status) => status === 200 || status === 400,
    quotesRefusals: true,
    ...change,
  };
  const ask = (url = "https://db.example.com/sql", init: RequestInit = {}) => request(source, url, init);
  return { fetch, ask };
}

const failing = (answer: () => Response | Promise<Response>) => failureOf(asking(answer).ask());

it.each([200, 400])("hands over what the protocol says by status %i", async (status) => {
  const answer = await asking(() => new Response("rows", { status, headers: { "x-id": "7" } })).ask();
  expect([answer.status, answer.headers.get("x-id"), await answer.text()]).toEqual([status, "7", "rows"]);
});

it.each([
  "https://db.example.com.evil.example/sql",
  "https://evil.example/sql",
  "https://db.example.com:8443/sql",
  "http://db.example.com/sql",
  "https://u:p@evil.example/sql",
  "https://db.example.com@evil.example/sql",
])("sends nothing to %s, which is not the connection's", async (url) => {
  const { fetch, ask } = asking(() => new Response());
  const failure = await failureOf(ask(url, { headers: { authorization: "Basic secret" } }));
  expect(failure.reason).toBe("EGRESS_DENIED");
  expect(failure.hint).toMatch(/\.$/);
  expect(failure.message).not.toContain("u:p");
  expect(fetch).not.toHaveBeenCalled();
});

it("tells what is not an address, without repeating it", async () => {
  const { fetch, ask } = asking(() => new Response());
  const failure = await failureOf(ask("//user:password@nowhere"));
  expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  expect(failure.message).not.toContain("password");
  expect(fetch).not.toHaveBeenCalled();
});

it("follows no redirect", async () => {
  const { fetch, ask } = asking(
    () => new Response(null, { status: 307, headers: { location: "https://evil.example/" } }),
  );
  expect((await failureOf(ask())).reason).toBe("UPSTREAM_PROTOCOL");
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({ redirect: "manual" });
});

describe("refusals", () => {
  it.each([
    [401, "AUTHENTICATION"],
    [403, "AUTHENTICATION"],
    [429, "OVERLOADED"],
    [502, "OVERLOADED"],
    [503, "OVERLOADED"],
    [504, "OVERLOADED"],
    [404, "UPSTREAM_PROTOCOL"],
    [500, "UPSTREAM_PROTOCOL"],
    [302, "UPSTREAM_PROTOCOL"],
  ])("status %i is %s, with its text", async (status, reason) => {
    const failure = await failing(() => new Response("why", { status }));
    expect(failure.reason).toBe(reason);
    expect(failure.message).toBe(`db.example.com answered with HTTP status ${status}: why`);
  });

  it.each<[string | null | { readonly inSeconds: number }, number, boolean]>([
    [null, 5, false],
    ["17", 17, true],
    ["0", 0, true],
    ["-1", 5, false],
    ["1e9", 5, false],
    ["99999", 5, false],
    ["soon", 5, false],
    [{ inSeconds: 60 }, 60, true],
    [{ inSeconds: -60 }, 5, false],
  ])("Retry-After: %j is %s seconds, named by the source: %s", async (given, seconds, isSaid) => {
    // A date of now: the table is made long before.
    const isDate = typeof given === "object" && given !== null;
    const value = isDate ? new Date(Date.now() + 1000 * given.inSeconds).toUTCString() : given;
    const headers: Record<string, string> = value === null ? {} : { "retry-after": value };
    const { retryAfter, isRetryAfterSaid } = await failing(() => new Response("", { status: 503, headers }));
    expect(Math.abs((retryAfter ?? Number.NaN) - seconds)).toBeLessThanOrEqual(1);
    expect(isRetryAfterSaid).toBe(isSaid);
  });

  it("of a host that anybody may name are not quoted, nor read", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) });
    const { ask } = asking(() => new Response(body, { status: 404 }), { quotesRefusals: false });
    expect((await failureOf(ask())).message).toBe("db.example.com answered with HTTP status 404.");
    expect(await body.getReader().closed).toBeUndefined();
  });

  it("of any length are read as far as 4 KiB", async () => {
    const failure = await failing(() => new Response("x".repeat(1_000_000), { status: 500 }));
    expect(failure.message.length).toBeLessThan(5000);
  });
});

it("reads no more of an answer than fits", async () => {
  const answer = await asking(() => new Response("x".repeat(101))).ask();
  const failure = await failureOf(answer.text());
  expect(failure.reason).toBe("SOURCE_ERROR");
  expect(await (await asking(() => new Response("x".repeat(100))).ask()).text()).toHaveLength(100);
});

it.each([
  [new TypeError("fetch failed"), "HOST_UNREACHABLE"],
  [new ConnectorFailure("TLS_UNTRUSTED", "Its certificate is not trusted."), "TLS_UNTRUSTED"],
])("%s is %s", async (error, reason) => {
  expect((await failing(() => Promise.reject(error))).reason).toBe(reason);
});

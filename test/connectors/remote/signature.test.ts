import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  judgeHeaders,
  MAX_SKEW_SECONDS,
  NonceWindow,
  type SignatureHeaders,
  type SignedParts,
  sign,
  verify,
} from "../../../src/connectors/remote/signature.ts";

const SECRET = "a secret of more than thirty-two characters";
const OTHER = "another secret of more than thirty-two char";
const NOW = 1_800_000_000_000;

const parts = (change: Partial<SignedParts> = {}): SignedParts => ({
  method: "POST",
  path: "/v1/query",
  query: "",
  body: new TextEncoder().encode('{"sql":"SELECT 1"}'),
  ...change,
});

const check = (
  headers: Partial<SignatureHeaders>,
  change: { secrets?: string[]; parts?: SignedParts; now?: number; nonces?: NonceWindow } = {},
) =>
  verify(
    change.secrets ?? [SECRET],
    change.parts ?? parts(),
    headers,
    change.nonces ?? new NonceWindow(),
    change.now ?? NOW,
  );

describe("a signed request", () => {
  it("is accepted once", async () => {
    const nonces = new NonceWindow();
    const headers = await sign(SECRET, parts(), NOW);
    expect(await check(headers, { nonces })).toEqual({ ok: true });
    expect(await check(headers, { nonces })).toEqual({ ok: false, because: "replayed" });
    expect(await check(await sign(SECRET, parts(), NOW), { nonces })).toEqual({ ok: true });
  });

  it("carries the HMAC-SHA256 of its length-prefixed parts", async () => {
    const { timestamp, nonce, signature } = await sign(SECRET, parts({ path: "/é", query: "a=1" }), NOW);
    expect(timestamp).toBe("1800000000");
    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    const text = `9:siskin-v2,4:POST,2:/é,3:a=1,10:1800000000,32:${nonce},18:{"sql":"SELECT 1"}`;
    expect(signature).toBe(`v2=${createHmac("sha256", SECRET).update(text).digest("hex")}`);
  });

  it.each<[what: string, change: Partial<SignedParts>]>([
    ["another method", { method: "PUT" }],
    ["another path", { path: "/v1/dry-run" }],
    ["a query", { query: "limit=1" }],
    ["another body", { body: new TextEncoder().encode('{"sql":"SELECT 2"}') }],
    ["no body", { body: new Uint8Array(0) }],
    ["path and query cut elsewhere", { path: "/v1/quer", query: "y" }],
    ["a body that begins with what stands before it", { body: new TextEncoder().encode('18:{"sql":"SELECT 1"}') }],
  ])("is refused with %s", async (_, change) => {
    const headers = await sign(SECRET, parts(), NOW);
    expect(await check(headers, { parts: parts(change) })).toEqual({ ok: false, because: "signature" });
  });

  it.each<[what: string, change: (headers: SignatureHeaders) => Partial<SignatureHeaders>, because: string]>([
    ["no headers", () => ({}), "unsigned"],
    ["no signature", ({ timestamp, nonce }) => ({ timestamp, nonce }), "unsigned"],
    ["another nonce", (headers) => ({ ...headers, nonce: "0".repeat(32) }), "signature"],
    ["another time", (headers) => ({ ...headers, timestamp: "1800000001" }), "signature"],
    ["another signature", (headers) => ({ ...headers, signature: `v2=${"0".repeat(64)}` }), "signature"],
    ["a shorter signature", (headers) => ({ ...headers, signature: headers.signature.slice(0, -2) }), "malformed"],
    ["another scheme", (headers) => ({ ...headers, signature: headers.signature.replace("v2", "v1") }), "malformed"],
    ["a time that is none", (headers) => ({ ...headers, timestamp: "1e9" }), "malformed"],
    ["a negative time", (headers) => ({ ...headers, timestamp: "-1" }), "malformed"],
    ["a nonce that is none", (headers) => ({ ...headers, nonce: "x" }), "malformed"],
  ])("is refused with %s", async (_, change, because) => {
    expect(await check(change(await sign(SECRET, parts(), NOW)))).toEqual({ ok: false, because });
  });

  it.each([
    [0, true],
    [MAX_SKEW_SECONDS - 1, true],
    [-(MAX_SKEW_SECONDS - 1), true],
    [MAX_SKEW_SECONDS + 2, false],
    [-(MAX_SKEW_SECONDS + 2), false],
  ])("from a clock that is %d s off: %s", async (seconds, ok) => {
    const headers = await sign(SECRET, parts(), NOW + seconds * 1000);
    expect(await check(headers)).toEqual(ok ? { ok } : { ok, because: "clock" });
    expect(judgeHeaders(headers, NOW)).toEqual(ok ? { ok } : { ok, because: "clock" });
  });

  it("is accepted under each secret of a rotation, and under no other", async () => {
    const headers = await sign(OTHER, parts(), NOW);
    expect(await check(headers)).toEqual({ ok: false, because: "signature" });
    expect(await check(headers, { secrets: [SECRET, OTHER] })).toEqual({ ok: true });
    expect(await check(headers, { secrets: [OTHER, SECRET] })).toEqual({ ok: true });
    expect(await check(headers, { secrets: [] })).toEqual({ ok: false, because: "signature" });
  });

  it("uses its nonce up only when it is good", async () => {
    const nonces = new NonceWindow();
    const headers = await sign(SECRET, parts(), NOW);
    await check(headers, { nonces, secrets: [OTHER] });
    await check(headers, { nonces, parts: parts({ path: "/v1/catalog" }) });
    expect(nonces.size).toBe(0);
    expect(await check(headers, { nonces })).toEqual({ ok: true });
  });

  it("cannot be repeated for as long as its time is good", async () => {
    const nonces = new NonceWindow();
    // Signed by a clock ahead of ours: good for almost two minutes.
    const headers = await sign(SECRET, parts(), NOW + 59_000);
    expect(await check(headers, { nonces })).toEqual({ ok: true });
    for (const later of [1, 60, 100, 118]) {
      expect(await check(headers, { nonces, now: NOW + later * 1000 })).toEqual({ ok: false, because: "replayed" });
    }
    expect(await check(headers, { nonces, now: NOW + 121_000 })).toEqual({ ok: false, because: "clock" });
  });
});

describe("the nonces that are remembered", () => {
  it("are forgotten when they have expired", () => {
    const nonces = new NonceWindow();
    for (let second = 0; second < 600; second++) {
      expect(nonces.use(`nonce ${second}`, second + 60, second)).toBe("fresh");
      expect(nonces.size).toBeLessThanOrEqual(121);
    }
    expect(nonces.use("nonce 599", 659, 600)).toBe("used");
  });

  it("are never more than their bound, and none is forgotten early for a new one", () => {
    const nonces = new NonceWindow(2);
    expect(nonces.use("a", 60, 0)).toBe("fresh");
    expect(nonces.use("b", 60, 0)).toBe("fresh");
    expect(nonces.use("c", 60, 0)).toBe("full");
    expect(nonces.use("a", 60, 0)).toBe("used");
    expect(nonces.use("c", 200, 180)).toBe("fresh");
    expect(nonces.size).toBe(1);
  });

  it("being full refuses the request", async () => {
    const nonces = new NonceWindow(0);
    expect(await check(await sign(SECRET, parts(), NOW), { nonces })).toEqual({ ok: false, because: "busy" });
  });
});

import { createHmac, createPublicKey } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Authenticator } from "../../src/guard/authentication.ts";
import type { Authentication } from "../../src/guard/caller.ts";
import { fetchedKeys } from "../../src/guard/token-keys.ts";
import { testAuthenticator } from "../api/test-app.ts";
import { type Issuer, type SigningKey, signingKey, startIssuer, token } from "../support/issuer.ts";

const ISSUER = "https://issuer.test";
const AUDIENCE = "siskin";
let key: SigningKey;
let second: SigningKey;
let curve: SigningKey;
let issuer: Issuer;
let now: number;

beforeAll(async () => {
  [key, second, curve] = await Promise.all([signingKey("k1"), signingKey("k2"), signingKey("e1", "ES256")]);
  issuer = await startIssuer(key);
});
beforeEach(() => {
  issuer.publish(key);
  issuer.behave();
  now = Date.parse("2026-11-22T12:00:00Z");
});
afterAll(() => issuer.close());

const seconds = (): number => Math.floor(now / 1000);
const claims = (more: object = {}) => ({ iss: ISSUER, aud: AUDIENCE, sub: "ann", exp: seconds() + 60, ...more });

function authenticator(settings: Readonly<Record<string, string>> = {}): Authenticator {
  const fetched = "JWT_KEYS" in settings ? {} : { JWT_JWKS_URL: issuer.url };
  return testAuthenticator(
    { AUTH: "jwt", JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE, ...fetched, ...settings },
    () => now,
  );
}

function ask(by: Authenticator, text: string, header = "authorization"): Promise<Authentication> {
  const value = header === "authorization" ? `Bearer ${text}` : text;
  return by.authenticate(new Request("http://x", { headers: { [header]: value } }));
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("AUTH=jwt", () => {
  it("takes a token of the issuer's for this service", async () => {
    expect(await ask(authenticator(), await token(key, claims()))).toEqual({
      ok: true,
      caller: {
        id: "ann",
        claims: new Map(),
        bound: new Set(),
        connections: new Set(),
        ownConnections: true,
        limits: {},
        projects: new Set(),
        viewAs: false,
        operates: false,
        isAgent: false,
      },
    });
  });

  it("takes one of several audiences, and other algorithms where they are set", async () => {
    issuer.publish(curve);
    const by = authenticator({ JWT_AUDIENCE: "a, siskin", JWT_ALGORITHMS: "RS256,ES256" });
    expect((await ask(by, await token(curve, claims({ aud: ["b", "siskin"] })))).ok).toBe(true);
  });

  it("takes keys from the settings, and then asks nobody", async () => {
    const asked = issuer.asked();
    const by = authenticator({ JWT_KEYS: JSON.stringify({ keys: [key.jwk] }) });
    expect((await ask(by, await token(key, claims()))).ok).toBe(true);
    expect(issuer.asked()).toBe(asked);
  });

  it("takes Cloudflare Access's header, whatever else is there, and its service tokens", async () => {
    const by = authenticator({ JWT_HEADER: "cf-access-jwt-assertion", JWT_SUBJECT_CLAIM: "sub,common_name" });
    const text = await token(key, claims({ sub: "", common_name: "client.access" }));
    expect(await ask(by, text, "cf-access-jwt-assertion")).toMatchObject({ ok: true, caller: { id: "client.access" } });
    expect(await ask(by, text)).toMatchObject({ ok: false, refusal: { reason: "CREDENTIALS_MISSING" } });
  });

  const bad: readonly [string, string, () => Promise<string>][] = [
    ["expired", "CREDENTIALS_EXPIRED", () => token(key, claims({ exp: seconds() - 31 }))],
    ["not valid yet", "CREDENTIALS_INVALID", () => token(key, claims({ nbf: seconds() + 31 }))],
    ["for another audience", "CREDENTIALS_INVALID", () => token(key, claims({ aud: "other" }))],
    ["without an audience", "CREDENTIALS_INVALID", () => token(key, claims({ aud: undefined }))],
    ["of another issuer", "CREDENTIALS_INVALID", () => token(key, claims({ iss: "https://issuer.test/" }))],
    ["without an end", "CREDENTIALS_INVALID", () => token(key, claims({ exp: undefined }))],
    [
      "whose end is a text",
      "CREDENTIALS_INVALID",
      async () => token(key, claims({ exp: `${seconds() + 60}` as never })),
    ],
    ["without a subject", "CLAIM_REQUIRED", () => token(key, claims({ sub: undefined }))],
    ["with a subject that is a novel", "CLAIM_INVALID", () => token(key, claims({ sub: "a".repeat(257) }))],
    ["signed by a key that is not published", "CREDENTIALS_INVALID", () => token(second, claims())],
    [
      "signed by another key under a known name",
      "CREDENTIALS_INVALID",
      () => token({ ...second, kid: "k1" }, claims()),
    ],
    ["with another signature", "CREDENTIALS_INVALID", async () => `${(await token(key, claims())).slice(0, -6)}AAAAAA`],
    [
      "with other claims under the signature",
      "CREDENTIALS_INVALID",
      async () => {
        const [header, , signature] = (await token(key, claims())).split(".");
        return `${header}.${part(claims({ sub: "root" }))}.${signature}`;
      },
    ],
    ["unsigned", "CREDENTIALS_INVALID", async () => `${part({ alg: "none" })}.${part(claims())}.`],
    ["unsigned, in other letters", "CREDENTIALS_INVALID", async () => `${part({ alg: "nOnE" })}.${part(claims())}.`],
    [
      "signed by HMAC with the public key for a secret",
      "CREDENTIALS_INVALID",
      async () => {
        const pem = createPublicKey({ key: key.jwk as never, format: "jwk" }).export({ type: "spki", format: "pem" });
        const text = `${part({ alg: "HS256", kid: "k1" })}.${part(claims())}`;
        return `${text}.${createHmac("sha256", pem).update(text).digest("base64url")}`;
      },
    ],
    ["signed by an algorithm that is not set", "CREDENTIALS_INVALID", () => token(curve, claims())],
    [
      "with a critical header that nobody knows",
      "CREDENTIALS_INVALID",
      async () => {
        const [, payload, signature] = (await token(key, claims())).split(".");
        return `${part({ alg: "RS256", kid: "k1", crit: ["x"], x: 1 })}.${payload}.${signature}`;
      },
    ],
    [
      "that brings its own key",
      "CREDENTIALS_INVALID",
      () => token(second, claims(), { jwk: second.jwk, jku: "http://x" }),
    ],
    ["cut in two", "CREDENTIALS_INVALID", async () => (await token(key, claims())).split(".").slice(0, 2).join(".")],
    ["of four parts", "CREDENTIALS_INVALID", async () => `${await token(key, claims())}.x`],
    ["of no JSON", "CREDENTIALS_INVALID", async () => "a.b.c"],
    ["longer than any", "CREDENTIALS_INVALID", () => token(key, claims({ more: "x".repeat(16 * 1024) }))],
  ];

  it.each(bad)("refuses a token %s: %s", async (_what, reason, make) => {
    const text = await make();
    const outcome = await ask(authenticator(), text);
    expect(outcome).toMatchObject({ ok: false, refusal: { reason } });
    expect(JSON.stringify(outcome)).not.toContain(text.slice(0, 12));
  });

  it("allows for the clocks as far as is set", async () => {
    const late = await token(key, claims({ exp: seconds() - 29, nbf: seconds() + 29 }));
    expect((await ask(authenticator(), late)).ok).toBe(true);
    expect((await ask(authenticator({ JWT_CLOCK_SKEW_SECONDS: "5" }), late)).ok).toBe(false);
  });

  it("refuses a token that does not say which of several keys it is signed with", async () => {
    issuer.publish(key, second);
    const text = await token(key, claims(), { kid: undefined });
    expect(await ask(authenticator(), text)).toMatchObject({ ok: false, refusal: { reason: "CREDENTIALS_INVALID" } });
  });

  it("refuses what keys of the settings cannot be: private, or secrets", () => {
    expect(() => authenticator({ JWT_KEYS: JSON.stringify({ keys: [{ ...key.jwk, d: "x" }] }) })).toThrow(
      "private key",
    );
    expect(() => authenticator({ JWT_KEYS: JSON.stringify({ keys: [{ kty: "oct", k: "c2VjcmV0" }] }) })).toThrow("kty");
    expect(() => authenticator({ JWT_ALGORITHMS: "RS256,HS256" })).toThrow("JWT_ALGORITHMS");
  });
});

describe("claims", () => {
  const mapping = {
    CLAIM_PROPERTIES: JSON.stringify({
      Tenant: "org.tenant",
      level: { claim: ["https://x.test/level"], type: "number", required: false },
      admin: { claim: "admin", type: "boolean", required: false },
      regions: { claim: "regions", type: "strings", required: false },
    }),
    JWT_CONNECTIONS: "shop",
    JWT_CONNECTIONS_CLAIM: "access.connections",
    JWT_OWN_CONNECTIONS_CLAIM: "access.own",
  };
  const tenant = { org: { tenant: "acme" } };

  it("become literals", async () => {
    const text = await token(
      key,
      claims({
        org: { tenant: "O'Neil\\ ''; -- \n東" },
        "https://x.test/level": -1.5,
        admin: true,
        regions: ["a'", "b"],
        access: { connections: ["warehouse"] },
      }),
    );
    expect(await ask(authenticator(mapping), text)).toMatchObject({
      ok: true,
      caller: {
        claims: new Map([
          ["tenant", "'O''Neil\\ ''''; -- \n東'"],
          ["level", "-1.5"],
          ["admin", "TRUE"],
          ["regions", "ARRAY['a''', 'b']"],
        ]),
        connections: new Set(["shop", "warehouse"]),
      },
    });
  });

  it("that are optional may be missing, and their properties are the issuer's all the same", async () => {
    const outcome = await ask(authenticator(mapping), await token(key, claims({ ...tenant, admin: null })));
    expect(outcome).toMatchObject({
      ok: true,
      caller: {
        claims: new Map([["tenant", "'acme'"]]),
        bound: new Set(["tenant", "level", "admin", "regions"]),
        connections: new Set(["shop"]),
      },
    });
  });

  it.each([
    ["allowed", {}, true],
    ["allowed", { own: false }, false],
    ["refused", {}, false],
    ["refused", { own: true }, true],
  ] as const)("CALLER_OWN_CONNECTIONS=%s, and a token that says %j: %s", async (setting, access, expected) => {
    const by = authenticator({ ...mapping, CALLER_OWN_CONNECTIONS: setting });
    const outcome = await ask(by, await token(key, claims({ ...tenant, access })));
    expect(outcome).toMatchObject({ ok: true, caller: { ownConnections: expected } });
  });

  it.each<[string, string, object]>([
    ["a missing one", "CLAIM_REQUIRED", {}],
    ["a path through a text", "CLAIM_REQUIRED", { org: "acme" }],
    ["what every object inherits", "CLAIM_REQUIRED", { org: Object.create({ tenant: "x" }) as object }],
    ["a number for a text", "CLAIM_INVALID", { org: { tenant: 1 } }],
    ["a text for a number", "CLAIM_INVALID", { ...tenant, "https://x.test/level": "1" }],
    ["an integer that JSON cannot hold", "CLAIM_INVALID", { ...tenant, "https://x.test/level": 2 ** 53 }],
    ["a number with an exponent", "CLAIM_INVALID", { ...tenant, "https://x.test/level": 1e-9 }],
    ["a text for a boolean", "CLAIM_INVALID", { ...tenant, admin: "true" }],
    ["a list for a text", "CLAIM_INVALID", { org: { tenant: ["a", "b"] } }],
    ["an object for a text", "CLAIM_INVALID", { org: { tenant: { a: 1 } } }],
    ["an empty list", "CLAIM_INVALID", { ...tenant, regions: [] }],
    ["a list of more than texts", "CLAIM_INVALID", { ...tenant, regions: ["a", 1] }],
    ["a text with NUL", "CLAIM_INVALID", { org: { tenant: "a\0b" } }],
    ["a text for what may be brought", "CLAIM_INVALID", { ...tenant, access: { own: "true" } }],
    ["connections that are no names", "CLAIM_INVALID", { ...tenant, access: { connections: [1] } }],
  ])("refuse %s", async (_what, reason, more) => {
    const outcome = await ask(authenticator(mapping), await token(key, claims(more)));
    expect(outcome).toMatchObject({ ok: false, refusal: { reason } });
  });
});

describe("the issuer's keys", () => {
  const unavailable = { ok: false, refusal: { reason: "ISSUER_UNAVAILABLE", retryAfter: 30 } };

  it("are asked for once, and again when they are old", async () => {
    const by = authenticator();
    const asked = issuer.asked();
    for (let count = 0; count < 3; count++) await ask(by, await token(key, claims()));
    expect(issuer.asked()).toBe(asked + 1);
    now += 11 * 60_000;
    await ask(by, await token(key, claims()));
    expect(issuer.asked()).toBe(asked + 2);
  });

  it("change: a new one is found when a token names it, but not for every token that names none", async () => {
    const by = authenticator();
    await ask(by, await token(key, claims()));
    const asked = issuer.asked();
    now += 31_000;
    issuer.publish(second);
    expect((await ask(by, await token(second, claims()))).ok).toBe(true);
    expect((await ask(by, await token(key, claims()))).ok).toBe(false);
    for (let count = 0; count < 20; count++)
      await ask(by, await token({ ...curve, kid: `x${count}` }, claims(), { alg: "ES256" }));
    for (let count = 0; count < 20; count++) await ask(by, await token({ ...key, kid: `x${count}` }, claims()));
    expect(issuer.asked()).toBe(asked + 1);
  });

  it("are asked for once by many at a time", async () => {
    const by = authenticator();
    const asked = issuer.asked();
    const text = await token(key, claims());
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => ask(by, text)));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(issuer.asked()).toBe(asked + 1);
  });

  it("are asked for by the next one where whoever asked is gone, as a Worker's request is when its client goes", async () => {
    let calls = 0;
    let clock = 0;
    const keys = fetchedKeys({
      url: issuer.url,
      fetch: ((...given) => (++calls === 1 ? new Promise(() => undefined) : fetch(...given))) as typeof fetch,
      timeoutMs: 1000,
      now: () => clock,
    });
    const deferred: Promise<unknown>[] = [];
    void keys.keys(undefined, (work) => deferred.push(work));
    const second = keys.keys();
    clock = 1000;
    expect(await second).toBeDefined();
    expect([calls, deferred.length]).toEqual([2, 1]);
  });

  it("stay good for a while when the issuer is gone, and not for ever", async () => {
    const by = authenticator();
    await ask(by, await token(key, claims()));
    issuer.behave((_request, response) => void response.writeHead(500).end());
    now += 30 * 60_000;
    expect((await ask(by, await token(key, claims()))).ok).toBe(true);
    now += 31 * 60_000;
    expect(await ask(by, await token(key, claims()))).toMatchObject(unavailable);
  });

  const huge = (_request: IncomingMessage, response: ServerResponse): void => {
    const more = (): void => {
      while (!response.destroyed && response.write(" ".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  };

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ["is down", (request) => void request.destroy()],
    ["answers 404", (_request, response) => void response.writeHead(404).end("{}")],
    ["redirects", (_request, response) => void response.writeHead(302, { location: issuer.url }).end()],
    ["answers no JSON", (_request, response) => void response.end("<html>")],
    ["answers a list", (_request, response) => void response.end("[]")],
    ["answers keys that are no objects", (_request, response) => void response.end('{"keys":[1]}')],
    [
      "answers too many keys",
      (_request, response) => void response.end(JSON.stringify({ keys: Array(101).fill({ kty: "RSA" }) })),
    ],
    ["answers without end", huge],
  ])("cannot be had when the issuer %s, which is asked once in a while", async (_what, answer) => {
    issuer.behave(answer);
    const by = authenticator();
    const asked = issuer.asked();
    const text = await token(key, claims());
    expect(await ask(by, text)).toMatchObject(unavailable);
    expect(await ask(by, text)).toMatchObject(unavailable);
    expect(issuer.asked()).toBe(asked + 1);
    issuer.behave();
    now += 31_000;
    expect((await ask(by, await token(key, claims()))).ok).toBe(true);
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ["says nothing", () => undefined],
    ["stops within its answer", (_request, response) => void response.write('{"keys":[')],
  ])("are given up when the issuer %s", async (_what, answer) => {
    issuer.behave(answer);
    expect(await fetchedKeys({ url: issuer.url, fetch, timeoutMs: 50 }).keys()).toBeUndefined();
  });

  it.each<[string, object[]]>([
    ["are none", []],
    ["are of another kind than they say", [{ kty: "EC", kid: "k1", alg: "RS256", crv: "P-256" }]],
    ["are broken", [{ kty: "RSA", kid: "k1", n: "!!", e: "AQAB" }]],
    ["are private", [{ kty: "RSA", kid: "k1", n: "AQAB", e: "AQAB", d: "AQAB" }]],
    ["are secrets", [{ kty: "oct", kid: "k1", k: "c2VjcmV0" }]],
  ])("let nobody in when they %s", async (_what, keys) => {
    issuer.behave((_request, response) => void response.end(JSON.stringify({ keys })));
    expect(await ask(authenticator(), await token(key, claims()))).toMatchObject({
      ok: false,
      refusal: { reason: "CREDENTIALS_INVALID" },
    });
  });
});

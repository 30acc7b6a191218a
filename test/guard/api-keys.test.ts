import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Authentication } from "../../src/guard/caller.ts";
import { testAuthenticator } from "../api/test-app.ts";

const digest = (key: string): string => createHash("sha256").update(key).digest("hex");
const KEY = `sk_${"a".repeat(43)}`;
const OLD = `sk_${"b".repeat(43)}`;
const OTHER = `sk_${"c".repeat(43)}`;
const NOW = Date.parse("2026-11-22T12:00:00Z");

const authenticator = testAuthenticator(
  {
    AUTH: "keys",
    CALLER_CONCURRENT: "5",
    API_KEYS: JSON.stringify({
      reporting: {
        digests: [
          { sha256: digest(OLD).toUpperCase(), expires: "2026-11-22T11:59:59Z" },
          { sha256: digest(KEY), expires: "2027-01-01T00:00:00+01:00" },
        ],
        connections: ["warehouse"],
        ownConnections: false,
        properties: { Tenant: "O'Neil", level: 3, open: false },
        limits: { rows: 10 },
      },
      other: { digests: [digest(OTHER)], connections: ["*"] },
    }),
  },
  () => NOW,
);

function ask(...headers: [string, string][]): Promise<Authentication> {
  return authenticator.authenticate(new Request("http://x", { headers: new Headers(headers) }));
}

describe("AUTH=keys", () => {
  it.each([
    ["Authorization", `Bearer ${KEY}`],
    ["authorization", `bearer  ${KEY}`],
    ["X-API-Key", KEY],
  ])("takes %s: %s, and gives the caller what its entry says", async (name, value) => {
    expect(await ask([name, value])).toEqual({
      ok: true,
      caller: {
        id: "reporting",
        claims: new Map([
          ["tenant", "'O''Neil'"],
          ["level", "3"],
          ["open", "FALSE"],
        ]),
        bound: new Set(["tenant", "level", "open"]),
        connections: new Set(["warehouse"]),
        ownConnections: false,
        limits: { concurrent: 5, rows: 10 },
        projects: new Set(),
        viewAs: false,
        operates: false,
      },
    });
  });

  it("tells callers apart", async () => {
    expect(await ask(["X-API-Key", OTHER])).toMatchObject({ ok: true, caller: { id: "other", connections: "all" } });
  });

  it.each([
    ["allowed", undefined, true],
    ["allowed", false, false],
    ["refused", undefined, false],
    ["refused", true, true],
  ] as const)("CALLER_OWN_CONNECTIONS=%s, and an entry that says %s: %s", async (setting, own, expected) => {
    const entry = { digests: [digest(KEY)], ...(own !== undefined && { ownConnections: own }) };
    const by = testAuthenticator({
      AUTH: "keys",
      CALLER_OWN_CONNECTIONS: setting,
      API_KEYS: JSON.stringify({ reporting: entry }),
    });
    const outcome = await by.authenticate(new Request("http://x", { headers: { "X-API-Key": KEY } }));
    expect(outcome).toMatchObject({ ok: true, caller: { ownConnections: expected } });
  });

  it.each<[string, string, [string, string][]]>([
    ["nothing", "CREDENTIALS_MISSING", []],
    ["a key that is not listed", "CREDENTIALS_INVALID", [["X-API-Key", `${KEY}a`]]],
    ["a digest in place of its key", "CREDENTIALS_INVALID", [["X-API-Key", digest(KEY)]]],
    ["a key of one character", "CREDENTIALS_INVALID", [["X-API-Key", "a"]]],
    ["an empty key", "CREDENTIALS_INVALID", [["X-API-Key", ""]]],
    ["a bearer of nothing", "CREDENTIALS_INVALID", [["Authorization", "Bearer"]]],
    ["another scheme", "CREDENTIALS_INVALID", [["Authorization", `Basic ${btoa(`x:${KEY}`)}`]]],
    ["a key without its scheme", "CREDENTIALS_INVALID", [["Authorization", KEY]]],
    ["a key that has expired", "CREDENTIALS_EXPIRED", [["X-API-Key", OLD]]],
    ["a key longer than any", "CREDENTIALS_INVALID", [["X-API-Key", "a".repeat(16 * 1024 + 1)]]],
    ["text beyond ASCII", "CREDENTIALS_INVALID", [["X-API-Key", `${KEY}\u00e9`]]],
    [
      "the same header twice",
      "CREDENTIALS_INVALID",
      [
        ["Authorization", `Bearer ${KEY}`],
        ["Authorization", `Bearer ${KEY}`],
      ],
    ],
    [
      "a second header behind the first",
      "CREDENTIALS_INVALID",
      [
        ["Authorization", `Bearer x`],
        ["authorization", `Bearer ${KEY}`],
      ],
    ],
    [
      "both headers",
      "CREDENTIALS_INVALID",
      [
        ["Authorization", `Bearer ${KEY}`],
        ["X-API-Key", KEY],
      ],
    ],
  ])("refuses %s", async (_what, reason, headers) => {
    const outcome = await ask(...headers);
    expect(outcome).toMatchObject({ ok: false, refusal: { reason } });
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });
});

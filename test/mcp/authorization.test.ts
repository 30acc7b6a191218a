import { beforeAll, describe, expect, it } from "vitest";
import { testAuthenticator } from "../api/test-app.ts";
import { SHOP } from "../projects/shop.ts";
import { type SigningKey, signingKey, token } from "../support/issuer.ts";
import { type McpApp, mcpApp, messageOf } from "./mcp-app.ts";

const RESOURCE = "https://sql.example.com/mcp";
const ISSUER = "https://issuer.test";
const NOW = 1_800_000_000;

let key: SigningKey;
let other: SigningKey;
beforeAll(async () => {
  [key, other] = await Promise.all([signingKey("k1"), signingKey("k1")]);
});

const CLAIMS = {
  iss: ISSUER,
  aud: RESOURCE,
  sub: "agent",
  scope: "openid siskin:query",
  tenant: "alpha",
  projects: ["shop"],
  exp: NOW + 60,
};

function app(origins: readonly string[] = [], settings: Readonly<Record<string, string>> = {}): McpApp {
  const authenticator = testAuthenticator(
    {
      AUTH: "jwt",
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: `${RESOURCE},siskin`,
      JWT_KEYS: JSON.stringify({ keys: [key.jwk] }),
      JWT_PROJECTS_CLAIM: "projects",
      CLAIM_PROPERTIES: '{"tenant": "tenant"}',
      MCP_RESOURCE: RESOURCE,
      ...settings,
    },
    () => NOW * 1000,
  );
  const agents = { resource: RESOURCE, issuer: ISSUER, scopes: ["siskin:query"] };
  const made = mcpApp({}, { api: { authenticator, agents, allowedOrigins: origins } });
  made.store.push("shop", SHOP);
  made.store.push("other", SHOP);
  return made;
}

const METADATA = "/.well-known/oauth-protected-resource/mcp";

describe("metadata of the resource (RFC 9728)", () => {
  it.each(["", "/shop", "/no-such-project"])("is the same for whatever project: %s", async (project) => {
    const response = await app().fetch(METADATA + project);
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(await response.json()).toEqual({
      resource: RESOURCE + project,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ["header"],
      scopes_supported: ["siskin:query"],
      resource_name: "Siskin",
    });
  });

  it("is not there for other paths, nor for callers by key", async () => {
    expect((await app().fetch(`${METADATA}/shop/more`)).status).toBe(404);
    expect((await app().fetch(`${METADATA}x`)).status).toBe(404);
    expect((await mcpApp({ one: {} }).fetch(METADATA)).status).toBe(404);
  });
});

const ask = async (
  credential: string | undefined,
  project = "/shop",
  more: Record<string, string> = {},
  at?: McpApp,
) => {
  const { headers, body } = messageOf(credential ?? "", "tools/list");
  return (at ?? app()).fetch(`/mcp${project}`, { method: "POST", headers: { ...headers, ...more }, body });
};

describe("tokens", () => {
  it("are taken for the service, and for the project's own resource", async () => {
    for (const aud of [RESOURCE, "siskin", `${RESOURCE}/shop`, ["x", `${RESOURCE}/shop`]]) {
      expect((await ask(await token(key, { ...CLAIMS, aud }))).status).toBe(200);
    }
  });

  it("for the resource of one project are taken nowhere else", async () => {
    const forShop = await token(key, { ...CLAIMS, aud: `${RESOURCE}/shop`, projects: ["shop", "other"] });
    const at = app();
    expect((await ask(forShop, "/other", {}, at)).status).toBe(401);
    expect((await ask(forShop, "", {}, at)).status).toBe(401);
    const elsewhere = await at.fetch("/v3/projects/shop", { headers: { Authorization: `Bearer ${forShop}` } });
    expect(elsewhere.status).toBe(401);
  });

  it.each([
    ["none", undefined],
    ["another audience", { aud: "https://elsewhere.example.com/mcp" }],
    ["another project's audience", { aud: `${RESOURCE}/other` }],
    ["expired", { exp: NOW - 60 }],
    ["another issuer", { iss: "https://elsewhere.test" }],
  ])("are refused with the way to the issuer: %s", async (_name, changed) => {
    const given = changed && (await token(key, { ...CLAIMS, ...changed }));
    const response = await ask(given);
    expect(response.status).toBe(401);
    const challenge = response.headers.get("www-authenticate");
    expect(challenge).toContain(`resource_metadata="https://sql.example.com${METADATA}/shop"`);
    expect(challenge).toContain('scope="siskin:query"');
  });

  it("signed by others are refused", async () => {
    expect((await ask(await token(other, CLAIMS))).status).toBe(401);
  });

  it("in the address are not read", async () => {
    const { body, headers } = messageOf("", "tools/list");
    const query = `?access_token=${await token(key, CLAIMS)}`;
    expect((await app().fetch(`/mcp/shop${query}`, { method: "POST", headers, body })).status).toBe(401);
  });

  it("without the scope are 403, which names it", async () => {
    for (const scope of [undefined, "siskin:queries", "siskin"]) {
      const response = await ask(
        await token(key, { ...CLAIMS, ...(scope === undefined ? { scope: undefined } : { scope }) }),
      );
      expect(response.status).toBe(403);
      expect(response.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
      expect(response.headers.get("www-authenticate")).toContain('scope="siskin:query"');
    }
    // Other routes need no such scope.
    const at = app();
    const plain = await token(key, { ...CLAIMS, scope: undefined });
    expect((await at.fetch("/v3/projects/shop", { headers: { Authorization: `Bearer ${plain}` } })).status).toBe(200);
  });

  it("are the caller's: the rules of a project get its claims", async () => {
    const at = app();
    const { headers, body } = messageOf(await token(key, CLAIMS), "tools/call", {
      name: "query",
      arguments: { sql: "SELECT id FROM orders" },
    });
    expect((await at.fetch("/mcp/shop", { method: "POST", headers, body })).status).toBe(200);
    expect(at.services.sources.statements[0]?.sql).toContain("hidden_canary = 'alpha'");
  });
});

describe("Origin", () => {
  it.each([
    ["https://evil.example.com", 403],
    // A page whose name leads to this machine.
    ["http://siskin.test", 403],
    ["null", 403],
    ["https://sql.example.com", 200],
    ["https://app.example.com", 200],
  ])("%s: %s", async (Origin, status) => {
    const at = app(["https://app.example.com"]);
    expect((await ask(await token(key, CLAIMS), "/shop", { Origin }, at)).status).toBe(status);
  });
});

describe("AUTH=none", () => {
  it("serves loopback addresses alone", async () => {
    const at = mcpApp({}, {});
    at.store.push("shop", SHOP);
    const { headers, body } = messageOf("", "tools/list");
    const init = { method: "POST", headers, body };
    expect((await at.fetch("http://sql.example.com/mcp/shop", init)).status).toBe(403);
    expect((await at.fetch("http://127.0.0.1/mcp/shop", init)).status).toBe(200);
    const rebound = { ...init, headers: { ...headers, Origin: "http://evil.example.com" } };
    expect((await at.fetch("http://127.0.0.1/mcp/shop", rebound)).status).toBe(403);
  });
});

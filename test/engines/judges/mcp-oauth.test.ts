/**
 * The whole way of an agent to its token: a 401 of ours, the metadata that it names, an OAuth server that others wrote, a code with PKCE,
 * a token for this resource, and a call. The client is the maker's. `npm run engines` installs the server.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  type OAuthClientInformation,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasOidcProvider, judgePath } from "../../judges/judge.ts";
import { freePort, type RunningService, startService } from "../../support/service.ts";

const REDIRECT = "http://127.0.0.1/callback";
const CLIENT = "agent";

let issuer: string;
let server: Server;
let service: RunningService;
let resource: string;

interface Provider {
  callback(): Parameters<typeof createServer>[1];
}

beforeAll(async () => {
  if (!hasOidcProvider) return;
  const port = await freePort();
  resource = `http://127.0.0.1:${port}/mcp`;
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const module = (await import(judgePath("oidc-provider/lib/index.js"))) as {
    readonly default: new (issuer: string, configuration: object) => Provider;
  };
  const provider = new module.default(issuer, {
    clients: [
      {
        client_id: CLIENT,
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        application_type: "native",
      },
    ],
    scopes: ["openid", "offline_access", "siskin:query"],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, indicator: string) => ({
          scope: "siskin:query",
          audience: indicator,
          accessTokenFormat: "jwt",
          accessTokenTTL: 600,
        }),
        useGrantedResource: () => true,
      },
    },
  });
  server.on("request", provider.callback() as never);
  service = await startService({
    PORT: String(port),
    AUTH: "jwt",
    JWT_ISSUER: issuer,
    JWT_AUDIENCE: resource,
    JWT_JWKS_URL: `${issuer}/jwks`,
    JWT_PROJECTS: "shop",
    MCP_RESOURCE: resource,
  });
}, 120_000);
afterAll(async () => {
  await service?.stop();
  server?.close();
  server?.closeAllConnections();
});

/** The state that a host keeps for its user. */
class Host implements OAuthClientProvider {
  redirectUrl = REDIRECT;
  address: URL | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = "";

  get clientMetadata() {
    return { client_name: CLIENT, redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" };
  }
  clientInformation(): OAuthClientInformation {
    return { client_id: CLIENT };
  }
  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(address: URL): void {
    this.address = address;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

/** A browser whose user signs in and agrees. Resolves with the parameters of the redirect to the host. */
async function signIn(address: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let next = address;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    const response = await fetch(next, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form !== undefined && { body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location !== null) {
      next = new URL(location, next);
      form = undefined;
      if (next.href.startsWith(REDIRECT)) return next.searchParams;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (prompt === undefined || action === undefined) throw new Error(`${response.status} ${page}`);
    next = new URL(action, next);
    form = new URLSearchParams({ prompt, ...(prompt === "login" && { login: "ada", password: "x" }) });
  }
  throw new Error("The browser is led in circles.");
}

describe.skipIf(!hasOidcProvider)("a code flow with PKCE", () => {
  it.each([
    ["the newest revision", { pin: "2026-07-28" }],
    ["the revision before", "legacy"],
  ] as const)("ends with an answer: %s", async (_name, mode) => {
    const host = new Host();
    const client = () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    const transport = () => new StreamableHTTPClientTransport(new URL(`${resource}/shop`), { authProvider: host });
    const first = transport();
    await expect(client().connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
    const { address } = host;
    expect(address?.origin).toBe(issuer);
    expect(address?.searchParams.get("code_challenge_method")).toBe("S256");
    expect(address?.searchParams.get("resource")).toBe(`${resource}/shop`);
    expect(address?.searchParams.get("scope")).toContain("siskin:query");
    await first.finishAuth(await signIn(address!));
    const connected = client();
    await connected.connect(transport());
    const answer = await connected.callTool({
      name: "query",
      arguments: { sql: "SELECT count(*) AS n FROM customers" },
    });
    expect(answer.structuredContent).toMatchObject({ rowCount: 1, truncated: false });
    await connected.close();
  });
});

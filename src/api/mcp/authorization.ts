/**
 * Authorization of agents: this service is a protected resource of an OAuth issuer (RFC 9728). Clients find the issuer by the
 * challenge of a 401, ask it for a token for this resource (RFC 8707), and send that token in `Authorization`.
 */
import { ServiceError } from "../../service/failure.ts";
import type { AgentAuthorization, Exchange } from "../exchange.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const PATH = /^\/mcp(?:\/([a-z0-9-]{1,63}))?\/?$/;

export const isMcp = (pathname: string): boolean => pathname === "/mcp" || pathname.startsWith("/mcp/");

/** Metadata is read before there is a token. It is the same for projects that exist and for others. */
export const isMetadata = (pathname: string): boolean => pathname.startsWith(`${WELL_KNOWN}/mcp`);

/** The resource of a path: tokens for the resource of a project are accepted at that project alone. */
export function resourceOf(pathname: string, resource: string | undefined): string | undefined {
  const [path, project] = PATH.exec(pathname) ?? [];
  if (resource === undefined || path === undefined) return undefined;
  return project === undefined ? resource : `${resource}/${project}`;
}

/** Undefined without an issuer: callers by key need no metadata. */
export function metadataAnswer({ url, options }: Exchange): Response | undefined {
  const { resource, issuer, scopes } = options.agents ?? NO_AGENTS;
  const own = resourceOf(url.pathname.slice(WELL_KNOWN.length), resource);
  if (own === undefined || issuer === undefined) return undefined;
  const document = {
    resource: own,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: scopes,
    resource_name: "Siskin",
  };
  return new Response(JSON.stringify(document), {
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=3600",
      "Access-Control-Allow-Origin": "*",
    },
  });
}

const NO_AGENTS: AgentAuthorization = { resource: undefined, issuer: undefined, scopes: [] };

/** Parameters of `WWW-Authenticate` that lead a client to its token. */
export function challengeParameters({ url, options }: Exchange): string {
  const { resource, issuer, scopes } = options.agents ?? NO_AGENTS;
  const own = resourceOf(url.pathname, resource);
  if (own === undefined || issuer === undefined) return "";
  const { origin, pathname } = new URL(own);
  const scope = scopes.length === 0 ? "" : `, scope="${scopes.join(" ")}"`;
  return `, resource_metadata="${origin}${WELL_KNOWN}${pathname}"${scope}`;
}

/** Throws `SCOPE_REQUIRED`. */
export function refuseInsufficientScope({ caller }: Exchange): void {
  if (caller?.isAgent !== false) return;
  throw new ServiceError("SCOPE_REQUIRED", "The token lacks the scope siskin:query.", {
    metadata: { hint: "Ask the issuer for a token with that scope." },
    ownWords: true,
  });
}

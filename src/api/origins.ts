/**
 * Web pages of other origins (CORS). Without ALLOWED_ORIGINS no page but the service's own may read an answer; a project refuses
 * such requests before they do anything, because a browser sends its cookies with them.
 */
import { ServiceError } from "../service/failure.ts";
import type { Exchange } from "./exchange.ts";
import { isMcp } from "./mcp/authorization.ts";

const METHODS = "GET, HEAD, POST";
/** Time for which a browser keeps the answer to a preflight. */
const MAX_AGE_SECONDS = 600;
/** Headers that a page may read besides the safelisted ones. */
const EXPOSED = [
  ...["X-Correlation-ID", "X-Process-Time", "x-warnings", "x-project-version", "X-Bytes-Processed", "Retry-After"],
  ...[
    "Cache-Status",
    "X-Cache-Hit",
    "X-Cache-Create-At",
    "X-Cache-Override",
    "X-Cache-Override-At",
    "WWW-Authenticate",
  ],
].join(", ");

/** The page's origin, if it may ask. */
function allowedOrigin({ request, options }: Exchange): string | undefined {
  const origin = request.headers.get("origin");
  return origin !== null && options.allowedOrigins?.includes(origin) === true ? origin : undefined;
}

/** The answer to a preflight of an allowed origin. It is given without credentials, which a preflight never has. */
export function preflightAnswer(exchange: Exchange): Response | undefined {
  const { method, headers } = exchange.request;
  if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
  const origin = allowedOrigin(exchange);
  if (origin === undefined) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Allow-Headers": headers.get("access-control-request-headers") ?? "",
      "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
      Vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    },
  });
}

/** Adds the headers that let the page read the answer. Caches must keep answers to different origins apart. */
export function withOrigin(exchange: Exchange, response: Response): Response {
  if ((exchange.options.allowedOrigins ?? []).length === 0) return response;
  const origin = allowedOrigin(exchange);
  const vary = response.headers.get("vary");
  if (!vary?.includes("Origin")) response.headers.set("Vary", vary === null ? "Origin" : `${vary}, Origin`);
  if (origin === undefined) return response;
  response.headers.set("Access-Control-Allow-Origin", origin);
  response.headers.set("Access-Control-Expose-Headers", EXPOSED);
  return response;
}

/** Refuses a page of another origin that ALLOWED_ORIGINS does not list. Throws `ServiceError`. */
export function refuseForeignPage(exchange: Exchange): void {
  const { headers, method } = exchange.request;
  // A link to an answer: the other page cannot read what the browser shows.
  if (method === "GET" && headers.get("sec-fetch-mode") === "navigate") return;
  const origin = headers.get("origin");
  const isForeign =
    origin === null
      ? // Pictures, scripts and links of other sites bring cookies, too, and no Origin. A typed address brings `none`.
        ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "")
      : hostOf(origin) !== ownHost(exchange) && allowedOrigin(exchange) === undefined;
  if (!isForeign) return;
  throw new ServiceError("ORIGIN_NOT_ALLOWED", "Web pages of this origin may not use the project.", {
    metadata: { hint: "The operator lists origins in ALLOWED_ORIGINS." },
    ownWords: true,
  });
}

/** At `/mcp` the operator says it, where there is a setting: a page whose name leads to this machine has its own host in both headers. */
function ownHost({ url, options }: Exchange): string | undefined {
  const { resource } = options.agents ?? {};
  return resource !== undefined && isMcp(url.pathname) ? hostOf(resource) : url.host;
}

/** Behind a proxy that ends TLS the scheme differs, and the host is the same. `null` is the origin of a sandboxed page. */
function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

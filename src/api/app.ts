/** The HTTP application: routing, and the parts that every answer has. Handlers and services do the work. */
import type { Context } from "hono";
import { HonoBase as Hono } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import { ServiceError } from "../service/failure.ts";
import { toServiceError } from "../service/translate.ts";
import { admit } from "./callers.ts";
import { documentRoutes, isOpen } from "./documents.ts";
import { type ApiOptions, Exchange, type Platform } from "./exchange.ts";
import { warningHeaders } from "./handlers/handler.ts";
import { challengeParameters, isMcp, isMetadata, metadataAnswer } from "./mcp/authorization.ts";
import { answerMcp } from "./mcp/front.ts";
import { preflightAnswer, withOrigin } from "./origins.ts";
import { RequestProblems } from "./problems.ts";
import { remarkOnQuery } from "./remarks.ts";
import { errorResponse, plainDetail, problemsResponse } from "./responses.ts";
import type { Route, Version } from "./route.ts";
import { MOUNTS, ROUTES } from "./routes.ts";

export type App = (request: Request, platform: Platform) => Promise<Response>;

interface Environment {
  Bindings: { readonly exchange: Exchange };
}

/** Never throws: every failure becomes an answer in the form of docs/spec/contract.md#error-bodies. */
export function createApp(options: ApiOptions): App {
  const routes = createRoutes(options);
  return async (request, platform) => {
    const exchange = new Exchange(request, options, platform);
    const sealed = withOrigin(exchange, exchange.seal(await answer(routes, request, exchange)));
    if (!exchange.streaming) exchange.finish();
    return sealed;
  };
}

/** Not registered as handlers of the router: a path with one handler then needs no handler chain. */
async function answer(routes: Routes, request: Request, exchange: Exchange): Promise<Response> {
  const { router, methods, mountFor } = routes;
  const preflight = preflightAnswer(exchange);
  if (preflight !== undefined) return preflight;
  const { pathname } = exchange.url;
  try {
    if (isMcp(pathname)) return await answerAgent(routes, exchange);
    if (isMetadata(pathname) && request.method === "GET")
      return metadataAnswer(exchange) ?? plainDetail(404, "Not Found");
    // Authentication comes first: a path that is not public must not reveal to a stranger whether it exists.
    if (!isOpen(pathname)) await admit(exchange);
    mountFor(pathname);
    // Before the routes: the router with the fastest set-up matches a path with a trailing slash to the route without it.
    return redirectWithoutSlash(exchange, methods) ?? (await router.fetch(request, { exchange }));
  } catch (error) {
    // The router passes on thrown values that are not an Error.
    return failureResponse(error, exchange);
  }
}

/** Each use case of an agent's request is answered by the routes of its project, without authentication. */
async function answerAgent(routes: Routes, exchange: Exchange): Promise<Response> {
  exchange.challenge = challengeParameters(exchange);
  await admit(exchange);
  return answerMcp(exchange, async (request, within) => {
    let response: Response;
    try {
      routes.mountFor(within.url.pathname);
      response = await routes.router.fetch(request, { exchange: within });
    } catch (error) {
      response = failureResponse(error, within);
    }
    within.seal(response);
    if (!within.streaming) within.finish();
    return response;
  });
}

interface Routes {
  readonly router: Hono<Environment>;
  /** Methods of each path, in the router's notation. */
  readonly methods: ReadonlyMap<string, ReadonlySet<string>>;
  /** Adds the routes for a path: a new isolate sets up the routes of its first caller's API, not of all six. */
  readonly mountFor: (pathname: string) => void;
}

function createRoutes(options: ApiOptions): Routes {
  // The router of hono with fast set-up and lookup: the linear router takes longer for a hundred routes than planning does.
  const router = new Hono<Environment>({ router: new TrieRouter() });
  const methods = new Map<string, Set<string>>();
  const add = (method: "GET" | "POST", path: string, handle: (context: Context<Environment>) => Promise<Response>) => {
    methods.set(path, (methods.get(path) ?? new Set()).add(method));
    router.on(method, path, handle);
  };

  for (const [path, answer] of documentRoutes(options)) {
    add("GET", path, async (context) => {
      context.env.exchange.route = path;
      return answer(context.env.exchange, context.req.param());
    });
  }
  const waiting = new Set(MOUNTS);
  const mountFor = (pathname: string): void => {
    for (const mount of waiting) {
      // The router decodes the paths that it matches.
      const isBelow = pathname === mount.prefix || pathname.startsWith(`${mount.prefix}/`);
      if (!isBelow && !pathname.includes("%")) continue;
      waiting.delete(mount);
      for (const route of ROUTES.filter(({ family }) => family === mount.family)) {
        const path = mount.prefix + route.path;
        for (const method of route.methods) {
          add(method, path, (context) => dispatch(context, path, mount.version, route));
        }
      }
    }
  };
  router.notFound((context) => {
    const served = servedAt(context.req.path, methods);
    return served === undefined ? plainDetail(404, "Not Found") : otherMethod(context, ...served);
  });
  router.onError((error, context) => failureResponse(error, context.env.exchange));
  return { router, methods, mountFor };
}

async function dispatch(
  context: Context<Environment>,
  path: string,
  version: Version,
  route: Route,
): Promise<Response> {
  const { exchange } = context.env;
  exchange.route = path;
  remarkOnQuery(exchange, route);
  const response = await route.handle({ exchange, route, version, path: context.req.param() });
  // Operations without warnings of their own.
  const headers = response.headers.has("x-warnings") ? {} : warningHeaders(exchange, []);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function failureResponse(error: unknown, exchange: Exchange): Response {
  exchange.streaming = false;
  if (error instanceof RequestProblems) return problemsResponse(error, exchange);
  if (error instanceof ServiceError) return errorResponse(error, exchange);
  return errorResponse(toServiceError(error, { operation: undefined }), exchange);
}

function otherMethod(context: Context<Environment>, route: string, allowed: ReadonlySet<string>): Response {
  context.env.exchange.route = route;
  const allow = [...allowed, ...(allowed.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (context.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
  return plainDetail(405, "Method Not Allowed", { Allow: allow });
}

/**
 * Redirects only to a path that is served: a redirect to an arbitrary path could lead to another host (`//host/`). The location
 * is relative, because a request can name any host and scheme, and behind a proxy that terminates TLS they are not the client's.
 */
function redirectWithoutSlash({ url }: Exchange, methods: Routes["methods"]): Response | undefined {
  if (!url.pathname.endsWith("/") || url.pathname === "/") return undefined;
  const pathname = url.pathname.replace(/(?<!\/)\/+$/, "");
  if (servedAt(pathname, methods) === undefined) return undefined;
  return new Response(null, { status: 307, headers: { Location: pathname + url.search } });
}

/** The route of a path, for any method. */
function servedAt(pathname: string, methods: Routes["methods"]): readonly [string, ReadonlySet<string>] | undefined {
  const segments = pathname.split("/");
  return [...methods].find(([path]) => {
    const pattern = path.split("/");
    return (
      pattern.length === segments.length &&
      pattern.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]))
    );
  });
}

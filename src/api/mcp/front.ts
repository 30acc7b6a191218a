/**
 * `POST /mcp/{project}`: the Model Context Protocol (docs/guide/agents.md). The API authenticates the caller, counts the request once
 * and opens the project. The MCP Worker speaks the protocol, and calls back for each use case.
 */
import type { Ask, AskOptions, ForwardedRequest, UseCase } from "../../mcp/use-cases.ts";
import { ServiceError } from "../../service/failure.ts";
import { listProjects } from "../../service/projects/catalogue.ts";
import { notFound, openProject, type UsedProject } from "../../service/projects/open.ts";
import { readBytes } from "../body.ts";
import { callerOf } from "../callers.ts";
import { Exchange } from "../exchange.ts";
import { refuseOutsiders, reportIn } from "../handlers/projects.ts";
import { arriving } from "../request.ts";
import { plainDetail } from "../responses.ts";
import { refuseInsufficientScope } from "./authorization.ts";
import { observed } from "./observed-body.ts";

/** Messages of the protocol are small: the largest argument is a statement. */
const LARGEST_BODY = 1024 * 1024;

/** Headers that the protocol reads. */
const FORWARDED = [
  ...["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"],
  ...["traceparent", "tracestate"],
];

/** Answers a request of one route of the API, within another request. */
export type AnswerWithin = (request: Request, exchange: Exchange) => Promise<Response>;

/** The caller of the exchange is authenticated. Throws `ServiceError`. */
export async function answerMcp(exchange: Exchange, answerWithin: AnswerWithin): Promise<Response> {
  const { options, url } = exchange;
  const { mcp, services } = options;
  const [, named] = /^\/mcp(?:\/([^/]*))?\/?$/.exec(url.pathname) ?? [];
  exchange.route = named === undefined ? "/mcp" : "/mcp/:project";
  refuseOutsiders(exchange);
  refuseInsufficientScope(exchange);
  if (mcp === undefined) throw notFound();
  const caller = callerOf(exchange);
  const name = named ?? (await onlyProject(exchange));
  const project = await openProject(services, caller, name, reportIn(exchange));
  exchange.project = { name: project.name, version: project.version };
  exchange.dataSource = project.connection.source;
  const forwarded = await forwardedOf(exchange);
  const { title } = project.pointer;
  const gone = new AbortController();
  const signal = AbortSignal.any([exchange.request.signal, gone.signal]);
  // Without it no code of ours runs after the client has gone: the request would have no line of the log.
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  exchange.onFinish = resolve;
  exchange.defer(finished);
  const answer = await mcp(
    forwarded,
    { name: project.name, title, hasView: viewFile(exchange) !== undefined },
    asking(exchange, project, signal, answerWithin),
  );
  return observed(exchange, answer, () => gone.abort());
}

/** Callers of one project need not name it. */
async function onlyProject({ options, caller }: Exchange): Promise<string> {
  const { projects } = await listProjects(options.services, { projects: caller?.projects ?? new Set() }, undefined);
  const [only, another] = projects;
  if (only !== undefined && another === undefined) return only.name;
  throw notFound();
}

async function forwardedOf(exchange: Exchange): Promise<ForwardedRequest> {
  const { request, options, url } = exchange;
  const { method, headers, signal } = request;
  const limits = { ...options.bodyLimits, maxBytes: Math.min(options.bodyLimits.maxBytes, LARGEST_BODY) };
  const body =
    method === "POST"
      ? await arriving(exchange, (arrival) =>
          exchange.phases.during("body", () => readBytes(request, limits, arrival, signal)),
        )
      : undefined;
  return {
    method,
    // Nothing of the query is read: a token in it is no credential.
    url: url.origin + url.pathname,
    headers: FORWARDED.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    body,
  };
}

/** The MCP Worker chooses among these routes, and nothing else of a request. */
const ROUTES: Readonly<Record<Exclude<UseCase, "view">, (project: UsedProject) => string>> = {
  project: ({ name }) => `/v3/projects/${name}`,
  search: ({ name }) => `/v3/projects/${name}/search`,
  values: ({ name }) => `/v3/projects/${name}/values`,
  query: ({ name }) => `/v3/projects/${name}/query`,
  cube: ({ name }) => `/v3/projects/${name}/cube`,
  explain: ({ name }) => `/v3/projects/${name}/explain`,
  functions: ({ connection }) => `/v3/connector/${connection.source}/functions`,
  knowledge: ({ connection }) => `/v3/connector/${connection.source}/knowledge`,
};

function asking(exchange: Exchange, project: UsedProject, signal: AbortSignal, answerWithin: AnswerWithin): Ask {
  const { options, defer, url } = exchange;
  return async (useCase, body, { lines, dryRun, timeZone }: AskOptions) => {
    if (useCase === "view") return (await viewFile(exchange)?.()) ?? plainDetail(404, "Not Found");
    const routeOf = Object.hasOwn(ROUTES, useCase) ? ROUTES[useCase] : undefined;
    if (routeOf === undefined) throw new ServiceError("INTERNAL", "The MCP Worker asks for an unknown use case.");
    const text = body === undefined ? undefined : JSON.stringify(body);
    const address = new URL(routeOf(project) + (dryRun === true ? "?dryRun=true" : ""), url);
    const within = new Request(address, {
      method: text === undefined ? "GET" : "POST",
      headers: {
        accept: lines === true ? "application/x-ndjson" : "application/json",
        ...(timeZone !== undefined && { "x-wren-timezone": timeZone }),
        ...(text !== undefined && { "content-type": "application/json", "content-length": String(bytesOf(text)) }),
      },
      ...(text !== undefined && { body: text }),
      signal,
    });
    return answerWithin(within, new Exchange(within, options, { defer }, exchange));
  };
}

/** The HTML that hosts show results with; undefined where the pages are off. */
function viewFile({ options: { explorer } }: Exchange): (() => Promise<Response>) | undefined {
  if (explorer === undefined || explorer.setting === "off") return undefined;
  return () => explorer.files("result.html");
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Documents of the service: health, configuration, API description. None of them uses a source. */

import { manifestSchema } from "../service/manifest-schema.ts";
import type { Readiness } from "../service/readiness.ts";
import { guaranteesUnder } from "../service/row-guarantees.ts";
import { apiPage } from "./api-page.ts";
import type { ApiOptions, Exchange } from "./exchange.ts";
import { explorerFile, explorerPage, guidePage, referencePage } from "./explorer.ts";
import { openApiDocument } from "./openapi/document.ts";
import { jsonResponse } from "./responses.ts";

/** Paths without authentication. */
const OPEN: ReadonlySet<string> = new Set([
  "/",
  "/health",
  "/ready",
  "/openapi.json",
  "/manifest.schema.json",
  "/docs",
  "/redoc",
]);

/** The pages ask for credentials themselves, and send them to the routes of the API. */
const isOfPages = (pathname: string): boolean => /^\/(?:explore|docs\/guide)(?:\/|$)/.test(pathname);

export function isOpen(pathname: string): boolean {
  return OPEN.has(pathname) || isOfPages(pathname);
}

type Answer = (exchange: Exchange, path: Readonly<Record<string, string>>) => Response | Promise<Response>;

export function documentRoutes(options: ApiOptions): readonly (readonly [path: string, answer: Answer])[] {
  // Written on first use: most isolates never need it.
  let document: string | undefined;
  const openApi = (): string => {
    document ??= JSON.stringify(openApiDocument(options));
    return document;
  };
  const list = () => apiPage(openApiDocument(options));
  return [
    ["/", () => new Response(null, { status: 307, headers: { Location: "/docs" } })],
    ["/health", () => jsonResponse({ status: "ok" })],
    ["/ready", async () => readinessAnswer(await options.readiness())],
    ["/config", () => jsonResponse(configuration(options))],
    ["/openapi.json", () => new Response(openApi(), { headers: { "Content-Type": "application/json" } })],
    [
      "/manifest.schema.json",
      () => new Response(JSON.stringify(manifestSchema()), { headers: { "Content-Type": "application/schema+json" } }),
    ],
    ["/explore", (exchange) => explorerPage(exchange)],
    ["/explore/:project", (exchange) => explorerPage(exchange)],
    ["/explore/assets/:file", (exchange, { file = "" }) => explorerFile(exchange, file)],
    ["/docs", async (exchange) => (await referencePage(exchange)) ?? list()],
    ["/docs/guide", (exchange) => guidePage(exchange, "first-model")],
    ["/docs/guide/:name", (exchange, { name = "" }) => guidePage(exchange, name)],
    ["/redoc", list],
  ];
}

/** 503 takes this replica out of a load balancer; `parts` names the cause. */
function readinessAnswer(readiness: Readiness): Response {
  return new Response(JSON.stringify(readiness), {
    status: readiness.status === "not ready" ? 503 : 200,
    headers: { "Content-Type": "application/json" },
  });
}

/**
 * The five keys that clients of the reference know (docs/spec/contract.md#routes), null without a counterpart in this service, and
 * keys of its own.
 */
function configuration(options: ApiOptions): object {
  return {
    wren_engine_endpoint: null,
    remote_function_list_path: null,
    remote_white_function_list_path: null,
    app_timeout_seconds: options.services.limits.applicationTimeoutMs / 1000,
    diagnose: false,
    row_rules: guaranteesUnder(options.services.planOptions.bestEffort),
  };
}

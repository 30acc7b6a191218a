/**
 * The real Workers in workerd, built as they are deployed and bound to each other as wrangler.toml has it, under Miniflare,
 * which plays what only the platform has. Nothing is stubbed, and everything they talk to is on loopback. One pair per set of
 * variables and test file; all of them end with the file.
 */
import { readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll } from "vitest";
import { freshFilesWorker, freshWorkers, WORKERS } from "../../scripts/service/worker-bundle.ts";
import { compatibilityOf } from "../../scripts/service/workerd.ts";

const WRANGLER_TOML = new URL(`../../${WORKERS.api.configuration}`, import.meta.url).pathname;

export interface RunningWorker {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** The same Worker without Miniflare's in front. A client that goes is noticed by its reset, never by a FIN: that is workerd. */
  readonly runtimeUrl: string;
  /** Log lines of both Workers so far; a request's line may come after its answer. */
  readonly lines: readonly string[];
  /** `path` begins with a slash. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** POST with a JSON body. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  dispose(): Promise<void>;
}

/** Bindings besides variables; what a deployment has in `wrangler.toml`. */
export interface Bindings {
  /** By name, with the address of the database that each passes on to: of both Workers, as `npm run deploy` has them. */
  readonly hyperdrives?: Readonly<Record<string, string>>;
  /** Names of Workers KV namespaces. */
  readonly namespaces?: readonly string[];
  readonly rateLimits?: Readonly<Record<string, { readonly limit: number; readonly period: 10 | 60 }>>;
  /** Names of Analytics Engine datasets. */
  readonly datasets?: readonly string[];
  /** Stands in for the public network of the connectors: receives each request, without its host. */
  readonly internet?: string;
  /** A directory of projects, by path below it. */
  readonly projects?: Readonly<Record<string, Uint8Array>>;
  /** The file of another MCP Worker. */
  readonly mcpWorker?: string;
  /** The files Worker is bound, and asks this store of whatever host. */
  readonly store?: string;
}

const running = new Map<string, Promise<RunningWorker>>();

/** Starts the Workers with these variables and bindings and no others, or hands out those that run with them already. */
export function startWorker(
  variables: Readonly<Record<string, string>> = { AUTH: "none" },
  bindings: Bindings = {},
): Promise<RunningWorker> {
  const key = JSON.stringify([Object.entries(variables).sort(), bindings]);
  const known = running.get(key);
  if (known !== undefined) return known;
  const started = start(variables, bindings);
  running.set(key, started);
  return started;
}

afterAll(async () => {
  const workers = await Promise.allSettled(running.values());
  running.clear();
  await Promise.all(workers.map((worker) => (worker.status === "fulfilled" ? worker.value.dispose() : undefined)));
});

async function passedOn(request: Request, to: string): Promise<never> {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const body = method === "GET" ? null : await request.arrayBuffer();
  // Miniflare's own class of it is as good as Node's.
  return (await fetch(to + pathname + search, { method, headers: [...headers], body })) as never;
}

/** Whatever host it asks for, the store gets the request as it is signed. */
async function filesWorker(
  store: string,
  { date, flags }: { readonly date: string; readonly flags: readonly string[] },
) {
  const directory = await freshFilesWorker();
  const names = readdirSync(directory).filter((name) => name.endsWith(".wasm"));
  return {
    name: "files",
    modulesRoot: directory,
    modules: [
      { type: "ESModule" as const, path: join(directory, "files-worker.js") },
      ...names.map((name) => ({ type: "CompiledWasm" as const, path: join(directory, name) })),
    ],
    compatibilityDate: date,
    compatibilityFlags: [...flags],
    outboundService: (request: { readonly url: string }) => asSigned(request as Request, store),
  };
}

/** The host is a part of what is signed, and `fetch` writes its own. */
function asSigned({ url, method, headers, signal }: Request, store: string): Promise<never> {
  const { host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      store + pathname + search,
      { method, headers: { ...Object.fromEntries(headers), host }, signal },
      (answer) => {
        const given = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        const body = method === "HEAD" ? null : (Readable.toWeb(answer) as ReadableStream);
        resolve(new Response(body, { status: answer.statusCode ?? 500, headers: given }) as never);
      },
    );
    asked.once("error", reject);
    asked.end();
  });
}

/** Miniflare's own class of an answer is as good as Node's. */
function projectFile(projects: Readonly<Record<string, Uint8Array>>, url: string): never {
  const bytes = projects[new URL(url).pathname.slice(1)];
  return (bytes === undefined ? new Response(null, { status: 404 }) : new Response(new Uint8Array(bytes))) as never;
}

async function start(
  variables: Readonly<Record<string, string>>,
  { hyperdrives = {}, namespaces = [], rateLimits = {}, datasets = [], internet, projects, mcpWorker, store }: Bindings,
): Promise<RunningWorker> {
  const [built, { date, flags }] = await Promise.all([freshWorkers(), compatibilityOf(WRANGLER_TOML)]);
  const lines: string[] = [];
  const worker = (name: keyof typeof built) => ({
    name,
    modules: [{ type: "ESModule" as const, path: built[name] }],
    compatibilityDate: date,
    compatibilityFlags: [...flags],
    hyperdrives,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      handleStructuredLogs: ({ message }) => void lines.push(message),
      workers: [
        {
          ...worker("api"),
          bindings: variables,
          serviceBindings: {
            CONNECTORS: { name: "connectors", entrypoint: "Connectors" },
            MCP: { name: "mcp", entrypoint: "Mcp" },
            ...(projects !== undefined && {
              PROJECT_FILES: (request: { readonly url: string }) => projectFile(projects, request.url),
            }),
            ...(store !== undefined && { FILES: { name: "files", entrypoint: "Files" } }),
          },
          kvNamespaces: Object.fromEntries(namespaces.map((name) => [name, name])),
          ratelimits: Object.fromEntries(
            Object.entries(rateLimits).map(([name, simple]) => [name, { namespace_id: name, simple }]),
          ),
          analyticsEngineDatasets: Object.fromEntries(datasets.map((dataset) => [dataset, { dataset }])),
        },
        {
          ...worker("connectors"),
          ...(internet !== undefined && {
            outboundService: (request: { readonly url: string }) => passedOn(request as Request, internet),
          }),
        },
        {
          ...worker("mcp"),
          ...(mcpWorker !== undefined && {
            modulesRoot: dirname(mcpWorker),
            modules: [{ type: "ESModule" as const, path: mcpWorker }],
          }),
        },
        ...(store === undefined ? [] : [await filesWorker(store, { date, flags })]),
      ],
    }),
  );
  try {
    const url = (await miniflare.ready).origin;
    const runtimeUrl = (await miniflare.unsafeGetDirectURL("api")).origin;
    const request = (path: string, init?: RequestInit): Promise<Response> =>
      fetch(url + path, { redirect: "manual", ...init });
    return {
      url,
      runtimeUrl,
      lines,
      fetch: request,
      post: (path, body, headers = {}) => request(path, { method: "POST", body: JSON.stringify(body), headers }),
      dispose: () => miniflare.dispose(),
    };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

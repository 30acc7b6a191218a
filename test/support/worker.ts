/**
 * The real Worker bundle in workerd, as `wrangler dev` runs it: nothing is stubbed, and everything it talks to is on
 * loopback. One Worker per set of variables and test file; all of them end with the file.
 */
import { devNull } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { unstable_DevEnv } from "wrangler";

const CONFIG = join(import.meta.dirname, "../../wrangler.toml");

const READY_WITHIN_MS = 60_000;

export interface RunningWorker {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /**
   * The same Worker without wrangler's proxy in front, which does not pass on that a client has gone before the first
   * byte. Even here only a reset is noticed, never a FIN: that is workerd.
   */
  readonly runtimeUrl: string;
  /** What the Worker has logged so far; a request's line may come after its answer. */
  readonly lines: readonly string[];
  /** `path` begins with a slash. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** POST with a JSON body. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  dispose(): Promise<void>;
}

type Bindings = NonNullable<Parameters<unstable_DevEnv["startWorker"]>[0]["bindings"]>;

const running = new Map<string, Promise<RunningWorker>>();

/**
 * Starts the Worker with these variables and no others, or hands out the one that runs with them already. `hyperdrives` are
 * bindings by name, with the address of the database that each passes on to; `namespaces` are bindings of Workers KV, and
 * `others` of anything else, as wrangler's configuration has them.
 */
export function startWorker(
  variables: Readonly<Record<string, string>> = { AUTH: "none" },
  hyperdrives: Readonly<Record<string, string>> = {},
  namespaces: readonly string[] = [],
  others: Bindings = {},
): Promise<RunningWorker> {
  const tables = [variables, hyperdrives, others].map((table) => Object.entries(table).sort());
  const key = JSON.stringify([...tables, namespaces]);
  const known = running.get(key);
  if (known !== undefined) return known;
  const started = start(variables, hyperdrives, namespaces, others);
  running.set(key, started);
  return started;
}

afterAll(async () => {
  const workers = await Promise.allSettled(running.values());
  running.clear();
  await Promise.all(workers.map((worker) => (worker.status === "fulfilled" ? worker.value.dispose() : undefined)));
});

async function start(
  variables: Readonly<Record<string, string>>,
  hyperdrives: Readonly<Record<string, string>>,
  namespaces: readonly string[],
  others: Bindings,
): Promise<RunningWorker> {
  // Otherwise wrangler asks Cloudflare for a sample of request metadata and for news about itself.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  process.env.WRANGLER_SEND_METRICS = "false";
  const environment = new unstable_DevEnv();
  const loaded = whenLoaded(environment);
  // Awaited below; until then a refusal must not count as unhandled.
  loaded.catch(() => undefined);
  const lines: string[] = [];
  const worker = await environment.startWorker({
    config: CONFIG,
    // Naming any file keeps .dev.vars out, whose variables would join the test's.
    envFiles: [devNull],
    bindings: {
      ...Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, { type: "plain_text", value }] as const),
      ),
      ...Object.fromEntries(
        Object.entries(hyperdrives).map(
          ([name, localConnectionString]) => [name, { type: "hyperdrive", id: name, localConnectionString }] as const,
        ),
      ),
      ...Object.fromEntries(namespaces.map((name) => [name, { type: "kv_namespace", id: name }] as const)),
      ...others,
    },
    dev: {
      server: { hostname: "127.0.0.1", port: 0 },
      inspector: false,
      watch: false,
      persist: false,
      logLevel: "none",
      structuredLogsHandler: ({ message }: { message: string }) => void lines.push(message),
    },
  });
  try {
    const runtimeUrl = await loaded;
    await worker.ready;
    const url = (await worker.url).origin;
    const request = (path: string, init?: RequestInit): Promise<Response> =>
      fetch(url + path, { redirect: "manual", ...init });
    return {
      url,
      runtimeUrl,
      lines,
      fetch: request,
      post: (path, body, headers = {}) => request(path, { method: "POST", body: JSON.stringify(body), headers }),
      dispose: () => worker.dispose(),
    };
  } catch (error) {
    await worker.dispose();
    throw error;
  }
}

/** The address of workerd. Without this, a bundle that does not build is a server that never answers. */
function whenLoaded(environment: unstable_DevEnv): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error("The Worker did not start in time.")), READY_WITHIN_MS);
  environment.once("reloadComplete", ({ proxyData }: { proxyData: { userWorkerUrl: UserWorkerUrl } }) => {
    const { protocol, hostname, port } = proxyData.userWorkerUrl;
    resolve(`${protocol}//${hostname}:${port}`);
  });
  const refuse = ({ reason, cause }: { reason: string; cause: unknown }): void => {
    reject(new Error(`The Worker did not start: ${reason}`, { cause }));
  };
  environment.once("error", refuse);
  environment.once("buildFailed", refuse);
  return promise.finally(() => clearTimeout(timer));
}

interface UserWorkerUrl {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/**
 * The real Worker bundle in workerd, as `wrangler dev` runs it: nothing is stubbed, and everything it talks to is on
 * loopback. One Worker per set of variables and test file; all of them end with the file.
 */
import { devNull } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { unstable_startWorker } from "wrangler";

const CONFIG = join(import.meta.dirname, "../../wrangler.toml");

export interface RunningWorker {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** `path` begins with a slash. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** POST with a JSON body. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  dispose(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;

const running = new Map<string, Promise<RunningWorker>>();

/** Starts the Worker with these variables and no others, or hands out the one that runs with them already. */
export function startWorker(variables: Readonly<Record<string, string>> = { AUTH: "none" }): Promise<RunningWorker> {
  const key = JSON.stringify(Object.entries(variables).sort());
  const known = running.get(key);
  if (known !== undefined) return known;
  const started = start(variables);
  running.set(key, started);
  return started;
}

afterAll(async () => {
  const workers = await Promise.all(running.values());
  running.clear();
  await Promise.all(workers.map((worker) => worker.dispose()));
});

async function start(variables: Readonly<Record<string, string>>): Promise<RunningWorker> {
  // Otherwise wrangler asks Cloudflare for a sample of request metadata and for news about itself.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  process.env.WRANGLER_SEND_METRICS = "false";
  const worker = await unstable_startWorker({
    config: CONFIG,
    // Naming any file keeps .dev.vars out, whose variables would win over the test's.
    envFiles: [devNull],
    bindings: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, { type: "plain_text", value }] as const),
    ),
    dev: {
      server: { hostname: "127.0.0.1", port: 0 },
      inspector: false,
      watch: false,
      persist: false,
      logLevel: "none",
    },
  });
  await worker.ready;
  const url = (await worker.url).origin;
  try {
    // A bundle that does not build leaves a server that never answers.
    await fetch(`${url}/health`, { signal: AbortSignal.timeout(READY_WITHIN_MS) });
  } catch (cause) {
    await worker.dispose();
    throw new Error("The Worker does not answer: see `npx wrangler deploy --dry-run` for why it does not build.", {
      cause,
    });
  }
  const request = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(url + path, { redirect: "manual", ...init });
  return {
    url,
    fetch: request,
    post: (path, body, headers = {}) => request(path, { method: "POST", body: JSON.stringify(body), headers }),
    dispose: () => worker.dispose(),
  };
}

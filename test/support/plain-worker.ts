/**
 * The Worker's bundle in workerd without the development proxy that `wrangler dev` puts in front: a client's reset
 * connection reaches the Worker only here.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface PlainWorker {
  readonly url: URL;
  dispose(): Promise<void>;
}

export async function startPlainWorker(variables: Readonly<Record<string, string>>): Promise<PlainWorker> {
  const folder = await mkdtemp(join(tmpdir(), "siskin-bundle-"));
  try {
    const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
    await promisify(execFile)(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", folder], {
      cwd: ROOT,
      env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
    });
    const script = await readFile(join(folder, "worker.js"), "utf8");
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        workers: [
          {
            name: "siskin",
            modules: [{ type: "ESModule", path: "worker.js", contents: script }],
            compatibilityDate: "2026-09-01",
            compatibilityFlags: ["nodejs_compat", "enable_request_signal"],
            bindings: variables,
          },
        ],
        host: "127.0.0.1",
        port: 0,
        handleRuntimeStdio: () => {},
      }),
    );
    return { url: await miniflare.ready, dispose: () => miniflare.dispose() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A Worker of the tests in workerd, as `wrangler` builds and runs it, without the service around it. */
import { devNull } from "node:os";

export type TestWorker = Awaited<ReturnType<typeof import("wrangler")["unstable_startWorker"]>>;

/** `config`: its `wrangler.toml`. What workerd is to trust besides (`NODE_EXTRA_CA_CERTS`) is set before the first one starts. */
export async function startTestWorker(config: string): Promise<TestWorker> {
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
  process.env["WRANGLER_SEND_METRICS"] = "false";
  // It reads its environment when it is loaded.
  const { unstable_startWorker } = await import("wrangler");
  const worker = await unstable_startWorker({
    config,
    envFiles: [devNull],
    dev: {
      server: { hostname: "127.0.0.1", port: 0 },
      inspector: false,
      watch: false,
      persist: false,
      logLevel: "none",
    },
  });
  await worker.ready;
  return worker;
}

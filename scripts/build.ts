/** `npm run build`: what the API needs to run without Node, in `dist/`: the Workers, workerd and its configuration. */
import { copyFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freshWorkers, WORKERS } from "./service/worker-bundle.ts";
import { compatibilityOf, serviceConfiguration, workerdBinary } from "./service/workerd.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

await freshWorkers();
copyFileSync(workerdBinary(), path("../dist/workerd"));
writeFileSync(
  path("../dist/workerd.capnp"),
  serviceConfiguration({
    workers: { api: WORKERS.api.file, connectors: WORKERS.connectors.file },
    compatibility: await compatibilityOf(path("../wrangler.toml")),
    networks: ["public"],
  }),
);

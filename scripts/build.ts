/** `npm run build`: what the API needs to run without Node, in `dist/`: the Worker, workerd and its configuration. */
import { copyFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freshWorker } from "./service/worker-bundle.ts";
import { apiConfiguration, compatibilityOf, workerdBinary } from "./service/workerd.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

await freshWorker();
copyFileSync(workerdBinary(), path("../dist/workerd"));
writeFileSync(
  path("../dist/workerd.capnp"),
  apiConfiguration({
    worker: "worker.js",
    compatibility: await compatibilityOf(path("../wrangler.toml")),
    networks: ["public"],
  }),
);

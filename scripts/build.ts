/**
 * `npm run build`: writes the contents of the API's image, except Node, to `dist/`: the Workers, workerd with its configurations,
 * and the supervisor in one JavaScript file.
 */
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { apiConfigurationName } from "../supervisor/api-processes.ts";
import { freshExplorer } from "./service/explorer-bundle.ts";
import { filesOfFilesWorker, freshFilesWorker, freshWorkers, WORKERS } from "./service/worker-bundle.ts";
import { compatibilityOf, filesConfiguration, serviceConfiguration, workerdBinary } from "./service/workerd.ts";

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

await freshWorkers();
chmodSync(await freshExplorer(), 0o755);
// Created as a temporary directory, which only its owner may read; the image runs as another user.
chmodSync(await freshFilesWorker(), 0o755);
copyFileSync(workerdBinary(), path("dist/workerd"));
const compatibility = await compatibilityOf(path("wrangler.toml"));
const networks = ["public"] as const;
const workers = { api: WORKERS.api.file, connectors: WORKERS.connectors.file, mcp: WORKERS.mcp.file };
for (const hasFilesWorker of [false, true]) {
  for (const isSidecarSecure of [false, true]) {
    for (const hasProjects of [false, true]) {
      const parts = { hasFilesWorker, isSidecarSecure, hasProjects };
      const text = serviceConfiguration({ workers, ...parts, compatibility, networks });
      writeFileSync(path(`dist/${apiConfigurationName(parts)}`), text);
    }
  }
}
const files = filesOfFilesWorker(path("dist"), "files");
writeFileSync(path("dist/files.capnp"), filesConfiguration({ files, compatibility, networks }));
copyFileSync(path("supervisor/init.sh"), path("dist/init.sh"));
await build({
  entryPoints: { supervisor: path("supervisor/api.ts"), "checked-settings": path("supervisor/checked-settings.ts") },
  outdir: path("dist"),
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
});

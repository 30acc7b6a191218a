// Bundles the command line into one module, `dist/siskin.mjs`. Plain JavaScript, because `bin/siskin.mjs` runs it in a checkout.
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUNDLE = fileURLToPath(new URL("dist/siskin.mjs", import.meta.url));
const FOLDERS = ["src", "sidecar", "cli"];

/** Packages with native code, or larger than the rest: a connection that needs one loads it from node_modules. */
const PEERS =
  /^(?:@duckdb\/node-(?:api|bindings)|oracledb|@grpc\/(?:grpc-js|proto-loader)|pg-native|cloudflare:sockets)$/;

const peers = {
  name: "peers",
  setup(build) {
    build.onResolve({ filter: PEERS }, ({ path }) => ({ path, namespace: "peer" }));
    build.onLoad({ filter: /.*/, namespace: "peer" }, ({ path }) => ({
      contents: `module.exports = siskinRequire(${JSON.stringify(path)});`,
      loader: "js",
    }));
  },
};

async function bundle() {
  const { build } = await import("esbuild");
  mkdirSync(new URL("dist/", import.meta.url), { recursive: true });
  const fresh = `${BUNDLE}.${process.pid}`;
  await build({
    entryPoints: [fileURLToPath(new URL("main.ts", import.meta.url))],
    outfile: fresh,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    minifySyntax: true,
    legalComments: "none",
    logLevel: "error",
    plugins: [peers],
    banner: {
      js: 'import { createRequire as siskinCreate } from "node:module"; const require = siskinCreate(import.meta.url), siskinRequire = require;',
    },
  });
  renameSync(fresh, BUNDLE);
}

/** Builds when a source file is newer than the bundle. */
export async function buildIfStale() {
  if (existsSync(BUNDLE)) {
    const { mtimeMs } = statSync(BUNDLE);
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(`${ROOT}${folder}`, { recursive: true })
        .filter((file) => /\.(?:ts|proto|mjs)$/.test(file) && !/(?:^|\/)(?:node_modules|dist)\//.test(file))
        .map((file) => `${ROOT}${folder}/${file}`),
    );
    if (files.every((file) => statSync(file).mtimeMs <= mtimeMs)) return;
  }
  await bundle();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();

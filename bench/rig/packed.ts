/** Bundles as wrangler would upload them, and their sizes. */
import { builtinModules } from "node:module";
import { isAbsolute, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { conditionsWith, DIALECTS } from "../../scripts/service/dialects.ts";
import { ROOT } from "./worker-bundle.ts";

/** The esbuild options of wrangler that affect size. */
export const LIKE_WRANGLER: BuildOptions = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2024",
  conditions: conditionsWith(DIALECTS),
  external: ["cloudflare:*", "node:*", ...builtinModules],
  write: false,
  metafile: true,
  logLevel: "silent",
};

export function bytesOf(inputs: Metafile["outputs"][string]["inputs"], files: RegExp): number {
  return Object.entries(inputs).reduce(
    (sum, [path, { bytesInOutput }]) => sum + (files.test(path) ? bytesInOutput : 0),
    0,
  );
}

export interface Packed {
  readonly bytes: number;
  /** Bytes of the files whose path matches. */
  readonly bytesOf: (files: RegExp) => number;
  readonly zipped: number;
}

export function packed(
  entry: string,
  keepNames: boolean,
  plugins: Plugin[] = [],
  alias: Readonly<Record<string, string>> = {},
): Promise<Packed> {
  return bundled({ keepNames, plugins, alias, entryPoints: [entry] });
}

export function packedText(text: string, keepNames: boolean, conditions: string[]): Promise<Packed> {
  return bundled({ keepNames, conditions, stdin: { contents: text, resolveDir: ROOT } });
}

async function bundled(options: BuildOptions): Promise<Packed> {
  const { outputFiles = [], metafile } = await build({ ...LIKE_WRANGLER, ...options, absWorkingDir: ROOT });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  const inputs = Object.values(metafile?.outputs ?? {})[0]?.inputs ?? {};
  return { bytes: bytes.length, zipped: zip(bytes), bytesOf: (files) => bytesOf(inputs, files) };
}

export function zip(bytes: Uint8Array): number {
  return gzipSync(bytes, { level: 9 }).length;
}

/** Leaves files out of a bundle, and with them what only they import. */
export function leaveOut(files: RegExp): Plugin {
  return {
    name: "leave-out",
    setup({ onResolve, resolve }) {
      onResolve({ filter: /.*/ }, async ({ path, pluginData, ...options }) => {
        if (pluginData === "resolving" || options.kind === "entry-point") return undefined;
        const found = await resolve(path, { ...options, pluginData: "resolving" });
        const isLeftOut = isAbsolute(found.path) && files.test(relative(ROOT, found.path));
        return isLeftOut ? { path, external: true } : undefined;
      });
    },
  };
}

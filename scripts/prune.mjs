// Runs after `npm ci` and deletes parts of packages that nothing here reads, 160 MB. Plain JavaScript that any Node can read.
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Directories of node_modules, and the names in them that go. */
const UNREAD = [
  // C headers and manual pages. Only `bin/node` is run.
  [/^node-linux-/, "", /^(?:include|share)$/],
  // Engines for old browsers and for threads, and source maps. The files Worker has `duckdb-eh.wasm`.
  [/^@duckdb\/duckdb-wasm$/, "dist", /^duckdb-(?:mvp|coi)\.wasm$|^duckdb-\w+-(?:mvp|coi)[\w.]*\.worker\.c?js$|\.map$/],
];

/** Empty where there is no such directory: optional packages depend on the platform. */
function namesIn(directory) {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

export function prune(modules) {
  const scoped = namesIn(join(modules, "@duckdb")).map((name) => `@duckdb/${name}`);
  for (const name of [...namesIn(modules), ...scoped]) {
    for (const [packages, below, unread] of UNREAD) {
      if (!packages.test(name)) continue;
      const directory = join(modules, name, below);
      for (const entry of namesIn(directory)) {
        if (unread.test(entry)) rmSync(join(directory, entry), { recursive: true, force: true });
      }
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  prune(join(dirname(fileURLToPath(import.meta.url)), "../node_modules"));
}

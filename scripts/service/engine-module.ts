/** Builds the files Worker's DuckDB WASM from the package's: without unused exports and without one very long function. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withExports } from "./wasm-exports.ts";
import { withShortRelocations } from "./wasm-relocations.ts";

const require = createRequire(import.meta.url);
const PACKAGE = dirname(require.resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"));
/** The directory of the module `duckdb:engine`. */
const DIRECTORY = fileURLToPath(new URL("../../dist/engine/", import.meta.url));
const INDEX = 'export { default } from "./duckdb.wasm";\n';

/** Members that Node's types lack. */
interface Modules {
  readonly Module: {
    new (bytes: Uint8Array): object;
    imports(module: object): readonly { readonly module: string; readonly name: string; readonly kind: string }[];
  };
}

/**
 * The bytes of the module. It keeps the exports that its JavaScript names, and those that it imports from itself by a table of
 * addresses (`GOT`).
 */
export function engineModule(): Uint8Array {
  const whole = readFileSync(join(PACKAGE, "duckdb-eh.wasm"));
  const glue = readFileSync(join(PACKAGE, "duckdb-browser-blocking.mjs"), "utf8");
  const { Module } = (globalThis as unknown as { readonly WebAssembly: Modules }).WebAssembly;
  const imports = Module.imports(new Module(whole));
  const ofItself = imports.filter(({ module }) => module.startsWith("GOT."));
  const wanted = new Set([...(glue.match(/[A-Za-z_$][\w$]*/g) ?? []), ...ofItself.map(({ name }) => name)]);
  const lean = withExports(whole, (name) => wanted.has(name) || name.startsWith("duckdb_web_"));
  return withShortRelocations(lean, imports.filter(({ kind }) => kind === "function").length);
}

/** Writes the WASM, and a JavaScript module that imports it. */
export function writeEngineModule(): void {
  const bytes = engineModule();
  mkdirSync(DIRECTORY, { recursive: true });
  for (const [name, content] of [
    ["duckdb.wasm", Buffer.from(bytes)],
    ["index.mjs", Buffer.from(INDEX)],
  ] as const) {
    // Unchanged files are not rewritten, because bundlers compare their modification times.
    const file = join(DIRECTORY, name);
    if (!existsSync(file) || !readFileSync(file).equals(content)) writeFileSync(file, content);
  }
}

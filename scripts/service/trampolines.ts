/**
 * What DuckDB's WASM compiles while it starts, compiled beforehand: workerd compiles no WASM at run time. Emscripten's
 * `addFunction` makes a module of some forty bytes for every signature that a function of JavaScript is called by.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const PACKAGE = dirname(require.resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"));
/** What `duckdb:trampolines` stands for in a bundle. */
const DIRECTORY = fileURLToPath(new URL("../../dist/trampolines/", import.meta.url));
/** Larger modules are the engine itself. */
const MOST_BYTES = 200;

/** What Node's types do not tell of it. */
interface Compiler {
  Module: new (bytes: Uint8Array) => object;
}

/** The bytes of each module that the engine makes when it starts and runs a statement, in hexadecimal. */
async function modulesOfStart(): Promise<readonly string[]> {
  const seen = new Set<string>();
  const { WebAssembly: compiler } = globalThis as unknown as { readonly WebAssembly: Compiler };
  const { Module } = compiler;
  const recording = new Proxy(Module, {
    construct(target, [bytes]: [Uint8Array]) {
      if (bytes.byteLength <= MOST_BYTES) seen.add(Buffer.from(bytes).toString("hex"));
      return new target(bytes);
    },
  });
  compiler.Module = recording;
  try {
    const duckdb = require(join(PACKAGE, "duckdb-node-blocking.cjs"));
    const files = { mvp: { mainModule: "" }, eh: { mainModule: join(PACKAGE, "duckdb-eh.wasm") } };
    const engine = await duckdb.createDuckDB(files, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
    await engine.instantiate(() => {});
    engine.connect().query("SELECT 1");
  } finally {
    compiler.Module = Module;
  }
  return [...seen].sort();
}

/** Writes them, and a module of JavaScript that has each by its bytes. */
export async function writeTrampolines(): Promise<void> {
  const modules = await modulesOfStart();
  const index = [
    ...modules.map((_, number) => `import t${number} from "./t${number}.wasm";`),
    "export const TRAMPOLINES = new Map([",
    ...modules.map((bytes, number) => `  ["${bytes}", t${number}],`),
    "]);\n",
  ].join("\n");
  const before = modules.length > 0 ? readIfThere(join(DIRECTORY, "index.mjs")) : undefined;
  if (before === index) return;
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  for (const [number, bytes] of modules.entries()) {
    writeFileSync(join(DIRECTORY, `t${number}.wasm`), Buffer.from(bytes, "hex"));
  }
  writeFileSync(join(DIRECTORY, "index.mjs"), index);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Extracts the modules that DuckDB's WASM compiles at its start, so that they are compiled in advance: workerd compiles no WASM
 * at run time. Emscripten's `addFunction` creates a module of about forty bytes for every signature with which the engine calls a
 * JavaScript function.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const PACKAGE = dirname(require.resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"));
/** The directory of the module `duckdb:trampolines`. */
const DIRECTORY = fileURLToPath(new URL("../../dist/trampolines/", import.meta.url));
/** Larger modules are the engine itself. */
const MOST_BYTES = 200;

/** Members that Node's types lack. */
interface Compiler {
  Module: new (bytes: Uint8Array) => object;
}

/** The bytes, in hexadecimal, of each module that the engine creates when it starts and runs a statement. */
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

/** Writes the modules, and a JavaScript module that exports each by its bytes. */
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

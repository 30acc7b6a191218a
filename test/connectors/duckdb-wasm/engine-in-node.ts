/** The engine that the files Worker has, in this process: files are there when they are asked for, without JSPI. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { engineModule } from "../../../scripts/service/engine-module.ts";
import { WasmEngine } from "../../../src/connectors/duckdb-wasm/engine.ts";
import { type BindingsModule, type EngineParts, WasmInstance } from "../../../src/connectors/duckdb-wasm/instance.ts";

const require = createRequire(import.meta.url);
const PACKAGE = dirname(require.resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"));

/** Members that Node's types lack. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<EngineParts["module"]> };
};

export async function partsInNode(): Promise<EngineParts> {
  // Makes emscripten detect a browser.
  Object.defineProperty(process, "type", { value: "renderer", configurable: true });
  const file = join(PACKAGE, "duckdb-browser-blocking.mjs");
  const bindings = (await import(pathToFileURL(file).href)) as BindingsModule;
  return { bindings, module: await wasm.compile(engineModule()) };
}

export async function engineInNode(mostWaiting = 4): Promise<WasmEngine> {
  const parts = await partsInNode();
  return new WasmEngine({ start: () => WasmInstance.start(parts), mostWaiting });
}

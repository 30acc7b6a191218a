/** Modules that the bundler creates. */
declare module "duckdb:trampolines" {
  /** Keyed by their bytes in hexadecimal (`scripts/service/trampolines.ts`). */
  export const TRAMPOLINES: ReadonlyMap<string, WebAssembly.Module>;
}
/** The package's `dist/duckdb-eh.wasm`, with fewer exports (`scripts/service/engine-module.ts`). */
declare module "duckdb:engine" {
  const module: WebAssembly.Module;
  export default module;
}
/** The package's `dist/duckdb-browser-blocking.mjs`, which is not in its `exports`. */
declare module "duckdb:bindings" {
  export const DEFAULT_RUNTIME: object;
  export const VoidLogger: new () => object;
  export function createDuckDB(files: object, logger: object, runtime: object): Promise<unknown>;
}

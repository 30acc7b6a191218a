/**
 * Starts the engine in a Worker: its JavaScript and its compiled WASM are parts of the bundle (`alias` in wrangler.files.toml).
 */
import "./prelude.ts";
import * as bindings from "duckdb:bindings";
import module from "duckdb:engine";
import { WasmInstance } from "./instance.ts";

export function startInWorker(): Promise<WasmInstance> {
  return WasmInstance.start({ bindings, module });
}

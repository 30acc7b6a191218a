/**
 * Imported before the engine's JavaScript: what that takes its surroundings for. It is made for browsers and Node, and
 * workerd, with `nodejs_compat`, looks like either.
 */
import { TRAMPOLINES } from "duckdb:trampolines";

// What emscripten and its hashes go by to leave Node's ways alone (as in a window of Electron).
Object.defineProperty(globalThis.process ?? {}, "type", { value: "renderer", configurable: true });
// Where a script would be from; nothing is loaded by it.
Object.defineProperty(globalThis, "location", { value: { href: "http://engine/" }, configurable: true });

const { Module } = WebAssembly;

/** Compiles nothing at run time, which workerd forbids: hands out what was compiled beforehand. */
const compiled = new Proxy(Module, {
  construct(_target, [bytes]: [Uint8Array]) {
    const hexadecimal = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const known = TRAMPOLINES.get(hexadecimal);
    if (known === undefined) throw new Error("a module that was not there when the Worker was built");
    return known;
  },
});
Object.defineProperty(WebAssembly, "Module", { value: compiled, configurable: true, writable: true });

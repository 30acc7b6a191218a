/**
 * Imported before the engine's JavaScript, to define the environment that it detects. It is written for browsers and Node, and
 * workerd with `nodejs_compat` resembles both.
 */
import { TRAMPOLINES } from "duckdb:trampolines";

// Emscripten and its hash functions test this to avoid Node's APIs (as in an Electron window).
Object.defineProperty(globalThis.process ?? {}, "type", { value: "renderer", configurable: true });
// The address of a script; nothing is loaded from it.
Object.defineProperty(globalThis, "location", { value: { href: "http://engine/" }, configurable: true });

const { Module } = WebAssembly;

/** workerd forbids compilation at run time, so this returns modules that were compiled in advance. */
const compiled = new Proxy(Module, {
  construct(_target, [bytes]: [Uint8Array]) {
    const hexadecimal = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const known = TRAMPOLINES.get(hexadecimal);
    if (known === undefined) throw new Error("a module that is not part of the Worker's bundle");
    return known;
  },
});
Object.defineProperty(WebAssembly, "Module", { value: compiled, configurable: true, writable: true });

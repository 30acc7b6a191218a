import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { engineModule } from "../../scripts/service/engine-module.ts";
import { withShortRelocations } from "../../scripts/service/wasm-relocations.ts";
import { CODE, sectionsOf, signed, signedLeb128, unsigned } from "../../scripts/service/wasm-sections.ts";
import { type BindingsModule, type EngineParts, WasmInstance } from "../../src/connectors/duckdb-wasm/instance.ts";
import { partsInNode } from "../connectors/duckdb-wasm/engine-in-node.ts";

const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    compile(bytes: Uint8Array): Promise<EngineParts["module"]>;
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (
      module: object,
      imports: object,
    ) => { readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; [name: string]: unknown } };
    readonly Global: new (type: object, value: number) => object;
  };
};

/** The memory of an engine that has just started. */
async function memoryOf(parts: EngineParts): Promise<Uint8Array> {
  let made: unknown;
  const createDuckDB: BindingsModule["createDuckDB"] = async (...given) => {
    made = await parts.bindings.createDuckDB(...given);
    return made;
  };
  await WasmInstance.start({ ...parts, bindings: { ...parts.bindings, createDuckDB } });
  return (made as { readonly mod: { readonly HEAPU8: Uint8Array } }).mod.HEAPU8;
}

it("leaves in the engine's memory what the package's module does, byte for byte", async () => {
  const parts = await partsInNode();
  const packages = readFileSync(createRequire(import.meta.url).resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"));
  const [ours, theirs] = [await memoryOf(parts), await memoryOf({ ...parts, module: await wasm.compile(packages) })];
  expect(Buffer.compare(ours, theirs)).toBe(0);
});

it("leaves no function that is as long as the one of the package", () => {
  const sizes = (module: Uint8Array): readonly number[] => {
    const code = new Map(sectionsOf(module)).get(CODE) ?? expect.unreachable("no code");
    const [count, first] = unsigned(code, 0);
    const found: number[] = [];
    for (let at = first; found.length < count; ) {
      const [size, begin] = unsigned(code, at);
      found.push(size);
      at = begin + size;
    }
    return found;
  };
  expect(Math.max(...sizes(engineModule()))).toBeLessThan(400_000);
});

/** A function `__wasm_apply_data_relocs` of this code, which has two locals, and imports a global of 32 as number 0. */
function moduleOf(code: readonly number[]): Uint8Array {
  const name = [...new TextEncoder().encode("__wasm_apply_data_relocs")];
  const body = [1, 2, 0x7f, ...code, 0x0b];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0],
    ...[2, 8, 1, 1, 0x65, 1, 0x67, 3, 0x7f, 0],
    ...[3, 2, 1, 0],
    ...[5, 3, 1, 0, 1],
    ...[7, name.length + 3 + 9 + 1, 2, name.length, ...name, 0, 0, 6, ...new TextEncoder().encode("memory"), 2, 0],
    ...[10, body.length + 2, 1, body.length, ...body],
  ]);
}

const BASE = [0x23, 0];
const number = (value: number): number[] => [0x41, ...signedLeb128(value)];
const [ADD, SUBTRACT] = [0x6a, 0x6b];
const STORE = [0x36, 2, 4];

it.each<[what: string, code: number[], at: number, value: number]>([
  ["a constant at a constant", [...number(8), ...number(-5), ...STORE], 12, -5],
  ["sums with a global", [...BASE, ...number(8), ADD, ...number(100), ...BASE, ADD, ...STORE], 44, 132],
  ["a difference", [...number(8), ...BASE, ...number(40), SUBTRACT, ...STORE], 12, -8],
  ["locals", [...BASE, 0x22, 1, 0x21, 0, 0x20, 0, 0x20, 1, ...number(1), ADD, ...STORE], 36, 33],
  ["a local that was never set", [...number(8), 0x20, 1, ...STORE], 12, 0],
  ["a large number", [...number(8), ...number(-2_000_000_000), ...STORE], 12, -2_000_000_000],
])("stores %s", (_, code, at, value) => {
  for (const module of [moduleOf(code), withShortRelocations(moduleOf(code), 0)]) {
    const base = new wasm.Global({ value: "i32" }, 32);
    const { exports } = new wasm.Instance(new wasm.Module(module), { e: { g: base } });
    (exports.__wasm_apply_data_relocs as () => void)();
    expect(new DataView(exports.memory.buffer).getInt32(at, true)).toBe(value);
  }
});

it.each<[what: string, code: number[]]>([
  ["a call", [0x10, 0]],
  ["a sum of two globals", [...number(8), ...BASE, ...BASE, ADD, ...STORE]],
  ["a global that is subtracted", [...number(8), ...number(8), ...BASE, SUBTRACT, ...STORE]],
])("is refused with %s", (_, code) => {
  expect(() => withShortRelocations(moduleOf(code), 0)).toThrow("__wasm_apply_data_relocs");
});

it.each([0, 1, 63, 64, -64, -65, 127, 128, -1, 2 ** 31 - 1, -(2 ** 31)])("writes and reads %i", (value) => {
  const bytes = signedLeb128(value);
  expect(signed(bytes, 0)).toEqual([value, bytes.length]);
});

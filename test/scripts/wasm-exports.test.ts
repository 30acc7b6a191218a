import { expect, it } from "vitest";
import { engineModule } from "../../scripts/service/engine-module.ts";
import { withExports } from "../../scripts/service/wasm-exports.ts";

/** The part that Node's types lack. */
interface Compiler {
  readonly Module: {
    new (bytes: Uint8Array): object;
    exports(module: object): readonly { readonly name: string }[];
    customSections(module: object, name: string): readonly ArrayBuffer[];
  };
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, () => number>> };
}
const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Compiler }).WebAssembly;

/** Two functions without parameters, of which one gives 1 and one 2, behind a custom section; names in UTF-8. */
function moduleOf(...names: readonly [string, string]): Uint8Array {
  const entries = names.flatMap((name, index) => {
    const bytes = [...new TextEncoder().encode(name)];
    return [
      (bytes.length % 128) | (bytes.length > 127 ? 128 : 0),
      ...(bytes.length > 127 ? [bytes.length >> 7] : []),
      ...bytes,
      0,
      index,
    ];
  });
  const size = entries.length + 1;
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[0, 5, 2, 0x6f, 0x6b, 7, 7],
    ...[1, 5, 1, 0x60, 0, 1, 0x7f],
    ...[3, 3, 2, 0, 0],
    ...[7, (size % 128) | 128, size >> 7, 2, ...entries],
    ...[10, 11, 2, 4, 0, 0x41, 1, 0x0b, 4, 0, 0x41, 2, 0x0b],
  ]);
}

it.each<[names: [string, string], wanted: string[], values: Record<string, number>]>([
  [["one", "two"], ["one", "two"], { one: 1, two: 2 }],
  [["one", "two"], ["two", "three"], { two: 2 }],
  [["one", "two"], [], {}],
  [["ü", "n".repeat(200)], ["n".repeat(200)], { ["n".repeat(200)]: 2 }],
])("of exports %j, those of %j are left", (names, wanted, values) => {
  const module = new Module(withExports(moduleOf(...names), (name) => wanted.includes(name)));
  const { exports } = new Instance(module);
  expect(Object.fromEntries(Object.entries(exports).map(([name, call]) => [name, call()]))).toEqual(values);
  expect(Module.customSections(module, "ok").map((bytes) => [...new Uint8Array(bytes)])).toEqual([[7, 7]]);
});

it("does not take a module that is cut for one", () => {
  const whole = moduleOf("one", "two");
  expect(() => withExports(whole.subarray(0, 9), () => true)).toThrow("ends within a number");
});

it("leaves of DuckDB's what its JavaScript asks for", () => {
  const exported = Module.exports(new Module(engineModule())).map(({ name }) => name);
  for (const name of ["malloc", "free", "main", "duckdb_web_open", "duckdb_web_pending_query_start_buffer"])
    expect(exported).toContain(name);
  expect(exported.length).toBeLessThan(500);
});

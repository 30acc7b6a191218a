/**
 * Removes unused exports from a WASM module. DuckDB's has 75,000, for linking extensions. For each one, JavaScript creates a
 * function or a global, a table entry and a property, which is most of its start time and a fourth of an isolate's memory.
 */
import { EXPORTS, leb128, unsigned, withSections } from "./wasm-sections.ts";

/** The same module with only the exports for which `isWanted` returns true. */
export function withExports(module: Uint8Array, isWanted: (name: string) => boolean): Uint8Array {
  return withSections(module, (section, content) => (section === EXPORTS ? wantedOf(content, isWanted) : content));
}

function wantedOf(content: Uint8Array, isWanted: (name: string) => boolean): Uint8Array {
  const wanted: Uint8Array[] = [];
  for (const { name, entry } of exportsOf(content)) if (isWanted(name)) wanted.push(entry);
  return Buffer.concat([leb128(wanted.length), ...wanted]);
}

interface Export {
  readonly name: string;
  readonly index: number;
  /** The entry's bytes. */
  readonly entry: Uint8Array;
}

/** The entries of an export section. */
export function* exportsOf(content: Uint8Array): Generator<Export> {
  const [count, first] = unsigned(content, 0);
  let at = first;
  for (let left = count; left > 0; left--) {
    const [length, name] = unsigned(content, at);
    const kind = name + length;
    const [index, end] = unsigned(content, kind + 1);
    yield {
      name: Buffer.from(content.subarray(name, kind)).toString("utf8"),
      index,
      entry: content.subarray(at, end),
    };
    at = end;
  }
}

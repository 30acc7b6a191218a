/**
 * WASM whose addresses are written by short functions. The linker writes the addresses in DuckDB's data by one function of 0.9 MB,
 * which runs once for each instance. After five instances V8 takes it for hot code and optimizes it for four seconds, in which
 * workerd answers nothing on a machine of two cores. Functions of a few kilobytes each are never hot.
 */
import { exportsOf } from "./wasm-exports.ts";
import {
  CODE,
  EXPORTS,
  FUNCTIONS,
  leb128,
  sectionsOf,
  signed,
  signedLeb128,
  unsigned,
  withSections,
} from "./wasm-sections.ts";

const RELOCATIONS = "__wasm_apply_data_relocs";
const STORES_PER_FUNCTION = 400;

const END = 0x0b;
const CALL = 0x10;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;
const GLOBAL_GET = 0x23;
const STORE = 0x36;
const CONSTANT = 0x41;
const ADD = 0x6a;
const SUBTRACT = 0x6b;

/** A number that the function computes: a constant, and perhaps a global, which no relocation changes. */
interface Sum {
  readonly global: number | undefined;
  readonly constant: number;
}

interface Store {
  readonly address: Sum;
  readonly value: Sum;
  /** Its alignment and offset in encoded form. */
  readonly where: Uint8Array;
}

/**
 * The same module; `imported` is its number of imported functions. Throws if the function does anything other than store sums.
 */
export function withShortRelocations(module: Uint8Array, imported: number): Uint8Array {
  const sections = new Map(sectionsOf(module));
  const index = [...exportsOf(sections.get(EXPORTS) ?? new Uint8Array(1))].find(
    ({ name }) => name === RELOCATIONS,
  )?.index;
  const functions = sections.get(FUNCTIONS);
  const code = sections.get(CODE);
  if (index === undefined || functions === undefined || code === undefined) return module;
  const bodies = entriesOf(code);
  const types = typesOf(functions);
  const place = index - imported;
  const stores = storesOf(bodies[place] ?? new Uint8Array());
  const added: Uint8Array[] = [];
  for (let at = 0; at < stores.length; at += STORES_PER_FUNCTION) {
    added.push(bodyOf(stores.slice(at, at + STORES_PER_FUNCTION).map(written)));
  }
  bodies[place] = bodyOf(
    added.map((_, nth) => Buffer.concat([Uint8Array.of(CALL), leb128(imported + types.length + nth)])),
  );
  const type = types[place] ?? 0;
  const newTypes = [...types, ...added.map(() => type)];
  const newBodies = [...bodies, ...added];
  return withSections(module, (section, content) => {
    if (section === FUNCTIONS) return Buffer.concat([leb128(newTypes.length), ...newTypes.map(leb128)]);
    if (section !== CODE) return content;
    return Buffer.concat([leb128(newBodies.length), ...newBodies.flatMap((body) => [leb128(body.length), body])]);
  });
}

function typesOf(functions: Uint8Array): readonly number[] {
  const [count, first] = unsigned(functions, 0);
  const types: number[] = [];
  for (let at = first; types.length < count; ) {
    const [type, next] = unsigned(functions, at);
    types.push(type);
    at = next;
  }
  return types;
}

function entriesOf(code: Uint8Array): Uint8Array[] {
  const [count, first] = unsigned(code, 0);
  const bodies: Uint8Array[] = [];
  for (let at = first; bodies.length < count; ) {
    const [size, begin] = unsigned(code, at);
    bodies.push(code.subarray(begin, begin + size));
    at = begin + size;
  }
  return bodies;
}

/** Simulates the function: returns the values that it would store, and their addresses. */
function storesOf(body: Uint8Array): readonly Store[] {
  const stores: Store[] = [];
  const stack: Sum[] = [];
  const locals = new Map<number, Sum>();
  const pop = (): Sum => {
    const sum = stack.pop();
    if (sum === undefined) throw unknown("an empty stack");
    return sum;
  };
  for (let at = endOfLocals(body); at < body.length; ) {
    const instruction = body[at++];
    if (instruction === END && at === body.length) return stores;
    const [number, next] = instruction === CONSTANT ? signed(body, at) : unsigned(body, at);
    switch (instruction) {
      case CONSTANT:
        stack.push({ global: undefined, constant: number });
        break;
      case GLOBAL_GET:
        stack.push({ global: number, constant: 0 });
        break;
      case LOCAL_GET:
        stack.push(locals.get(number) ?? { global: undefined, constant: 0 });
        break;
      case LOCAL_SET:
      case LOCAL_TEE: {
        const sum = pop();
        locals.set(number, sum);
        if (instruction === LOCAL_TEE) stack.push(sum);
        break;
      }
      case ADD: {
        const [b, a] = [pop(), pop()];
        if (a.global !== undefined && b.global !== undefined) throw unknown("a sum of two globals");
        stack.push({ global: a.global ?? b.global, constant: (a.constant + b.constant) | 0 });
        continue;
      }
      case SUBTRACT: {
        const [b, a] = [pop(), pop()];
        if (b.global !== undefined) throw unknown("a global that is subtracted");
        stack.push({ global: a.global, constant: (a.constant - b.constant) | 0 });
        continue;
      }
      case STORE: {
        const [, end] = unsigned(body, next);
        const value = pop();
        stores.push({ address: pop(), value, where: body.subarray(at, end) });
        at = end;
        continue;
      }
      default:
        throw unknown(`the instruction ${instruction}`);
    }
    at = next;
  }
  throw unknown("no end");
}

const unknown = (what: string): Error => new Error(`${RELOCATIONS} has ${what}, which is not expected of it.`);

function endOfLocals(body: Uint8Array): number {
  let [groups, at] = unsigned(body, 0);
  for (; groups > 0; groups--) {
    const [, type] = unsigned(body, at);
    at = type + 1;
  }
  return at;
}

function written({ address, value, where }: Store): Uint8Array {
  return Buffer.concat([sumOf(address), sumOf(value), Uint8Array.of(STORE), where]);
}

function sumOf({ global, constant }: Sum): Uint8Array {
  const number = Buffer.concat([Uint8Array.of(CONSTANT), signedLeb128(constant)]);
  if (global === undefined) return number;
  const read = Buffer.concat([Uint8Array.of(GLOBAL_GET), leb128(global)]);
  return constant === 0 ? read : Buffer.concat([read, number, Uint8Array.of(ADD)]);
}

/** A function body without locals. */
function bodyOf(instructions: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([Uint8Array.of(0), ...instructions, Uint8Array.of(END)]);
}

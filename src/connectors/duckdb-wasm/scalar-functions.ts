/** Functions that the connector adds to the engine, which calls them with a chunk of rows by the interface of its package. */

import { ConnectorFailure } from "../failure.ts";
import { Beyond } from "../files/beyond.ts";
import { needsSidecar } from "./needs-sidecar.ts";

/** Takes texts. May throw `Beyond`. */
export interface ScalarFunction {
  readonly returns: "utf8" | "uint64" | "bool";
  readonly call: (given: readonly (string | null)[]) => string | number | null;
}

/** The used part of emscripten's module. Any allocation may grow the memory. */
interface Memory {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF64: Float64Array;
  readonly _malloc: (bytes: number) => number;
  readonly _free: (at: number) => void;
}

/** The engine's description of a chunk; buffers are indexes into its list of addresses. */
interface Chunk {
  readonly rows: number;
  readonly args: readonly {
    readonly physicalType: string;
    readonly validityBuffer?: number;
    readonly dataBuffer?: number;
    readonly lengthBuffer?: number;
  }[];
}

const SUCCESS = 0;
const FAILURE = 1;
const RESULT_BYTES = 24;
/** Maximum size of a chunk's results, which temporarily exist in JavaScript and in the engine. */
const MOST_LETTERS = 4 * 1024 * 1024;

export class ScalarFunctions {
  /**
   * The failure of a function since the database was opened: the statement has failed, whatever the engine does with the result.
   */
  failure: unknown;
  #functions: readonly ScalarFunction[] = [];
  /** Address of the last chunk's texts: the engine copies them, and frees all buffers except this one. */
  #letters: number | undefined;

  replace(): void {
    this.failure = undefined;
    this.#functions = [];
  }

  /** Adds a function, and returns its description for the engine. */
  add(name: string, added: ScalarFunction): string {
    this.#functions = [...this.#functions, added];
    return JSON.stringify({ functionId: this.#functions.length - 1, name, returnType: { sqlType: added.returns } });
  }

  /** `DUCKDB_RUNTIME.callScalarUDF`: every number is an address in the engine's memory, or a number of bytes. */
  call(memory: Memory, response: number, id: number, at: number, length: number, buffers: number): void {
    try {
      const called = this.#functions[id];
      if (called === undefined) throw new Error(`the engine calls a function ${id}`);
      const chunk = JSON.parse(utf8.decode(memory.HEAPU8.subarray(at, at + length))) as Chunk;
      const columns = chunk.args.map((_, index) => textsOf(memory, chunk, index, buffers));
      const values = computed(called, columns, chunk.rows);
      if (this.#letters !== undefined) memory._free(this.#letters);
      this.#letters = undefined;
      const { result, letters } = written(memory, values, called.returns);
      this.#letters = letters;
      memory.HEAPF64.set([SUCCESS, result, 0], response >> 3);
    } catch (error) {
      this.failure ??=
        error instanceof Beyond
          ? needsSidecar(`The files Worker does not compute functions of JSON over ${error.message}.`, {
              why: ": its DuckDB does",
            })
          : new ConnectorFailure("SOURCE_CRASHED", "A function of the engine's broke down.", { cause: error });
      const message = new TextEncoder().encode("a function failed");
      const told = allocated(memory, message.length);
      memory.HEAPU8.set(message, told);
      memory.HEAPF64.set([FAILURE, told, message.length], response >> 3);
    }
  }
}

/** Decodes each text on demand: a chunk may contain as many bytes as the engine has. */
function textsOf(memory: Memory, { args }: Chunk, index: number, buffers: number): (row: number) => string | null {
  const { physicalType, validityBuffer, dataBuffer = 0, lengthBuffer } = args[index] ?? {};
  if (physicalType !== "VARCHAR" || lengthBuffer === undefined) throw new Beyond("what is no text");
  const { HEAPU8, HEAPF64 } = memory;
  const addressOf = (buffer: number): number => HEAPF64[(buffers >> 3) + buffer] ?? 0;
  const isThere = validityBuffer === undefined ? undefined : addressOf(validityBuffer);
  const [data, lengths] = [addressOf(dataBuffer) >> 3, addressOf(lengthBuffer) >> 3];
  return (row) => {
    if (isThere !== undefined && HEAPU8[isThere + row] === 0) return null;
    const start = HEAPF64[data + row] ?? 0;
    return utf8.decode(HEAPU8.subarray(start, start + (HEAPF64[lengths + row] ?? 0)));
  };
}

function computed({ call }: ScalarFunction, columns: readonly ((row: number) => string | null)[], rows: number) {
  let letters = 0;
  return Array.from({ length: rows }, (_, row) => {
    const value = call(columns.map((column) => column(row)));
    if (typeof value === "string") letters += value.length;
    if (letters > MOST_LETTERS) throw new Beyond("texts of such a length");
    return value;
  });
}

interface Written {
  /** Three addresses: values, validity, and the length of each text. */
  readonly result: number;
  readonly letters: number;
}

function written(
  memory: Memory,
  values: readonly (string | number | null)[],
  returns: ScalarFunction["returns"],
): Written {
  const count = values.length;
  const isText = returns === "utf8";
  const texts = isText ? values.map((value) => new TextEncoder().encode(String(value ?? ""))) : [];
  const isThere = allocated(memory, count);
  const result = allocated(memory, RESULT_BYTES);
  const data = allocated(memory, count * (returns === "bool" ? 1 : 8));
  const lengths = isText ? allocated(memory, count * 8) : 0;
  const sum = texts.reduce((bytes, { length }) => bytes + length, 0);
  const letters = allocated(memory, sum);
  // The view is created after the allocation, which may move the whole memory.
  const { HEAPU8, HEAPF64 } = memory;
  const view = new DataView(HEAPU8.buffer, HEAPU8.byteOffset);
  let end = letters;
  for (const [row, value] of values.entries()) {
    HEAPU8[isThere + row] = value === null ? 0 : 1;
    const text = texts[row];
    if (text !== undefined) {
      HEAPU8.set(text, end);
      HEAPF64[(data >> 3) + row] = end;
      HEAPF64[(lengths >> 3) + row] = text.length;
      end += text.length;
    } else if (returns === "bool") HEAPU8[data + row] = Number(value);
    else view.setBigUint64(data + row * 8, BigInt(value ?? 0), true);
  }
  HEAPF64.set([data, isThere, lengths], result >> 3);
  return { result, letters };
}

function allocated(memory: Memory, bytes: number): number {
  const at = memory._malloc(Math.max(1, bytes));
  if (at === 0) throw new Beyond("more than its memory has room for");
  return at;
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * Drives DuckDB's WASM by its C interface: takes statements, returns Arrow's stream format. The package's own runtime is not
 * used, because it fetches any address that a statement names: this module only provides the files of one request.
 */

import type { EngineStream } from "./engine-stream.ts";
import { type ScalarFunction, ScalarFunctions } from "./scalar-functions.ts";

/** The used part of emscripten's module. */
interface Machine {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF64: Float64Array;
  readonly _malloc: (bytes: number) => number;
  readonly _free: (at: number) => void;
  readonly stackSave: () => number;
  readonly stackAlloc: (bytes: number) => number;
  readonly stackRestore: (at: number) => void;
}

interface Bindings {
  readonly mod: Machine;
  instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: unknown) => void,
  ) => object;
  instantiate(): Promise<unknown>;
}

/** The package's `duckdb-browser-blocking.mjs`. */
export interface BindingsModule {
  readonly DEFAULT_RUNTIME: object;
  readonly VoidLogger: new () => object;
  createDuckDB(files: object, logger: object, runtime: object): Promise<unknown>;
}

export interface EngineParts {
  readonly bindings: BindingsModule;
  /** `duckdb-eh.wasm`, compiled with the exports that its JavaScript needs. */
  readonly module: WebAssembly.Module;
}

/** A file that statements read by its name. */
export interface EngineFile {
  readonly size: number;
  /** Returns `length` bytes from `start`, or fewer at the end. The engine waits for a promise if the platform supports JSPI. */
  read(start: number, length: number): Uint8Array | Promise<Uint8Array>;
}

/** An error that the engine reports about a statement. */
export class EngineMessage extends Error {}

/** JSPI (https://github.com/WebAssembly/js-promise-integration): supported by workerd, and by Node with a flag. */
const { Suspending, promising } = WebAssembly as unknown as {
  readonly Suspending?: new (call: (...numbers: number[]) => Promise<number>) => WebAssembly.ImportValue;
  readonly promising?: (call: Exported) => (...numbers: number[]) => Promise<unknown>;
};

type Exported = (...numbers: number[]) => number;
type Exports = Readonly<Record<string, Exported>>;

const SUCCESS = 0;
const RETRY = 256;
/** The protocol number for files that the runtime provides. */
const HTTP = 4;
const RESPONSE_BYTES = 24;
const PAGE_BYTES = 64 * 1024;
/**
 * Part of the 128 MB of an isolate, of which JavaScript takes up to 45 (`isolate-memory.test.ts`). The engine's own limit is
 * lower (`session.ts`), but it counts neither a text while a function computes it nor the bytes that it sends.
 */
const MOST_BYTES = 80 * 1024 * 1024;

export class WasmInstance {
  /** Called with the new memory size in bytes before the instance grows. */
  onGrowth: (bytes: number) => void = () => undefined;
  readonly #machine: Machine;
  readonly #exports: Exports;
  readonly #files: OpenFiles;
  readonly #functions: ScalarFunctions;

  private constructor(machine: Machine, exports: Exports, files: OpenFiles, functions: ScalarFunctions) {
    this.#machine = machine;
    this.#exports = exports;
    this.#files = files;
    this.#functions = functions;
  }

  /** Starts an engine without a database. */
  static async start({ bindings, module }: EngineParts): Promise<WasmInstance> {
    const files = new OpenFiles();
    const functions = new ScalarFunctions();
    const runtime = {
      ...bindings.DEFAULT_RUNTIME,
      ...files.runtime,
      callScalarUDF: functions.call.bind(functions),
    };
    const made = (await bindings.createDuckDB(
      { mvp: { mainModule: "" }, eh: { mainModule: "duckdb-eh.wasm" } },
      new bindings.VoidLogger(),
      runtime,
    )) as Bindings;
    const { promise: exported, resolve, reject } = Promise.withResolvers<WebAssembly.Exports>();
    let grows: (bytes: number) => void = () => undefined;
    made.instantiateWasm = (imports, done) => {
      Object.assign(globalThis, { DUCKDB_RUNTIME: runtime });
      callsBy(imports, runtime);
      readsBy(imports, files);
      growsTo(imports, MOST_BYTES, (bytes) => grows(bytes));
      WebAssembly.instantiate(module, imports).then((instance) => {
        resolve(instance.exports);
        done(instance, module);
      }, reject);
      return {};
    };
    const [exports] = await Promise.all([exported, made.instantiate()]);
    files.begin(made.mod, exports as unknown as Exports);
    const instance = new WasmInstance(made.mod, exports as unknown as Exports, files, functions);
    grows = (bytes) => instance.onGrowth(bytes);
    return instance;
  }

  /** Bytes of the engine's memory, which never shrinks. */
  get memory(): number {
    return this.#machine.HEAPU8.byteLength;
  }

  /** Replaces the previous database and its files. */
  async open(files: ReadonlyMap<string, EngineFile>, config: object): Promise<number> {
    this.#files.replace(files);
    this.#functions.replace();
    await this.#call("duckdb_web_fs_drop_files", [0, 0]);
    await this.#call("duckdb_web_open", [], JSON.stringify({ ...config, path: ":memory:" }));
    for (const name of files.keys()) {
      await this.#call("duckdb_web_fs_register_file_url", [HTTP, 1], name, name);
    }
    return this.#plain("duckdb_web_connect");
  }

  close(connection: number): void {
    this.#plain("duckdb_web_disconnect", connection);
  }

  /** The failure of a file or of an added function since the database was opened. */
  get readFailure(): unknown {
    return this.#files.failure ?? this.#functions.failure;
  }

  /** Adds a function for statements; it replaces a function of the engine with the same name. */
  async define(connection: number, name: string, added: ScalarFunction): Promise<void> {
    await this.#withText(this.#functions.add(name, added), (at) =>
      this.#call("duckdb_web_udf_scalar_create", [connection, at]),
    );
  }

  /**
   * Starts a statement. Returns the schema as the first message of the stream; undefined while the engine must be polled for it.
   */
  async begin(connection: number, sql: string): Promise<Uint8Array | undefined> {
    const schema = await this.#withText(sql, (at, length) =>
      this.#call("duckdb_web_pending_query_start_buffer", [connection, at, length, 1]),
    );
    return schema?.length === 0 ? undefined : schema;
  }

  /** Continues `begin`. */
  async poll(connection: number): Promise<Uint8Array | undefined> {
    const schema = await this.#call("duckdb_web_pending_query_poll", [connection]);
    return schema?.length === 0 ? undefined : schema;
  }

  /** One message of the stream, which is empty at the end. Undefined: call again. */
  fetch(connection: number): Promise<Uint8Array | undefined> {
    return this.#call("duckdb_web_query_fetch_results", [connection]);
  }

  run(connection: number, sql: string): Promise<Uint8Array | undefined> {
    return this.#withText(sql, (at, length) => this.#call("duckdb_web_query_run_buffer", [connection, at, length]));
  }

  /** Binds one statement without running it. */
  async prepare(connection: number, sql: string): Promise<void> {
    await this.#withText(sql, (at, length) =>
      this.#call("duckdb_web_prepared_create_buffer", [connection, at, length]),
    );
  }

  /** Adds rows to a table. */
  async insert(connection: number, table: string, stream: EngineStream): Promise<void> {
    const at = this.#machine._malloc(stream.length);
    this.#machine.HEAPU8.set(stream, at);
    try {
      const options = JSON.stringify({ name: table, create: false });
      await this.#withText(options, (text) =>
        this.#call("duckdb_web_insert_arrow_from_ipc_stream", [connection, at, stream.length, text]),
      );
    } finally {
      this.#machine._free(at);
    }
  }

  cancel(connection: number): void {
    this.#plain("duckdb_web_pending_query_cancel", connection);
  }

  async #withText<T>(text: string, call: (at: number, length: number) => Promise<T>): Promise<T> {
    const bytes = new TextEncoder().encode(text);
    const at = this.#machine._malloc(bytes.length + 1);
    this.#machine.HEAPU8.set(bytes, at);
    this.#machine.HEAPU8[at + bytes.length] = 0;
    try {
      return await call(at, bytes.length);
    } finally {
      this.#machine._free(at);
    }
  }

  #plain(name: string, ...numbers: number[]): number {
    return this.#exported(name)(...numbers);
  }

  #exported(name: string): Exported {
    const call = this.#exports[name];
    if (call === undefined) throw new Error(`the engine has no ${name}`);
    return call;
  }

  /** `texts` are passed as C strings before the remaining numbers. */
  async #call(name: string, numbers: readonly number[], ...texts: string[]): Promise<Uint8Array | undefined> {
    const machine = this.#machine;
    // Not on the stack: another call may begin and end while this one waits for a file.
    const response = machine._malloc(RESPONSE_BYTES);
    const strings = texts.map((text) => {
      const bytes = new TextEncoder().encode(`${text}\0`);
      const at = machine._malloc(bytes.length);
      machine.HEAPU8.set(bytes, at);
      return at;
    });
    try {
      const call = this.#exported(name);
      await (promising === undefined ? call : promising(call))(response, ...strings, ...numbers);
      const [status = 0, at = 0, length = 0] = machine.HEAPF64.subarray(response >> 3, (response >> 3) + 3);
      if (status === RETRY) return undefined;
      if (status !== SUCCESS) throw new EngineMessage(utf8.decode(machine.HEAPU8.subarray(at, at + length)));
      return machine.HEAPU8.slice(at, at + length);
    } finally {
      for (const at of strings) machine._free(at);
      machine._free(response);
      this.#plain("duckdb_web_clear_response");
    }
  }
}

/** The files of one request, as the engine accesses them. */
class OpenFiles {
  failure: unknown;
  #files: ReadonlyMap<string, EngineFile> = new Map();
  readonly #opened = new Map<number, EngineFile>();
  #machine: Machine | undefined;
  #exports: Exports = {};

  /** The functions that the engine calls by `DUCKDB_RUNTIME`, except reading. */
  readonly runtime = {
    testPlatformFeature: () => true,
    getDefaultDataProtocol: () => HTTP,
    openFile: (_: unknown, id: number) => this.#open(id),
    closeFile: (_: unknown, id: number) => this.#opened.delete(id),
    checkFile: (_: unknown, at: number, length: number) => this.#files.has(this.#text(at, length)),
    glob: (_: unknown, at: number, length: number) => this.#glob(this.#text(at, length)),
    listDirectoryEntries: () => false,
    checkDirectory: () => false,
    moveFile: () => false,
  };

  begin(machine: Machine, exports: Exports): void {
    this.#machine = machine;
    this.#exports = exports;
  }

  replace(files: ReadonlyMap<string, EngineFile>): void {
    this.failure = undefined;
    this.#files = files;
    this.#opened.clear();
  }

  /**
   * Returns the number of bytes written to `at`. A failure is kept: the engine sees the end of the file, and its result is then
   * discarded.
   */
  read(id: number, at: number, length: number, start: number): number | Promise<number> {
    const file = this.#opened.get(id);
    if (file === undefined || length === 0 || this.failure !== undefined) return 0;
    try {
      const bytes = file.read(start, Math.min(length, Math.max(0, file.size - start)));
      if (bytes instanceof Uint8Array) return this.#write(at, bytes);
      return bytes.then(
        (read) => this.#write(at, read),
        (error) => this.#fail(error),
      );
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): number {
    this.failure ??= error;
    return 0;
  }

  #write(at: number, bytes: Uint8Array): number {
    this.#machine?.HEAPU8.set(bytes, at);
    return bytes.length;
  }

  #text(at: number, length: number): string {
    return utf8.decode(this.#machine?.HEAPU8.subarray(at, at + length));
  }

  /** Returns the address of size, bytes (none yet) and modification time; 0 for a missing file. */
  #open(id: number): number {
    const machine = this.#machine;
    const file = this.#files.get(this.#nameOf(id));
    if (machine === undefined || file === undefined) return 0;
    this.#opened.set(id, file);
    const at = machine._malloc(RESPONSE_BYTES);
    machine.HEAPF64.set([file.size, 0, 0], at >> 3);
    return at;
  }

  #nameOf(id: number): string {
    const machine = this.#machine;
    const ask = this.#exports["duckdb_web_fs_get_file_info_by_id"];
    if (machine === undefined || ask === undefined) return "";
    const before = machine.stackSave();
    try {
      const response = machine.stackAlloc(RESPONSE_BYTES);
      ask(response, id, 0);
      const [, at = 0, length = 0] = machine.HEAPF64.subarray(response >> 3, (response >> 3) + 3);
      const told = JSON.parse(this.#text(at, length) || "null") as { readonly fileName?: string } | null;
      return told?.fileName ?? "";
    } finally {
      machine.stackRestore(before);
    }
  }

  #glob(name: string): void {
    const machine = this.#machine;
    const add = this.#exports["duckdb_web_fs_glob_add_path"];
    if (machine === undefined || add === undefined || !this.#files.has(name)) return;
    const bytes = new TextEncoder().encode(`${name}\0`);
    const at = machine._malloc(bytes.length);
    machine.HEAPU8.set(bytes, at);
    add(at);
    machine._free(at);
  }
}

/**
 * The package's JavaScript finds the runtime in a global, and an isolate may hold two instances (`engine.ts`). So each call of an
 * instance first sets its own runtime; a call ends before another instance can start one.
 */
function callsBy(imports: WebAssembly.Imports, runtime: object): void {
  const environment = imports["env"] ?? {};
  for (const [name, call] of Object.entries(environment)) {
    if (!name.startsWith("duckdb_web_") || typeof call !== "function") continue;
    environment[name] = (...numbers: unknown[]): unknown => {
      Object.assign(globalThis, { DUCKDB_RUNTIME: runtime });
      return call(...numbers);
    };
  }
}

/** Reading is the only import that may suspend the engine. */
function readsBy(imports: WebAssembly.Imports, files: OpenFiles): void {
  const environment = imports["env"];
  if (environment === undefined) throw new Error("the engine imports nothing");
  const read = files.read.bind(files);
  environment["duckdb_web_fs_file_read"] =
    Suspending === undefined
      ? (read as () => number)
      : new Suspending(async (...numbers) => read(...(numbers as Four)));
}

/** Beyond `most` bytes, allocations in the engine fail, and so does its statement. `onGrowth` is called before memory grows. */
function growsTo(imports: WebAssembly.Imports, most: number, onGrowth: (bytes: number) => void): void {
  const memory = imports["env"]?.["memory"] as WebAssembly.Memory | undefined;
  if (memory === undefined) throw new Error("the engine has no memory");
  const grow = memory.grow.bind(memory);
  const within = (pages: number): number => {
    const bytes = memory.buffer.byteLength + pages * PAGE_BYTES;
    if (bytes > most) throw new RangeError("memory beyond the engine's share");
    onGrowth(bytes);
    return grow(pages);
  };
  Object.defineProperty(memory, "grow", { value: within });
}

type Four = [number, number, number, number];

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

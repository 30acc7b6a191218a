/**
 * Files by DuckDB's WASM. A statement has a fresh database, the files that its plan names and no others, and the engine's
 * configuration is locked before any of its SQL is read. What this engine lacks (time zones, JSON, Parquet) and native
 * DuckDB has is told as `NEEDS_SIDECAR`.
 */
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, ResultStream } from "../../result/types.ts";
import { readArrowStream } from "../arrow/stream.ts";
import { rowReader } from "../arrow/values.ts";
import { CAPABILITIES } from "../capabilities.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { CallOptions, Connector, DryRunReport, Statement } from "../connector.ts";
import { type ErrorContext, engineFailure, readEngineError } from "../duckdb/engine-error.ts";
import { assertSettable } from "../duckdb/session-settings.ts";
import { sqlIdentifier, sqlText } from "../duckdb/sql-text.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { sendableSql } from "../sql-text.ts";
import { Watch } from "../watch.ts";
import { readDuckDbField } from "./arrow-fields.ts";
import type { Turn, WasmEngine } from "./engine.ts";
import { type EngineFile, EngineMessage } from "./instance.ts";

/** A file that is there, as the one who keeps it tells of it. */
export interface FoundFile {
  readonly name: string;
  readonly size: number;
  /** The bytes from `start` to before `end`, of this version of it. Fails with `ConnectorFailure`. */
  read(start: number, end: number, signal: AbortSignal): Uint8Array | Promise<Uint8Array>;
}

export interface WasmSettings {
  readonly engine: WasmEngine;
  /** The files that a plan means by a name. Fails with `ConnectorFailure`. */
  readonly find: (name: string, signal: AbortSignal) => Promise<readonly FoundFile[]>;
}

/**
 * What the engine counts. With what it does not count (buffers of readers, what the allocator leaves open between blocks)
 * its memory stays below the 128 MB of an isolate (decisions S504).
 */
const MEMORY_LIMIT = "32MB";
/** Memory never becomes less: an engine that had to take more than this is given up with its statement. */
const MOST_KEPT_BYTES = 48 * 1024 * 1024;
/** A reader of CSV has several of them at once. */
const CSV_BUFFER_BYTES = 2 * 1024 * 1024;
/** Timers and aborts of the request come in between so many steps of the engine. */
const STEPS_AT_ONCE = 16;

/** Values arrive as they are (`arrow-fields.ts`), and each step of the engine is asked for. */
const CONFIGURATION = { maximumThreads: 1, arrowLosslessConversion: true, query: { queryPollingInterval: 0 } };

const SETTINGS = [
  "SET errors_as_json = true",
  "SET autoinstall_known_extensions = false",
  "SET autoload_known_extensions = false",
  "SET preserve_insertion_order = true",
  // As in the sidecar, whose rows these have to be (`sidecar/duckdb/engine.ts`).
  "SET disabled_optimizers = 'join_filter_pushdown'",
  `SET memory_limit = '${MEMORY_LIMIT}'`,
];

/** Checks nothing yet: files are looked for when a statement asks for them. */
export function openWasm(settings: WasmSettings): Connector {
  return new WasmConnector(settings);
}

class WasmConnector implements Connector {
  readonly capabilities = CAPABILITIES.duckdb;
  readonly #settings: WasmSettings;
  readonly #sessions = new Set<Session>();

  constructor(settings: WasmSettings) {
    this.#settings = settings;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    const session = await this.#prepare(statement, options);
    try {
      return await session.query(statement.sql);
    } catch (error) {
      session.end(error);
      throw error;
    }
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    (await this.#prepare(statement, options)).end();
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(): Promise<CatalogAnswers[K]> {
    return Promise.reject(
      new ConnectorFailure("NEEDS_SIDECAR", "The files Worker does not describe files.", {
        hint: "Configure a sidecar (SIDECAR_URL).",
      }),
    );
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.end();
  }

  async #prepare({ sql, session: wanted, reads }: Statement, options: CallOptions): Promise<Session> {
    assertSettable(wanted);
    sendableSql(sql);
    const settings = wanted.flatMap(({ name, value }) => settingOf(name, value));
    const views = await Promise.all(namesOf(reads).map((name) => this.#view(name, options.signal)));
    const turn = await this.#settings.engine.enter(options);
    const session = new Session(turn, options, () => this.#sessions.delete(session));
    this.#sessions.add(session);
    try {
      await session.begin(settings, views);
      await session.assertOneQuery(sql);
      return session;
    } catch (error) {
      session.end(error);
      throw error;
    }
  }

  async #view(name: string, signal: AbortSignal): Promise<View> {
    const files = await this.#settings.find(name, signal);
    const strange = files.find((file) => !/\.(?:csv|tsv)$/i.test(file.name));
    if (strange !== undefined) {
      throw new ConnectorFailure("NEEDS_SIDECAR", `The files Worker does not read "${strange.name}".`, {
        hint: "Configure a sidecar (SIDECAR_URL): it reads CSV, JSON and Parquet, compressed or not.",
      });
    }
    return { name, files };
  }
}

/** What stands for files under the name that a plan has for them. */
interface View {
  readonly name: string;
  readonly files: readonly FoundFile[];
}

/** Without access rules: those ask for files to be read by declared types (decisions S74), which is the sidecar's. */
function namesOf(reads: Statement["reads"]): readonly string[] {
  if (reads.some(({ declared }) => declared !== undefined)) {
    throw new ConnectorFailure("NEEDS_SIDECAR", "The files Worker does not read files under access rules.", {
      hint: "Configure a sidecar (SIDECAR_URL).",
    });
  }
  return [...new Set(reads.flatMap(({ physical }) => physical?.table ?? []))];
}

/** Zones are an extension's, and without it all of the engine is in UTC. */
function settingOf(name: string, value: string): readonly string[] {
  if (name.toLowerCase() !== "timezone") return [`SET ${sqlIdentifier(name)} = ${sqlText(value)}`];
  if (value.toUpperCase() === "UTC") return [];
  throw new ConnectorFailure("NEEDS_SIDECAR", `The files Worker has no time zone but UTC, and not "${value}".`, {
    hint: "Configure a sidecar (SIDECAR_URL).",
  });
}

/** A turn of the engine, for one statement. */
class Session {
  readonly #turn: Turn;
  readonly #watch: Watch;
  readonly #onEnd: () => void;
  /** Of the files: fired with the failure that the statement ends by. */
  readonly #reading = new AbortController();
  #connection: number | undefined;
  #isWorking = false;
  #stopped: ConnectorFailure | undefined;
  #isOver = false;
  #steps = 0;
  /** Of files, by the names that the engine has for them. */
  readonly #names = new Map<string, string>();

  constructor(turn: Turn, { signal, timeoutMs }: CallOptions, onEnd: () => void) {
    this.#turn = turn;
    this.#onEnd = onEnd;
    const late = () => new ConnectorFailure("STATEMENT_TIMEOUT", `The statement ran longer than ${timeoutMs} ms.`);
    this.#watch = new Watch({ signal, milliseconds: timeoutMs }, (ending) => {
      this.#stop(ending === "aborted" ? cancelled(signal) : late());
    });
  }

  /** A database with these views and nothing else that could be opened. */
  async begin(settings: readonly string[], views: readonly View[]): Promise<void> {
    const files = new Map<string, EngineFile>();
    const scans = views.map(({ name, files: found }) => {
      const paths = found.map((file) => {
        // A name of ours: those of callers may be patterns.
        const path = `file-${files.size}.csv`;
        files.set(path, this.#engineFile(file));
        this.#names.set(path, file.name);
        return sqlText(path);
      });
      const scan = `read_csv([${paths.join(", ")}], hive_partitioning = false, buffer_size = ${CSV_BUFFER_BYTES})`;
      return { name, sql: `CREATE TEMPORARY VIEW ${sqlIdentifier(name)} AS SELECT * FROM ${scan}` };
    });
    await this.#work(async ({ instance }) => {
      this.#connection = await instance.open(files, { ...CONFIGURATION });
    });
    const confine = [
      ...SETTINGS,
      ...settings,
      `SET allowed_paths = [${[...files.keys()].map(sqlText).join(", ")}]`,
      "SET enable_external_access = false",
      "SET lock_configuration = true",
    ];
    for (const sql of confine) await this.#run(sql);
    for (const { name, sql } of scans) await this.#run(sql).catch(unreadable(name));
  }

  /** What is not one statement, or not a query, cannot stand between brackets. */
  async assertOneQuery(sql: string): Promise<void> {
    const prepare = (text: string): Promise<void> =>
      this.#asStatement(sql, ({ instance }, connection) => instance.prepare(connection, text));
    try {
      await prepare(`SELECT * FROM (\n${sql}\n) AS siskin_rows`);
    } catch (error) {
      if (this.#stopped !== undefined) throw error;
      // What is wrong with it by itself, and where.
      await prepare(sql);
      throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only a SELECT can be run.");
    }
  }

  /** Resolves when the columns are known. */
  async query(sql: string): Promise<ResultStream> {
    const schema = await this.#asStatement(sql, async ({ instance }, connection) => {
      let begun = await instance.begin(connection, sql);
      while (begun === undefined) {
        await this.#pauseAtTimes();
        begun = await instance.poll(connection);
      }
      return begun;
    });
    const { columns, batches: read } = rowReader(readArrowStream(schema).fields, [], readDuckDbField);
    let current: Iterator<Batch> | undefined;
    const pull = async (): Promise<Batch | undefined> => {
      try {
        for (;;) {
          const next = current?.next();
          if (next !== undefined && !next.done) return next.value;
          const message = await this.#fetch(sql);
          if (message.length === 0) break;
          const { batches } = readArrowStream(joined(schema, message));
          current = batches.flatMap((batch) => [...read(batch)])[Symbol.iterator]();
        }
      } catch (error) {
        this.end(error);
        throw error;
      }
      this.end();
      return undefined;
    };
    const batches = new PulledBatches(pull, async () => this.end());
    return { columns, batches, close: () => batches.close() };
  }

  /** Gives the engine back. Idempotent. `error`: what the statement failed with. */
  end(error?: unknown): void {
    if (this.#isOver) return;
    this.#watch.end();
    const closed = new ConnectorFailure("CANCELLED", "The statement is closed.");
    this.#stopped ??= closed;
    this.#reading.abort(closed);
    // Whoever works gives it back when the engine has let go.
    if (this.#isWorking) return;
    this.#isOver = true;
    let isBroken = error instanceof ConnectorFailure && error.reason === "SOURCE_CRASHED";
    if (!isBroken && this.#connection !== undefined) {
      try {
        this.#turn.instance.cancel(this.#connection);
        this.#turn.instance.close(this.#connection);
      } catch {
        isBroken = true;
      }
    }
    this.#onEnd();
    this.#turn.end(isBroken || this.#turn.instance.memory > MOST_KEPT_BYTES);
  }

  #stop(failure: ConnectorFailure): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = failure;
    this.#reading.abort(failure);
    // Nobody may be pulling: the engine is not kept waiting for its reader.
    if (!this.#isWorking) this.end();
  }

  #engineFile(file: FoundFile): EngineFile {
    const { signal } = this.#reading;
    return { size: file.size, read: (start, length) => file.read(start, start + length, signal) };
  }

  #hide(text: string): string {
    return text.replace(/file-\d+\.csv/g, (path) => this.#names.get(path) ?? path);
  }

  async #run(sql: string): Promise<void> {
    await this.#work(({ instance }, connection) => instance.run(connection, sql));
  }

  #fetch(sql: string): Promise<Uint8Array> {
    return this.#asStatement(sql, async ({ instance }, connection) => {
      let message = await instance.fetch(connection);
      while (message === undefined) {
        await this.#pauseAtTimes();
        message = await instance.fetch(connection);
      }
      return message;
    });
  }

  #asStatement<T>(sql: string, work: (turn: Turn, connection: number) => Promise<T>): Promise<T> {
    return this.#work(work, { sql });
  }

  async #pauseAtTimes(): Promise<void> {
    if (++this.#steps % STEPS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.#stopped !== undefined) throw this.#stopped;
  }

  async #work<T>(
    work: (turn: Turn, connection: number) => Promise<T>,
    context: { readonly sql?: string } = {},
  ): Promise<T> {
    if (this.#stopped !== undefined) throw this.#stopped;
    this.#isWorking = true;
    try {
      const answer = await work(this.#turn, this.#connection ?? 0);
      const failure = this.#stopped ?? readFailure(this.#turn.instance.readFailure);
      if (failure !== undefined) throw failure;
      return answer;
    } catch (error) {
      throw (
        this.#stopped ??
        readFailure(this.#turn.instance.readFailure) ??
        failureOf(error, { ...context, hide: (text) => this.#hide(text) })
      );
    } finally {
      this.#isWorking = false;
      if (this.#stopped !== undefined) this.end();
    }
  }
}

/** A file that its reader cannot make sense of is the file's failure and not the statement's. */
function unreadable(name: string): (error: unknown) => never {
  return (error) => {
    const isOfTheFile =
      error instanceof ConnectorFailure && (error.reason === "SOURCE_ERROR" || error.reason === "SOURCE_INVALID_SQL");
    if (!isOfTheFile) throw error;
    throw new ConnectorFailure("FILE_INVALID", `"${name}" cannot be read: ${error.message}`, {
      ...(error.engineCode !== undefined && { engineCode: error.engineCode }),
      cause: error,
    });
  };
}

function joined(schema: Uint8Array, message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(schema.length + message.length);
  bytes.set(schema);
  bytes.set(message, schema.length);
  return bytes;
}

function readFailure(error: unknown): ConnectorFailure | undefined {
  if (error === undefined || error instanceof ConnectorFailure) return error;
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "A file could not be read.", { cause: error });
}

const HAS_TO_LOAD = /^(?:Extension Autoloading|Missing Extension|Autoload)$/;

function failureOf(error: unknown, context: ErrorContext): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  // A trap, or an exception that nobody caught in there: what state the engine is in, nobody knows.
  if (!(error instanceof EngineMessage)) {
    return new ConnectorFailure("SOURCE_CRASHED", "The engine broke down under the statement.", { cause: error });
  }
  const { type, message } = readEngineError(error);
  if (HAS_TO_LOAD.test(type) || /exists in the \w+ extension/.test(message)) {
    const [, extension = "one"] = /extension '(\w+)'|in the (\w+) extension/.exec(message)?.filter(Boolean) ?? [];
    return new ConnectorFailure(
      "NEEDS_SIDECAR",
      `The statement needs DuckDB's extension "${extension}", which the files Worker has not.`,
      { hint: "Configure a sidecar (SIDECAR_URL): its DuckDB has it.", engineCode: type },
    );
  }
  if (message.startsWith("Values were not provided for the following prepared statement parameters")) {
    return new ConnectorFailure("SOURCE_INVALID_SQL", "The statement has parameters, and nothing gives them values.");
  }
  const failure = engineFailure(error, context);
  if (failure.reason !== "SOURCE_OUT_OF_MEMORY") return failure;
  return new ConnectorFailure(failure.reason, failure.message, {
    hint: "Read less at once, or configure a sidecar (SIDECAR_URL).",
    ...(failure.engineCode !== undefined && { engineCode: failure.engineCode }),
    cause: error,
  });
}

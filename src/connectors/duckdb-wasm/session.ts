/** One statement's use of the engine: its own database with the files that it reads, and its rows. */
import { concatenated } from "../../result/bytes.ts";
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, ResultStream, SourceWarning } from "../../result/types.ts";
import { type ArrowField, readArrowStream } from "../arrow/stream.ts";
import { rowReader } from "../arrow/values.ts";
import type { CallOptions } from "../connector.ts";
import { dayIsWord, findsWords, hasDaysOfWords } from "../duckdb/days-in-csv.ts";
import type { Described } from "../duckdb/declared/scan.ts";
import { sqlIdentifier, sqlText } from "../duckdb/sql-text.ts";
import { ConnectorFailure } from "../failure.ts";
import { withinNeed } from "../files/parquet/needed-groups.ts";
import { Watch } from "../watch.ts";
import { readDuckDbField } from "./arrow-fields.ts";
import { createTable } from "./create-table.ts";
import { type CsvView, csvView } from "./csv-view.ts";
import type { Turn } from "./engine.ts";
import type { EngineStream } from "./engine-stream.ts";
import { endedBy, failureOf, notInserted, readFailure, roomElsewhere, unreadable } from "./failures.ts";
import { smallFile } from "./file-bytes.ts";
import type { EngineFile } from "./instance.ts";
import { type JsonView, jsonRows, jsonView, MOST_JSON_BYTES } from "./json-view.ts";
import { entryTypes, hasUntypedEntries } from "./map-entries.ts";
import { assertNoNamedZones } from "./named-zones.ts";
import { needsSidecar, tooMuch } from "./needs-sidecar.ts";
import { MOST_LOADED_BYTES, MOST_UNPACKED_BYTES, type ParquetTable, rowsOf } from "./parquet-table.ts";
import { neededFiles, type ParquetView, parquetView, type ReadFooter } from "./parquet-view.ts";
import type { ScalarFunction } from "./scalar-functions.ts";
import type { FoundFile, View } from "./view.ts";

/**
 * Limit for the memory that the engine counts. Together with the memory that it does not count (readers' buffers, fragmentation)
 * it stays below the 128 MB of an isolate (docs/decisions/0036-duckdb.md#decision).
 */
const MEMORY_LIMIT = "32MB";
/** Memory never shrinks: an engine that needed more than this is dropped after its statement. */
const MOST_KEPT_BYTES = 48 * 1024 * 1024;
/** Parsed footers take a hundred times their size (docs/decisions/0054-parquet-by-needed-bytes.md#decision). */
const MOST_FOOTER_BYTES = 256 * 1024;
/** A Worker may have six open connections. */
const FOOTERS_AT_ONCE = 6;
/** Number of engine steps between turns of the event loop for timers and aborts. */
const STEPS_AT_ONCE = 16;

/** Values keep their types (`arrow-fields.ts`), and the engine runs one step per call. */
const CONFIGURATION = { maximumThreads: 1, arrowLosslessConversion: true, query: { queryPollingInterval: 0 } };

const SETTINGS = [
  "SET errors_as_json = true",
  "SET autoinstall_known_extensions = false",
  "SET autoload_known_extensions = false",
  "SET preserve_insertion_order = true",
  // The sidecar has the same setting, so that both return the same rows (`sidecar/duckdb/engine.ts`).
  "SET disabled_optimizers = 'join_filter_pushdown'",
  `SET memory_limit = '${MEMORY_LIMIT}'`,
];

/** A turn of the engine, for one statement. */
export class Session {
  readonly #turn: Turn;
  readonly #watch: Watch;
  readonly #onEnd: () => void;
  /** Aborts reading of files, with the failure that ends the statement. */
  readonly #reading = new AbortController();
  #connection: number | undefined;
  #isWorking = false;
  #stopped: ConnectorFailure | undefined;
  #isOver = false;
  /** The engine ran out of memory: it is dropped without reading further results. */
  #isSpent = false;
  #steps = 0;
  #loadedBytes = 0;
  #unpackedBytes = 0;
  /** Shown names of files, by the engine's names. */
  readonly #names = new Map<string, string>();
  readonly #warnings: SourceWarning[] = [];

  constructor(turn: Turn, options: CallOptions, onEnd: () => void) {
    this.#turn = turn;
    this.#onEnd = onEnd;
    const { signal, timeoutMs } = options;
    this.#watch = new Watch({ signal, milliseconds: timeoutMs }, (ending) => this.#stop(endedBy(ending, options)));
  }

  /** Known when the session has begun. */
  get warnings(): readonly SourceWarning[] {
    return this.#warnings;
  }

  /** Opens a database with only these views and functions. */
  async begin(
    settings: readonly string[],
    views: readonly View[],
    functions: ReadonlyMap<string, ScalarFunction>,
  ): Promise<void> {
    const files = new Map<string, EngineFile>();
    const scans = await this.#csvViews(
      views.filter(({ format }) => format === "csv"),
      files,
    );
    const parquet = await this.#parquetViews(views.filter(({ format }) => format === "parquet"));
    const json = await this.#jsonViews(views.filter(({ format }) => format === "json"));
    for (const { directories } of [...parquet, ...json]) {
      for (const [path, text] of directories) files.set(path, smallFile(text));
    }
    await this.#work(async ({ instance }) => {
      this.#connection = await instance.open(files, { ...CONFIGURATION });
    });
    for (const sql of [...SETTINGS, ...settings]) await this.#run(sql);
    // After the settings: by these names the engine would otherwise look for an extension.
    for (const [name, added] of functions) {
      await this.#work(({ instance }, connection) => instance.define(connection, name, added));
    }
    for (const { before, tables } of parquet) {
      for (const sql of before) await this.#run(sql);
      for (const { name, table } of tables) await this.#fill(name, table);
    }
    for (const { before, tables, columns, areRead } of json) {
      for (const sql of before) await this.#run(sql);
      for (const { name, texts } of tables) {
        await this.#run(createTable(name, { columns }));
        if (areRead) await this.#load(name, jsonRows(columns, texts));
      }
    }
    const confine = [
      `SET allowed_paths = [${[...files.keys()].map(sqlText).join(", ")}]`,
      "SET enable_external_access = false",
      "SET lock_configuration = true",
    ];
    for (const sql of confine) await this.#run(sql);
    for (const { name, query, ...scan } of [...scans, ...parquet, ...json]) {
      const inferring = "inferring" in scan ? scan.inferring : undefined;
      const inferred = inferring === undefined ? [] : await this.#describe(inferring).catch(unreadable(name));
      const sql = typeof query === "string" ? query : query(inferred);
      await this.#run(`CREATE TEMPORARY VIEW ${sqlIdentifier(name)} AS ${sql}`).catch(unreadable(name));
      this.#warnings.push(...("missing" in scan ? scan.missing(inferred) : scan.warnings));
    }
    for (const { name, isSniffed, days, options, files: own } of scans) {
      if (days !== undefined && (await findsWords((sql) => this.#run(sql), days))) throw dayIsWord(name);
      if (!isSniffed) continue;
      await assertNoNamedZones((sql) => this.#run(sql), name);
      const hasWords = hasDaysOfWords((sql) => this.#run(sql), [...own.keys()], options);
      if (await hasWords) throw needsSidecar(`The files Worker does not read of "${name}": its days that are words.`);
    }
  }

  async #csvViews(
    views: readonly View[],
    files: Map<string, EngineFile>,
  ): Promise<readonly (CsvView & { readonly name: string })[]> {
    const { signal } = this.#reading;
    return this.#work(async () => {
      const found: (CsvView & { readonly name: string })[] = [];
      for (const [index, view] of views.entries()) {
        const csv = await csvView(view, `file-${index}`, signal);
        for (const [path, { shown, file }] of csv.files) {
          files.set(path, file);
          this.#names.set(path, shown);
        }
        found.push({ name: view.name, ...csv });
      }
      return found;
    });
  }

  async #jsonViews(
    views: readonly View[],
  ): Promise<readonly (JsonView & { readonly name: string; readonly areRead: boolean })[]> {
    const { signal } = this.#reading;
    let bytes = 0;
    const take = (more: number): void => {
      bytes += more;
      if (bytes > MOST_JSON_BYTES) throw tooMuch(`more than the ${MOST_JSON_BYTES} bytes of JSON that it has room for`);
    };
    return this.#work(async () => {
      const found: (JsonView & { readonly name: string; readonly areRead: boolean })[] = [];
      for (const [index, view] of views.entries()) {
        const { name, areRead } = view;
        found.push({ name, areRead, ...(await jsonView(view, `siskin-json-${index}`, take, signal)) });
      }
      return found;
    });
  }

  /** Plans Parquet views from footers, within the engine's limits. Rejects with `NEEDS_SIDECAR` before values are read. */
  async #parquetViews(views: readonly View[]): Promise<readonly (ParquetView & { readonly name: string })[]> {
    const { signal } = this.#reading;
    const planned = await this.#work(async () => {
      const found: (ParquetView & { readonly name: string })[] = [];
      let footerBytes = 0;
      for (const [index, { name, files, need, declared, areRead, jsonAsText }] of views.entries()) {
        const [first, ...others] = areRead ? neededFiles(files, need) : files.slice(0, 1);
        if (first === undefined) continue;
        const wanted = areRead ? need : { ...need, uses: [] };
        const withFooter = async (file: FoundFile): Promise<ReadFooter> => {
          const footer = await file.footer(signal, MOST_FOOTER_BYTES - footerBytes);
          footerBytes += footer.length;
          if (footerBytes > MOST_FOOTER_BYTES) {
            throw tooMuch(`of footers more than the ${MOST_FOOTER_BYTES} bytes that it looks into`);
          }
          const read = async (start: number, end: number) => file.read(start, end, signal);
          return { name: file.name, footer: await withinNeed(footer, wanted, read), read };
        };
        const read: [ReadFooter, ...ReadFooter[]] = [await withFooter(first)];
        for (let at = 0; at < others.length; at += FOOTERS_AT_ONCE) {
          read.push(...(await Promise.all(others.slice(at, at + FOOTERS_AT_ONCE).map(withFooter))));
        }
        const names = files.map((file) => file.name);
        const view = { name, need: wanted, declared, areRead, jsonAsText };
        found.push({ name, ...parquetView(read, names, view, `siskin-${index}`) });
      }
      return found;
    });
    const bytes = planned.flatMap(({ tables }) => tables).reduce((sum, { table }) => sum + table.bytes, 0);
    if (bytes > MOST_LOADED_BYTES) {
      throw tooMuch(`at least ${bytes} bytes of values, and has room for ${MOST_LOADED_BYTES}`);
    }
    return planned;
  }

  async #fill(name: string, table: ParquetTable): Promise<void> {
    if (table.columns.length === 0) return;
    await this.#run(createTable(name, table));
    const rows = rowsOf(table, {
      unpack: (bytes) => {
        this.#unpackedBytes += bytes;
        if (this.#unpackedBytes > MOST_UNPACKED_BYTES) {
          throw tooMuch(`pages of more than the ${MOST_UNPACKED_BYTES} bytes that it unpacks`);
        }
      },
    });
    await this.#load(name, rows);
  }

  /** Loads rows into a table of the engine. */
  async #load(name: string, streams: Iterable<EngineStream> | AsyncIterable<EngineStream>): Promise<void> {
    await this.#work(async ({ instance }, connection) => {
      for await (const stream of streams) {
        if (this.#stopped !== undefined) throw this.#stopped;
        this.#loadedBytes += stream.length;
        if (this.#loadedBytes > MOST_LOADED_BYTES) {
          throw tooMuch(`more than the ${MOST_LOADED_BYTES} bytes of values that it has room for`);
        }
        await instance.insert(connection, name, stream);
      }
    }).catch(notInserted);
  }

  /** Rejects text that is not exactly one query: only a query is valid in parentheses. */
  async assertOneQuery(sql: string): Promise<void> {
    const prepare = (text: string): Promise<void> =>
      this.#asStatement(sql, ({ instance }, connection) => instance.prepare(connection, text));
    try {
      await prepare(`SELECT * FROM (\n${sql}\n) AS siskin_rows`);
    } catch (error) {
      if (this.#stopped !== undefined) throw error;
      // Reports an error of the statement itself with its position.
      await prepare(sql);
      throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only a SELECT can be run.");
    }
  }

  /** Names and types of the columns of views, united by name, as the engine names them. */
  async describe(views: readonly string[]): Promise<Described> {
    return this.#describe(views.map((view) => `SELECT * FROM ${sqlIdentifier(view)}`).join(" UNION ALL BY NAME "));
  }

  async #describe(query: string): Promise<Described> {
    const sql = `DESCRIBE ${query}`;
    const schema = await this.#schema(sql);
    const { batches: read } = rowReader(readArrowStream(schema).fields, [], readDuckDbField);
    const described: (readonly [string, string])[] = [];
    for (let message = await this.#fetch(sql); message.length > 0; message = await this.#fetch(sql)) {
      const { batches } = readArrowStream(concatenated([schema, message]));
      for (const [name, type] of batches.flatMap((batch) => [...read(batch)]).flat()) {
        described.push([String(name), String(type)]);
      }
    }
    return described;
  }

  /** Resolves when the columns are known. */
  async query(sql: string): Promise<ResultStream> {
    const { schema, fields } = await this.#begin(sql);
    const { columns, batches: read } = rowReader(fields, [], readDuckDbField);
    let current: Iterator<Batch> | undefined;
    const pull = async (): Promise<Batch | undefined> => {
      try {
        for (;;) {
          const next = current?.next();
          if (next !== undefined && !next.done) return next.value;
          const message = await this.#fetch(sql);
          if (message.length === 0) break;
          current = this.#read(() => {
            const { batches } = readArrowStream(concatenated([schema, message]));
            return batches.flatMap((batch) => [...read(batch)])[Symbol.iterator]();
          });
        }
      } catch (error) {
        this.end(error);
        throw error;
      }
      this.end();
      return undefined;
    };
    const batches = new PulledBatches(pull, async () => this.end());
    return { columns, warnings: this.#warnings, batches, close: () => batches.close() };
  }

  /** The schema's message, and its fields with the types that `map-entries.ts` completes. */
  async #begin(sql: string): Promise<{ readonly schema: Uint8Array; readonly fields: readonly ArrowField[] }> {
    const schema = await this.#schema(sql);
    const { fields } = readArrowStream(schema);
    if (!hasUntypedEntries(fields)) return { schema, fields };
    await this.#work(async ({ instance }, connection) => instance.cancel(connection));
    const describe = `DESCRIBE SELECT * FROM (\n${sql}\n) AS siskin_rows`;
    const messages = [await this.#schema(describe)];
    for (let message = await this.#fetch(describe); message.length > 0; message = await this.#fetch(describe)) {
      messages.push(message);
    }
    const typed = this.#read(() => entryTypes(fields, concatenated(messages)));
    // DESCRIBE has ended the statement, so it is started again.
    return { schema: await this.#schema(sql), fields: typed };
  }

  #schema(sql: string): Promise<Uint8Array> {
    return this.#asStatement(sql, async ({ instance }, connection) => {
      let begun = await instance.begin(connection, sql);
      while (begun === undefined) {
        await this.#pauseAtTimes();
        begun = await instance.poll(connection);
      }
      return begun;
    }).catch(roomElsewhere);
  }

  /** Releases the engine. Idempotent. `error`: the failure of the statement. */
  end(error?: unknown): void {
    if (this.#isOver) return;
    this.#watch.end();
    const closed = new ConnectorFailure("CANCELLED", "The statement is closed.");
    this.#stopped ??= closed;
    this.#reading.abort(closed);
    // The running call releases the engine when it returns.
    if (this.#isWorking) return;
    this.#isOver = true;
    let isBroken = this.#isSpent || (error instanceof ConnectorFailure && error.reason === "SOURCE_CRASHED");
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
    // The reader may never pull again, so the engine is released at once.
    if (!this.#isWorking) this.end();
  }

  #hide(text: string): string {
    let shown = text;
    for (const [path, name] of this.#names) shown = shown.replaceAll(path, name);
    return shown;
  }

  async #run(sql: string): Promise<void> {
    await this.#work(({ instance }, connection) => instance.run(connection, sql));
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw failureOf(error, { hide: (text) => this.#hide(text) });
    }
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

  /** Only for the session's own database: before it is open, the engine still has the previous one. */
  #readFailure(): ConnectorFailure | undefined {
    return this.#connection === undefined ? undefined : readFailure(this.#turn.instance.readFailure);
  }

  async #work<T>(
    work: (turn: Turn, connection: number) => Promise<T>,
    context: { readonly sql?: string } = {},
  ): Promise<T> {
    if (this.#stopped !== undefined) throw this.#stopped;
    this.#isWorking = true;
    try {
      const answer = await work(this.#turn, this.#connection ?? 0);
      const failure = this.#stopped ?? this.#readFailure();
      if (failure !== undefined) throw failure;
      return answer;
    } catch (error) {
      const failure = failureOf(error, { ...context, hide: (text) => this.#hide(text) });
      if (failure.reason === "SOURCE_OUT_OF_MEMORY") this.#isSpent = true;
      throw this.#stopped ?? this.#readFailure() ?? failure;
    } finally {
      this.#isWorking = false;
      if (this.#stopped !== undefined) this.end();
    }
  }
}

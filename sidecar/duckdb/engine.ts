/**
 * One in-memory DuckDB per statement: nothing that a statement does (tables, settings, attached files) affects the next one.
 * Opening takes about 12 ms; a shared instance would save that and leak the effects of `SET` and `ATTACH`.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
} from "@duckdb/node-api";
import { type ErrorContext, engineFailure } from "../../src/connectors/duckdb/engine-error.ts";
import { sqlIdentifier, sqlText } from "../../src/connectors/duckdb/sql-text.ts";
import type { ConnectorFailure } from "../../src/connectors/failure.ts";
import { openInTime } from "./opening.ts";

export interface EngineSettings {
  /** Memory limit of one statement, such as `1GB`. */
  readonly memory: string;
  readonly threads: number;
  /** An existing directory, by default the system's; each engine spills into a subdirectory of its own. */
  readonly temporaryDirectory?: string;
  /** Limit for the spilled data of one statement, by default `10GB`. */
  readonly temporaryLimit?: string;
}

/** Files that a statement may open in addition to the attached databases. */
export interface Grants {
  /** Settings of the plan. */
  readonly session: readonly { readonly name: string; readonly value: string }[];
  /** The attached database for names without a catalog. */
  readonly defaultDatabase: string | undefined;
  readonly files: readonly string[];
  /** Allows everything below them: only for directories that do not lead outside. */
  readonly directories: readonly string[];
  /** The plan guarantees that no LIMIT is below a join. */
  readonly joinsMayFilter: boolean;
}

/** Interval of interrupts until the work ends: an interrupt between two tasks of the engine is lost. */
const INTERRUPT_EVERY_MS = 20;

export class Engine {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #spill: string;
  readonly #hide: (text: string) => string;
  #streaming: DuckDBResult | undefined;
  #working: Promise<unknown> = Promise.resolve();
  #isWorking = false;
  #stopped: ConnectorFailure | undefined;
  #closed: Promise<void> | undefined;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    spill: string,
    hide: (text: string) => string,
  ) {
    this.#instance = instance;
    this.#connection = connection;
    this.#spill = spill;
    this.#hide = (text) => hide(text).replaceAll(spill, "<temporary>");
  }

  /** `hide` removes paths of this machine from error texts. Rejects with `ConnectorFailure`. */
  static async open(settings: EngineSettings, hide: (text: string) => string): Promise<Engine> {
    const spill = join(settings.temporaryDirectory ?? tmpdir(), `siskin-${randomUUID()}`);
    try {
      return await openInTime(() => Engine.#open(settings, spill, hide));
    } catch (error) {
      throw engineFailure(error, { hide });
    }
  }

  static async #open(settings: EngineSettings, spill: string, hide: (text: string) => string): Promise<Engine> {
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: settings.memory,
      threads: String(settings.threads),
      temp_directory: spill,
      max_temp_directory_size: settings.temporaryLimit ?? "10GB",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
      allow_persistent_secrets: "false",
      // With this optimizer, values of one side of a join filter the other side below its LIMIT, which then returns other rows
      // (duckdb/duckdb#22963). It is disabled unless the plan guarantees that no such LIMIT exists.
      disabled_optimizers: "join_filter_pushdown",
    });
    const connection = await instance.connect();
    const engine = new Engine(instance, connection, spill, hide);
    await engine.run("SET errors_as_json = true; SET TimeZone = 'UTC'");
    return engine;
  }

  /** Called before `confine`, because the database's write-ahead log is opened too. */
  async attach(name: string, path: string): Promise<void> {
    await this.run(`ATTACH ${sqlText(path)} AS ${sqlIdentifier(name)} (READ_ONLY)`);
  }

  /** Closes all access to files except the granted ones permanently: neither `SET` nor a function can reopen it. */
  async confine(grants: Grants): Promise<void> {
    for (const { name, value } of grants.session) await this.run(`SET ${sqlIdentifier(name)} = ${sqlText(value)}`);
    if (grants.joinsMayFilter) await this.run("SET disabled_optimizers = ''");
    if (grants.defaultDatabase !== undefined) await this.run(`USE ${sqlIdentifier(grants.defaultDatabase)}`);
    await this.run(
      [
        `SET allowed_paths = [${grants.files.map(sqlText).join(", ")}]`,
        `SET allowed_directories = [${grants.directories.map(sqlText).join(", ")}]`,
        "SET enable_external_access = false",
        "SET lock_configuration = true",
      ].join("; "),
    );
  }

  /** Runs SQL of the connector and drops its result. `around` is the contained statement and its start offset. */
  async run(sql: string, around?: { readonly sql: string; readonly start: number }): Promise<void> {
    await this.#work(() => this.#connection.run(sql), around);
  }

  prepare(sql: string): Promise<DuckDBPreparedStatement> {
    return this.#work(() => this.#connection.prepare(sql), { sql });
  }

  /** Resolves when the first rows have arrived. `sql` is the prepared text, for error positions. */
  async stream(prepared: DuckDBPreparedStatement, sql: string): Promise<DuckDBResult> {
    this.#streaming = await this.#work(() => prepared.stream(), { sql });
    return this.#streaming;
  }

  /** Undefined at the end, **and when the statement failed**: the binding drops the error (see `row-stream.ts`). */
  fetch(result: DuckDBResult): Promise<DuckDBDataChunk | undefined> {
    return this.#work(() => nextChunk(result));
  }

  /** Ends running work and rejects later work with `failure`. Only the first reason counts. */
  stop(failure: ConnectorFailure): void {
    this.#stopped ??= failure;
    if (!this.#isWorking) return;
    const interrupt = (): void => {
      if (this.#isWorking) this.#connection.interrupt();
    };
    interrupt();
    const timer = setInterval(interrupt, INTERRUPT_EVERY_MS);
    const stop = (): void => clearInterval(timer);
    this.#working.then(stop, stop);
  }

  get stopped(): ConnectorFailure | undefined {
    return this.#stopped;
  }

  /** Waits until the running call has ended: the engine must not be closed during it. Idempotent, never throws. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#working.catch(() => undefined);
    if (this.#streaming !== undefined) await this.#endStream(this.#streaming);
    // Closing blocks the event loop while threads end, so pending output is sent first.
    await nextTurn();
    this.#connection.closeSync();
    this.#instance.closeSync();
    await rm(this.#spill, { recursive: true, force: true }).catch(() => undefined);
  }

  /**
   * A stream with unread rows keeps the whole engine alive, threads and file locks included, until garbage collection. The engine
   * is released when the stream has been read to its end, which an interrupt accelerates.
   */
  async #endStream(result: DuckDBResult): Promise<void> {
    try {
      do this.#connection.interrupt();
      while ((await nextChunk(result)) !== undefined);
    } catch {
      // An error also ends the stream.
    }
  }

  async #work<T>(call: () => Promise<T>, statement: Pick<ErrorContext, "sql" | "start"> = {}): Promise<T> {
    if (this.#stopped !== undefined) throw this.#stopped;
    const work = call();
    this.#working = work;
    this.#isWorking = true;
    try {
      const answer = await work;
      if (this.#stopped !== undefined) throw this.#stopped;
      return answer;
    } catch (error) {
      throw this.#stopped ?? engineFailure(error, { hide: this.#hide, ...statement });
    } finally {
      this.#isWorking = false;
    }
  }
}

async function nextChunk(result: DuckDBResult): Promise<DuckDBDataChunk | undefined> {
  const chunk = await result.fetchChunk();
  return chunk === null || chunk.rowCount === 0 ? undefined : chunk;
}

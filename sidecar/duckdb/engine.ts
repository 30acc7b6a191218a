/**
 * One DuckDB in memory for one statement: nothing a statement does (tables, settings, attached files) is there for the
 * next one. Opening takes about 12 ms; sharing an instance would save them and leak what `SET` and `ATTACH` leave behind.
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

export interface EngineSettings {
  /** `1GB`: what one statement may take. */
  readonly memory: string;
  readonly threads: number;
  /** Exists; each engine spills into its own directory below it. By default the system's. */
  readonly temporaryDirectory?: string;
  /** What one statement may spill, `10GB` by default. */
  readonly temporaryLimit?: string;
}

/** What a statement may open, besides the attached databases. */
export interface Grants {
  /** Settings of the plan. */
  readonly session: readonly { readonly name: string; readonly value: string }[];
  /** The attached database that names without a catalog mean. */
  readonly defaultDatabase: string | undefined;
  readonly files: readonly string[];
  /** Everything below them: only for directories without a way out. */
  readonly directories: readonly string[];
  /** The plan says that no LIMIT is below a join. */
  readonly joinsMayFilter: boolean;
}

/** The work is interrupted this often until it ends: an interrupt between two tasks of the engine is lost. */
const INTERRUPT_EVERY_MS = 20;

/**
 * DuckDB 1.4.4 sometimes waits for ever in its secret manager when instances of one process open at once. A process of the
 * sidecar has one; tests have many.
 */
let opening: Promise<unknown> = Promise.resolve();

function openAlone(open: () => Promise<Engine>): Promise<Engine> {
  const opened = opening.then(open);
  opening = opened.catch(() => {});
  return opened;
}

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

  /** `hide` takes paths of this machine out of error texts. Fails with `ConnectorFailure`. */
  static async open(settings: EngineSettings, hide: (text: string) => string): Promise<Engine> {
    const spill = join(settings.temporaryDirectory ?? tmpdir(), `siskin-${randomUUID()}`);
    try {
      return await openAlone(() => Engine.#open(settings, spill, hide));
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
      // What a join knows of one side filters the other below its LIMIT, which then takes other rows (duckdb/duckdb#22963): unless
      // it is known that there is none.
      disabled_optimizers: "join_filter_pushdown",
    });
    const connection = await instance.connect();
    const engine = new Engine(instance, connection, spill, hide);
    await engine.run("SET errors_as_json = true; SET TimeZone = 'UTC'");
    return engine;
  }

  /** Before `confine`, since the database's write-ahead log is opened too. */
  async attach(name: string, path: string): Promise<void> {
    await this.run(`ATTACH ${sqlText(path)} AS ${sqlIdentifier(name)} (READ_ONLY)`);
  }

  /** Closes every way to files but the granted ones, for good: neither `SET` nor a function can open it again. */
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

  /** Runs SQL of ours; what it answers is dropped. `around` tells which statement stands inside, from which character on. */
  async run(sql: string, around?: { readonly sql: string; readonly start: number }): Promise<void> {
    await this.#work(() => this.#connection.run(sql), around);
  }

  prepare(sql: string): Promise<DuckDBPreparedStatement> {
    return this.#work(() => this.#connection.prepare(sql), { sql });
  }

  /** Resolves when the first rows are there. `sql` is what was prepared, for the positions of errors. */
  async stream(prepared: DuckDBPreparedStatement, sql: string): Promise<DuckDBResult> {
    this.#streaming = await this.#work(() => prepared.stream(), { sql });
    return this.#streaming;
  }

  /** Undefined at the end, **and when the statement failed**: the binding drops the error (see `row-stream.ts`). */
  fetch(result: DuckDBResult): Promise<DuckDBDataChunk | undefined> {
    return this.#work(() => nextChunk(result));
  }

  /** Ends what runs and refuses what comes, with `failure`. The first reason given is the one that counts. */
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

  /** Waits until the running call has ended: the engine must not be taken away under it. Idempotent, never throws. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#working.catch(() => undefined);
    if (this.#streaming !== undefined) await this.#endStream(this.#streaming);
    // Closing blocks the event loop while threads end; what is ready to be sent goes out first.
    await nextTurn();
    this.#connection.closeSync();
    this.#instance.closeSync();
    await rm(this.#spill, { recursive: true, force: true }).catch(() => undefined);
  }

  /**
   * A stream that is left with rows in it keeps the whole engine alive, threads and file locks included, until the
   * garbage collector comes by. It lets go when it has been read to its end, which an interrupt brings near.
   */
  async #endStream(result: DuckDBResult): Promise<void> {
    try {
      do this.#connection.interrupt();
      while ((await nextChunk(result)) !== undefined);
    } catch {
      // Ended by an error: ended.
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

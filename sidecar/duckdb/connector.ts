/**
 * `local_file` and `duckdb`: native DuckDB, confined to the sidecar's file root.
 *
 * Two barriers protect other files. Every path of a plan is resolved to a real file below the root, and DuckDB gets exactly these
 * files. DuckDB itself is then locked to them, so that native SQL of the modeller that opens files finds no others.
 */
import { relative } from "node:path";
import { type DuckDBPreparedStatement, StatementType } from "@duckdb/node-api";
import { CAPABILITIES } from "../../src/connectors/capabilities.ts";
import { type RunQuery, readDatabaseCatalog } from "../../src/connectors/catalog/duckdb.ts";
import type { CatalogAnswers, CatalogRequest } from "../../src/connectors/catalog/types.ts";
import type { FileFields } from "../../src/connectors/connection/local-file.ts";
import type { CallOptions, Connector, DryRunReport, Statement } from "../../src/connectors/connector.ts";
import { assertSettable } from "../../src/connectors/duckdb/session-settings.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { answerOfFiles } from "../../src/connectors/files/table-listing.ts";
import type { ResultStream, SourceWarning } from "../../src/result/types.ts";
import { watchStatement } from "../statement-watch.ts";
import { assertNoCollations } from "./collations.ts";
import { attachFailure, type DatabaseFile, databaseFiles } from "./databases.ts";
import { Engine, type EngineSettings, type Grants } from "./engine.ts";
import { type DescribeWatch, describeCandidates, tableCandidates } from "./file-catalog.ts";
import type { ConfinedFile, FileRoot } from "./file-root.ts";
import { createView, type FileView, fileViews, grantsFor } from "./file-views.ts";
import { assertFiniteDays } from "./infinite-days.ts";
import { assertDecimalsFit } from "./narrow-decimals.ts";
import { assertNeedsNoGuard, assertReadsByView, filesBelow, scansParquet } from "./native-scans.ts";
import { filesNamedIn, openPaths } from "./open-directories.ts";
import { beginTransaction, collectRows, inTransaction, rowStream } from "./row-stream.ts";
import { assertWhole } from "./whole-files.ts";

export interface DuckDbSettings extends EngineSettings {
  readonly root: FileRoot;
  readonly watch?: DescribeWatch;
  /** Replaces `openEngine` if an engine is already open. */
  readonly open?: () => Promise<Engine>;
}

/** An engine that has run nothing yet. Rejects with `ConnectorFailure`. */
export function openEngine(settings: DuckDbSettings): Promise<Engine> {
  return Engine.open(settings, (text) => settings.root.hide(text));
}

/** Checks nothing yet: files are looked up when a statement needs them. `format` `duckdb` attaches databases. */
export function openDuckDb(connection: FileFields, settings: DuckDbSettings): Promise<Connector> {
  return Promise.resolve(new DuckDbConnector(connection, settings));
}

/** The files that a statement reads, and the views and databases over them. */
interface Ground {
  readonly views: readonly FileView[];
  readonly databases: readonly DatabaseFile[];
  readonly files: readonly ConfinedFile[];
}

/** An engine that works for one call. */
interface Session {
  readonly engine: Engine;
  /** Files that the statement's plan or its own text names. */
  readonly files: readonly ConfinedFile[];
  /** Views that check values of their files. */
  readonly guarded: readonly FileView[];
  readonly warnings: readonly SourceWarning[];
  end(): Promise<void>;
}

class DuckDbConnector implements Connector {
  readonly capabilities = CAPABILITIES.duckdb;
  readonly #connection: FileFields;
  readonly #settings: DuckDbSettings;
  readonly #sessions = new Set<Session>();
  #isClosed = false;

  constructor(connection: FileFields, settings: DuckDbSettings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    const { session, prepared } = await this.#prepare(statement, options, "rows");
    try {
      const { sql } = statement;
      const result = await session.engine.stream(prepared, sql);
      const rows = await rowStream({
        engine: session.engine,
        result,
        sql,
        verify: () => this.#settings.root.assertUnchanged(session.files),
        release: () => session.end(),
      });
      return { ...rows, warnings: session.warnings };
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const { session } = await this.#prepare(statement, options, "columns");
    await session.end();
    return session.warnings.length > 0 ? { warnings: session.warnings } : {};
  }

  async catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    if (!this.#attaches) {
      return (await answerOfFiles(request, (wanted) => this.#tables(wanted, options))) as CatalogAnswers[K];
    }
    const ground = await this.#ground([], "columns");
    return this.#withSession(ground, options, (run) => readDatabaseCatalog<K>(run, request));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions].map((session) => session.end()));
  }

  get #attaches(): boolean {
    return this.#connection.format === "duckdb";
  }

  async #tables(
    { filter, limit }: Extract<CatalogRequest, { kind: "tables" }>,
    options: CallOptions,
  ): Promise<CatalogAnswers["tables"]> {
    const candidates = await tableCandidates(this.#settings.root, this.#connection, filter);
    const ground = { views: [], databases: [], files: candidates.flatMap(({ files }) => files) };
    return this.#withSession(ground, options, (run) =>
      describeCandidates(run, candidates, limit, this.#settings.watch),
    );
  }

  async #withSession<T>(ground: Ground, options: CallOptions, work: (run: RunQuery) => Promise<T>): Promise<T> {
    const session = await this.#open(ground, options, grantsOf(ground), "columns");
    try {
      const { engine } = session;
      return await work((sql) => inTransaction(engine, () => collectRows(engine, sql)));
    } finally {
      await session.end();
    }
  }

  /** Binds the statement in its own transaction; throws unless it is exactly one SELECT. */
  async #prepare(
    statement: Statement,
    options: CallOptions,
    wanted: "rows" | "columns",
  ): Promise<{ session: Session; prepared: DuckDBPreparedStatement }> {
    assertSettable(statement.session);
    assertArrivesWhole(statement.sql);
    const ground = await this.#ground(statement.reads, wanted);
    const exact = grantsOf(ground, statement);
    try {
      return await this.#bind(await this.#open(ground, options, exact, wanted), statement);
    } catch (error) {
      if (!(error instanceof ConnectorFailure) || !OPENS_BY_ITSELF.has(error.engineCode ?? "")) throw error;
      if (this.#settings.root.store !== undefined) throw opensNothing(error);
      if (error.engineCode !== "Permission") throw error;
    }
    return this.#prepareNative(statement, options, wanted, ground, exact);
  }

  /** SQL of the modeller opens files by itself: those that it names, or everything below the root that leads nowhere else. */
  async #prepareNative(
    statement: Statement,
    options: CallOptions,
    wanted: "rows" | "columns",
    ground: Ground,
    exact: Grants,
  ): Promise<{ session: Session; prepared: DuckDBPreparedStatement }> {
    const { root } = this.#settings;
    const named = await filesNamedIn(statement.sql, root);
    const files = [...ground.files, ...named];
    const bound = async (grants: Grants, opened: () => Promise<readonly string[]>) => {
      const session = await this.#open({ ...ground, files }, options, grants, wanted);
      return this.#bind(session, statement, async () => {
        const plan = await planOf(session.engine, statement.sql);
        assertWritesNothing(plan);
        // A count, or a least value that a file states, needs no scan.
        const mayScan = this.#attaches || scansParquet(plan) || /parquet|query/i.test(statement.sql);
        if (mayScan) await assertNeedsNoGuard(session.engine, await opened(), root.path);
      });
    };
    if (named.length > 0) {
      const isHere = process.cwd() === root.path;
      const spelled = isHere ? named.map(({ path }) => relative(root.path, path)) : [];
      try {
        const grants = { ...exact, files: [...exact.files, ...spelled, ...grantsFor(named)] };
        return await bound(grants, async () => named.map(({ path }) => path));
      } catch (error) {
        if (!(error instanceof ConnectorFailure) || error.engineCode !== "Permission") throw error;
      }
    }
    const open = await openPaths(root.path);
    const grants = { ...exact, files: [...exact.files, ...open.files], directories: open.directories };
    return bound(grants, () => filesBelow(open));
  }

  async #bind(
    session: Session,
    { sql, reads }: Statement,
    check: () => Promise<void> = async () => undefined,
  ): Promise<{ session: Session; prepared: DuckDBPreparedStatement }> {
    try {
      assertReadsByView(sql, session.guarded);
      await beginTransaction(session.engine);
      if (this.#attaches) await assertNoCollations(session.engine, reads);
      const prepared = await session.engine.prepare(sql);
      if (prepared.statementType !== StatementType.SELECT) {
        throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only a SELECT can be run.");
      }
      if (prepared.parameterCount > 0) {
        throw new ConnectorFailure(
          "SOURCE_INVALID_SQL",
          "The statement has parameters, and nothing gives them values.",
        );
      }
      await check();
      return { session, prepared };
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  async #ground(reads: Statement["reads"], wanted: "rows" | "columns"): Promise<Ground> {
    const { root } = this.#settings;
    const { url } = this.#connection;
    if (this.#attaches) {
      const databases = await databaseFiles(root, url);
      return { views: [], databases, files: databases.map(({ file }) => file) };
    }
    const views = await fileViews(root, reads, this.#connection, wanted === "rows");
    return { views, databases: [], files: views.flatMap(({ files }) => files) };
  }

  /** An engine with these views and databases, confined to `grants` and watched during the call. */
  async #open(ground: Ground, options: CallOptions, grants: Grants, wanted: "rows" | "columns"): Promise<Session> {
    const engine = await (this.#settings.open?.() ?? openEngine(this.#settings));
    let ending: Promise<void> | undefined;
    const stopping = new AbortController();
    const guarded: FileView[] = [];
    const warnings: SourceWarning[] = [];
    const session: Session = {
      engine,
      files: ground.files,
      guarded,
      warnings,
      end: () => {
        watch.end();
        ending ??= this.#end(session);
        return ending;
      },
    };
    this.#sessions.add(session);
    const watch = watchStatement(options, (failure) => {
      engine.stop(failure);
      stopping.abort(failure);
      // Applies also while the client does not read: a waiting engine holds memory and locks.
      void session.end();
    });
    try {
      if (this.#isClosed) throw new ConnectorFailure("CANCELLED", "The connector is closed.");
      if (wanted === "rows") await assertWhole(ground.files, stopping.signal);
      for (const { name, file } of ground.databases) {
        await engine.attach(name, file.path).catch((error: unknown) => {
          throw engine.stopped ?? attachFailure(file, error);
        });
      }
      await engine.confine(grants);
      for (const view of ground.views) {
        const created = await createView(engine, view).catch(unreadable(view, engine));
        if (created.isGuarded) guarded.push(view);
        warnings.push(...created.warnings);
      }
      for (const view of ground.views) {
        if (wanted !== "rows") continue;
        if (view.parquet !== undefined)
          await assertDecimalsFit(engine, view.files, stopping.signal).catch(unreadable(view, engine));
        await assertFiniteDays(engine, view, stopping.signal);
      }
      return session;
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  async #end(session: Session): Promise<void> {
    session.engine.stop(new ConnectorFailure("CANCELLED", "The statement is closed."));
    await session.engine.close();
    this.#sessions.delete(session);
  }
}

function grantsOf({ files, databases }: Ground, statement?: Statement): Grants {
  const [only, ...others] = databases;
  return {
    session: statement?.session ?? [],
    // A database has views, which may contain any query.
    joinsMayFilter: databases.length === 0 && statement?.joinsMayFilter === true,
    files: grantsFor(files),
    directories: [],
    defaultDatabase: others.length === 0 ? only?.name : undefined,
  };
}

/** The engine reads the text only up to the first NUL, and cannot represent lone surrogates: it would run another statement. */
function assertArrivesWhole(sql: string): void {
  if (!sql.includes("\0") && sql.isWellFormed()) return;
  throw new ConnectorFailure("SOURCE_INVALID_SQL", "The statement holds a NUL or half a character.");
}

/** DuckDB's errors for a path without permission, and for an address such as `s3://…`. */
const OPENS_BY_ITSELF: ReadonlySet<string> = new Set(["Permission", "Missing Extension"]);

/** The engine has access only to those objects of a store that the plan names. */
function opensNothing(cause: ConnectorFailure): ConnectorFailure {
  return new ConnectorFailure("FILE_NOT_FOUND", "SQL of the model opens a file by itself, which does not exist.", {
    hint: "Files in buckets are read through models with a tableReference: write refSql over no read_csv, read_json or read_parquet.",
    ...(cause.engineCode !== undefined && { engineCode: cause.engineCode }),
    cause,
  });
}

/** An error while reading a file is a failure of the file and not of the statement. */
function unreadable(view: FileView, engine: Engine): (error: unknown) => never {
  return (error) => {
    if (engine.stopped !== undefined || !(error instanceof ConnectorFailure)) throw error;
    if (error.reason === "FILE_INVALID" || error.reason === "COLUMN_NOT_FOUND") throw error;
    throw new ConnectorFailure("FILE_INVALID", `"${view.name}" cannot be read: ${error.message}`, {
      ...(error.engineCode !== undefined && { engineCode: error.engineCode }),
      cause: error,
    });
  };
}

/**
 * `enable_logging` is a table function that makes DuckDB write files, even with a locked configuration (1.4). Only the engine
 * knows whether a statement calls it, however the call is written.
 */
function assertWritesNothing(plan: unknown): void {
  if (!callsLogging(plan)) return;
  throw new ConnectorFailure("SOURCE_INVALID_SQL", "The statement calls enable_logging, which writes files.");
}

async function planOf(engine: Engine, sql: string): Promise<unknown> {
  const [row] = await collectRows(engine, `EXPLAIN (FORMAT json) ${sql}`);
  return JSON.parse(String(row?.[1]));
}

/** `plan` is a tree of operators with `name` and `children`, and a table function's operator has the function's name. */
function callsLogging(plan: unknown): boolean {
  if (Array.isArray(plan)) return plan.some(callsLogging);
  if (typeof plan !== "object" || plan === null) return false;
  const { name, children } = plan as { readonly name?: unknown; readonly children?: unknown };
  return /^\s*enable_logging\s*$/i.test(String(name)) || callsLogging(children);
}

/**
 * Reads files by DuckDB's WASM. A statement gets a new database with only the files that its plan names, and the engine's
 * configuration is locked before the statement's SQL is parsed. Parquet and JSON are read in JavaScript (`parquet-table.ts`,
 * `json-view.ts`), and JSON functions are implemented in JavaScript (`json-functions.ts`). Other features that only native DuckDB
 * has (time zones, JSON as a type) are reported as `NEEDS_SIDECAR`.
 */

import { once } from "../../once.ts";
import type { ResultStream } from "../../result/types.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { fileTable } from "../catalog/duckdb.ts";
import type { CatalogAnswers, CatalogFilter, CatalogRequest, TableRecord } from "../catalog/types.ts";
import type { CsvOptions } from "../connection/csv-options.ts";
import type { FileFormat } from "../connection/file-format.ts";
import type { CallOptions, Connector, DryRunReport, Statement } from "../connector.ts";
import type { Described } from "../duckdb/declared/scan.ts";
import { assertSettable } from "../duckdb/session-settings.ts";
import { sqlIdentifier, sqlText } from "../duckdb/sql-text.ts";
import { ConnectorFailure } from "../failure.ts";
import { formatOf } from "../files/formats.ts";
import { needOf, ruledNeedOf, SCHEMA } from "../files/need.ts";
import { keyedSteps, keyOf } from "../files/partitions.ts";
import { filesRead } from "../files/read-files.ts";
import { answerOfFiles, isOfOneTable } from "../files/table-listing.ts";
import { sendableSql } from "../sql-text.ts";
import { within } from "../watch.ts";
import type { Turn, WasmEngine } from "./engine.ts";
import { assertNoTryCastToTimestamp, endedBy, roomElsewhere } from "./failures.ts";
import { extractsTexts, readsAsText } from "./json-columns.ts";
import { jsonFunctions, namesManyValues } from "./json-functions.ts";
import { needsSidecar, withoutAmounts } from "./needs-sidecar.ts";
import type { ScalarFunction } from "./scalar-functions.ts";
import { Session } from "./session.ts";
import type { FoundFile, View } from "./view.ts";

/** Files that are one table of a listing. */
export interface FoundTable {
  readonly name: string;
  /** The path as in a manifest. */
  readonly path: string;
  /** The files that determine its columns. */
  readonly files: readonly FoundFile[];
}

export interface WasmSettings {
  readonly engine: WasmEngine;
  /** A digest of the connection: equal exactly when files and credentials are the same. */
  readonly identity: () => Promise<string>;
  /** Keeps the isolate running after an answer, when the platform would end it. */
  readonly defer?: ((work: Promise<unknown>) => void) | undefined;
  /** The connection's format, for file names without a known extension. */
  readonly format: string;
  /** The connection's options for CSV files. */
  readonly csv?: CsvOptions | undefined;
  /** The files of a name in a plan. Rejects with `ConnectorFailure`. */
  readonly find: (name: string, signal: AbortSignal) => Promise<readonly FoundFile[]>;
  /** The tables of a listing, in its order. Rejects with `ConnectorFailure`. */
  readonly list: (filter: CatalogFilter, signal: AbortSignal) => Promise<readonly FoundTable[]>;
}

/** Checks nothing yet: files are looked up when a statement needs them. */
export function openWasm(settings: WasmSettings): Connector {
  return new WasmConnector(settings);
}

class WasmConnector implements Connector {
  readonly capabilities = CAPABILITIES.duckdb;
  readonly #settings: WasmSettings;
  readonly #sessions = new Set<Session>();
  /** For calls without an isolation key, which share an instance with no other connector. */
  readonly #alone = once(() => crypto.randomUUID());

  constructor(settings: WasmSettings) {
    this.#settings = settings;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    const session = await this.#prepare(statement, options, true);
    try {
      return await session.query(statement.sql);
    } catch (error) {
      session.end(error);
      throw error;
    }
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const session = await this.#prepare(statement, options, false);
    session.end();
    return session.warnings.length > 0 ? { warnings: session.warnings } : {};
  }

  async catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return (await answerOfFiles(request, (wanted) => this.#tables(wanted, options))) as CatalogAnswers[K];
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.end();
    const { engine, defer } = this.#settings;
    const preparing = engine.prepareSpare();
    defer?.(preparing);
  }

  /** Each table in a separate database: a table that fails is omitted, and does not affect the others. */
  async #tables(
    { filter, limit }: Extract<CatalogRequest, { kind: "tables" }>,
    options: CallOptions,
  ): Promise<readonly TableRecord[]> {
    const end = performance.now() + options.timeoutMs;
    const tables: TableRecord[] = [];
    const listed = await this.#inTurn(options, (finding) => this.#settings.list(filter, finding));
    for (const { name, path, files } of listed) {
      if (tables.length === limit) break;
      const format = formatOf(path, files[0]?.name, this.#settings.format);
      const describe = async (views: readonly View[]): Promise<Described> => {
        const timeoutMs = Math.max(1, Math.ceil(end - performance.now()));
        const session = await this.#open({ ...options, timeoutMs }, [], async () => views, NONE);
        try {
          return await session.describe(views.map((view) => view.name));
        } finally {
          session.end();
        }
      };
      try {
        tables.push(fileTable(name, path, await this.#describeFiles(path, files, format, describe)));
      } catch (error) {
        if (!isOfOneTable(error)) throw error;
      }
    }
    return tables;
  }

  /** The columns of all files; those of the first one where files have types of one name that have none in common. */
  async #describeFiles(
    path: string,
    files: readonly FoundFile[],
    format: FileFormat,
    describe: (views: readonly View[]) => Promise<Described>,
  ): Promise<Described> {
    const view: View = {
      name: path,
      files,
      format,
      need: SCHEMA,
      declared: undefined,
      csv: this.#settings.csv,
      areRead: false,
      jsonAsText: () => false,
    };
    if (format !== "json" && files.length > 1) {
      try {
        if (format === "csv") return await describe([{ ...view, unitesFiles: true }]);
        const views = files.map((file, index): View => ({ ...view, name: `${index}`, files: [file] }));
        return withKeysLast(path, files, await describe(views));
      } catch (error) {
        const isTooMuch = error instanceof ConnectorFailure && error.reason === "NEEDS_SIDECAR";
        if (!isTooMuch && !isOfOneTable(error)) throw error;
      }
    }
    return describe([view]);
  }

  async #inTurn<T>(options: CallOptions, find: (finding: AbortSignal) => Promise<T>): Promise<T> {
    const turn = await this.#enter(options);
    try {
      return await foundIn(turn, options, find);
    } finally {
      turn.end(false);
    }
  }

  async #enter(options: CallOptions): Promise<Turn> {
    const { engine, identity } = this.#settings;
    const key = options.isolation ?? this.#alone();
    return engine.enter(JSON.stringify([key, await identity()]), options);
  }

  /** Without rows, the statement is only bound. */
  async #prepare(statement: Statement, options: CallOptions, areRead: boolean): Promise<Session> {
    const { sql, session: wanted, reads } = statement;
    assertSettable(wanted);
    sendableSql(sql);
    assertNoTryCastToTimestamp(sql);
    if (!extractsTexts(sql)) throw needsSidecar("The statement takes values of JSON for others.");
    if (namesManyValues(sql)) throw needsSidecar("The statement takes lists of the values in JSON.");
    const settings = wanted.flatMap(({ name, value }) => settingOf(name, value));
    // The check of each JSON column reads the whole statement; for many columns and a long statement, the sidecar answers.
    let unread = MOST_READ_LETTERS;
    const jsonAsText = (column: string): boolean => {
      unread -= sql.length;
      return unread >= 0 && readsAsText(sql, column);
    };
    // Under a row rule, limits apply to the files as the rule alone reduces them: limits and failures do not depend on a caller's
    // comparisons.
    const needs = new Map(
      reads.flatMap(({ physical, scans }) =>
        physical ? [[physical.table, ruledNeedOf(scans) ?? needOf(scans)] as const] : [],
      ),
    );
    const isRuled = reads.some(({ scans }) => ruledNeedOf(scans) !== undefined);
    const views = (finding: AbortSignal): Promise<View[]> =>
      Promise.all(
        [...filesRead(reads)].map(async ([name, declared]): Promise<View> => {
          const files = await this.#settings.find(name, finding);
          const format = formatOf(name, files[0]?.name, this.#settings.format);
          return {
            name,
            files,
            format,
            need: needs.get(name) ?? needOf(undefined),
            declared,
            csv: this.#settings.csv,
            areRead,
            jsonAsText,
          };
        }),
      );
    const functions = /\bjson_/.test(sql) ? jsonFunctions() : NONE;
    const session = await this.#open(options, settings, views, functions).catch((error: unknown) => {
      throw isRuled ? withoutAmounts(error) : error;
    });
    try {
      await session.assertOneQuery(sql);
      return session;
    } catch (error) {
      session.end(error);
      throw error;
    }
  }

  /** `views` looks up files during the statement's own turn: many statements may wait, and each would hold its listing. */
  async #open(
    options: CallOptions,
    settings: readonly string[],
    views: (finding: AbortSignal) => Promise<readonly View[]>,
    functions: ReadonlyMap<string, ScalarFunction>,
  ): Promise<Session> {
    const turn = await this.#enter(options);
    const begun = performance.now();
    const found = await foundIn(turn, options, views).catch((error: unknown) => {
      turn.end(false);
      throw error;
    });
    const timeoutMs = Math.max(1, turn.timeoutMs - Math.floor(performance.now() - begun));
    const session = new Session(turn, { ...options, timeoutMs }, () => this.#sessions.delete(session));
    this.#sessions.add(session);
    try {
      await session.begin(settings, found, functions).catch(roomElsewhere);
      return session;
    } catch (error) {
      session.end(error);
      throw error;
    }
  }
}

/** Columns that directories give follow those of the files. */
function withKeysLast(path: string, files: readonly FoundFile[], described: Described): Described {
  const keys = new Set([path, ...files.map(({ name }) => name)].flatMap((name) => keyedSteps(name).map(keyOf)));
  const [own, ofKeys] = [false, true].map((isKey) => described.filter(([name]) => keys.has(name) === isKey));
  return [...(own ?? []), ...(ofKeys ?? [])];
}

/** Rejects as the statement does when its caller disconnects or its time is over. */
function foundIn<T>({ timeoutMs }: Turn, options: CallOptions, find: (finding: AbortSignal) => Promise<T>): Promise<T> {
  return within({ signal: options.signal, milliseconds: timeoutMs }, (ending) => endedBy(ending, options), find);
}

const NONE: ReadonlyMap<string, ScalarFunction> = new Map();
/** Maximum length of a statement times its number of JSON columns. */
const MOST_READ_LETTERS = 20_000_000;

/** The WASM engine has no time zone extension, and without it everything is in UTC. */
function settingOf(name: string, value: string): readonly string[] {
  if (name.toLowerCase() !== "timezone") return [`SET ${sqlIdentifier(name)} = ${sqlText(value)}`];
  if (value.toUpperCase() === "UTC") return [];
  throw needsSidecar(`The files Worker has no time zone but UTC, and not "${value}".`);
}

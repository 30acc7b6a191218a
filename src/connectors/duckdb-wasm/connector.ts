/**
 * Files by DuckDB's WASM. A statement has a fresh database, the files that its plan names and no others, and the engine's
 * configuration is locked before any of its SQL is read. Parquet is decoded here (`parquet-table.ts`); what else this engine
 * lacks (time zones, JSON) and native DuckDB has is told as `NEEDS_SIDECAR`.
 */
import type { ResultStream } from "../../result/types.ts";
import { CAPABILITIES } from "../capabilities.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { CallOptions, Connector, DryRunReport, Statement } from "../connector.ts";
import { assertSettable } from "../duckdb/session-settings.ts";
import { sqlIdentifier, sqlText } from "../duckdb/sql-text.ts";
import { needOf } from "../files/need.ts";
import { sendableSql } from "../sql-text.ts";
import type { WasmEngine } from "./engine.ts";
import { assertNoTriedMoments } from "./failures.ts";
import { needsSidecar } from "./needs-sidecar.ts";
import { type FoundFile, Session, type View } from "./session.ts";

export interface WasmSettings {
  readonly engine: WasmEngine;
  /** The files that a plan means by a name. Fails with `ConnectorFailure`. */
  readonly find: (name: string, signal: AbortSignal) => Promise<readonly FoundFile[]>;
}

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
    const session = await this.#prepare(statement, options, true);
    try {
      return await session.query(statement.sql);
    } catch (error) {
      session.end(error);
      throw error;
    }
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    (await this.#prepare(statement, options, false)).end();
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(): Promise<CatalogAnswers[K]> {
    return Promise.reject(needsSidecar("The files Worker does not describe files."));
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.end();
  }

  /** Without rows, the statement is bound and nothing more. */
  async #prepare({ sql, session: wanted, reads }: Statement, options: CallOptions, areRead: boolean): Promise<Session> {
    assertSettable(wanted);
    sendableSql(sql);
    assertNoTriedMoments(sql);
    const settings = wanted.flatMap(({ name, value }) => settingOf(name, value));
    const views = await Promise.all(
      viewsOf(reads).map(async (view): Promise<View> => {
        const files = await this.#settings.find(view.name, options.signal);
        return { ...view, files, format: formatOf(files, view.isDeclared), areRead };
      }),
    );
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
}

function viewsOf(reads: Statement["reads"]): readonly Pick<View, "name" | "need" | "isDeclared">[] {
  const views = new Map<string, Pick<View, "name" | "need" | "isDeclared">>();
  for (const { physical, scans, declared } of reads) {
    if (physical === undefined) continue;
    const name = physical.table;
    const isDeclared = declared !== undefined || views.get(name)?.isDeclared === true;
    views.set(name, { name, need: needOf(scans), isDeclared });
  }
  return [...views.values()];
}

/** Types of Parquet are the files' own, also under access rules; what directories and texts are, the sidecar reads as declared. */
function formatOf(files: readonly FoundFile[], isDeclared: boolean): View["format"] {
  const refused = (message: string) =>
    needsSidecar(message, { why: ": it reads CSV, JSON and Parquet, compressed or not" });
  const isParquet = files.every(({ name }) => /\.(?:parquet|pq)$/i.test(name));
  const partitioned = files.find(({ name }) => name.slice(0, name.lastIndexOf("/") + 1).includes("="));
  if (isDeclared && (!isParquet || partitioned !== undefined)) {
    throw refused("The files Worker reads no texts and no directories under access rules.");
  }
  if (isParquet) return "parquet";
  const strange = files.find(({ name }) => !/\.(?:csv|tsv)$/i.test(name));
  if (strange !== undefined) throw refused(`The files Worker does not read "${strange.name}".`);
  if (partitioned !== undefined) throw refused(`The files Worker reads no columns of "${partitioned.name}"'s path.`);
  return "csv";
}

/** Zones are an extension's, and without it all of the engine is in UTC. */
function settingOf(name: string, value: string): readonly string[] {
  if (name.toLowerCase() !== "timezone") return [`SET ${sqlIdentifier(name)} = ${sqlText(value)}`];
  if (value.toUpperCase() === "UTC") return [];
  throw needsSidecar(`The files Worker has no time zone but UTC, and not "${value}".`);
}

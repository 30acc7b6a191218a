/** The engines that are asked, each with its table of extremes. */
import { DuckDBInstance } from "@duckdb/node-api";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { startPostgres } from "../../support/postgres.ts";
import type { PostgresVersion } from "../../support/postgres-server.ts";
import type { Probe } from "./probes.ts";
import { type Column, DUCKDB_COLUMNS, manifestDataOf, POSTGRES_COLUMNS, tableOf } from "./values.ts";

/** `refused`: the planner does not say it on this source, or the engine refuses it for every value. */
export type Answer = "computed" | "raised" | "refused";

export interface AskedEngine {
  readonly source: "duckdb" | "postgres";
  readonly columns: readonly Column[];
  readonly manifest: Manifest;
  readonly run: (sql: string) => Promise<unknown>;
  /** Whether an error is about the statement, not about a value. */
  readonly isStatic: (error: unknown) => boolean;
  readonly close: () => Promise<void>;
}

/** @param version Of a server of its own; the one that the tests share when absent. */
export async function openPostgres(version?: PostgresVersion): Promise<AskedEngine> {
  const database = await startPostgres(version === undefined ? {} : { version });
  const client = await database.connect();
  await client.query("SET TimeZone = 'UTC'; SET statement_timeout = '20s'");
  await client.query(
    "CREATE COLLATION siskin_any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
  );
  for (const statement of tableOf(POSTGRES_COLUMNS)) await client.query(statement);
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  // Not to be read by 14, and new in 17.
  for (const [from, value] of [
    [150_000, "2562047788:00:54.775807"],
    [170_000, "infinity"],
    [170_000, "-infinity"],
  ] as const) {
    if ((rows[0]?.version ?? 0) >= from) await client.query("INSERT INTO extremes (iv) VALUES ($1)", [value]);
  }
  // 42: syntax, names and types, but 42P22 is a conflict of collations that is met when a row arrives.
  const isStatic = (error: unknown): boolean => {
    const code = (error as { code?: string }).code ?? "";
    return code.startsWith("42") && code !== "42P22";
  };
  return {
    source: "postgres",
    columns: POSTGRES_COLUMNS,
    manifest: manifestOf(manifestDataOf(POSTGRES_COLUMNS)),
    run: (sql) => client.query(sql),
    isStatic,
    close: () => database.stop(),
  };
}

export async function openDuckDb(): Promise<AskedEngine> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1", memory_limit: "1GB" });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  for (const statement of tableOf(DUCKDB_COLUMNS)) await connection.run(statement);
  return {
    source: "duckdb",
    columns: DUCKDB_COLUMNS,
    manifest: manifestOf(manifestDataOf(DUCKDB_COLUMNS)),
    run: (sql) => connection.runAndReadAll(sql),
    isStatic: (error) => /^(Binder|Parser|Catalog) Error/.test((error as Error).message),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const ALIASES = ["a", "b", "c"];

/** Columns to ask with: every one of each kind. */
export function choicesOf(engine: AskedEngine, probe: Probe): readonly (readonly string[])[] {
  let choices: (readonly string[])[] = [[]];
  for (const [index, kind] of probe.kinds.entries()) {
    const own = engine.columns.filter((column) => column.kind === kind);
    choices = choices.flatMap((chosen) => own.map(({ name }) => [...chosen, `${ALIASES[index]}.${name}`]));
  }
  return choices;
}

export function sqlOf(probe: Probe, columns: readonly string[]): string {
  const tables = ALIASES.slice(0, Math.max(1, columns.length)).map((alias) => `m AS ${alias}`);
  return `SELECT ${probe.sql(columns)} AS v FROM ${tables.join(" CROSS JOIN ")}`;
}

/** `raised` as soon as one choice of columns makes it fail. */
export async function ask(engine: AskedEngine, probe: Probe): Promise<Answer> {
  let answer: Answer = "refused";
  for (const columns of choicesOf(engine, probe)) {
    const once = await askOnce(engine, sqlOf(probe, columns));
    if (once === "raised") return once;
    if (once === "computed") answer = once;
  }
  return answer;
}

async function askOnce(engine: AskedEngine, sql: string): Promise<Answer> {
  try {
    await engine.run(planned(sql, engine.manifest, { source: engine.source }).sql);
    return "computed";
  } catch (error) {
    return error instanceof PlannerError || engine.isStatic(error) ? "refused" : "raised";
  }
}

/**
 * `npm run fences -- --source snowflake --connection connection.json`: attacks on the barriers of row rules, and noninterference, on
 * an account of one's own. The file holds `connectionInfo` as in requests.
 *
 * `--schema NAME`: where the tables are; otherwise in the connection's own schema. `--given`: the tables are there, and stay.
 * `--tables` prints the statements that make and drop them, for sources whose tables this command cannot make. `--root DIR`: the
 * directory of a DuckDB connection. `--statements 500`, `--seed 1`: noninterference. `--share 4`: one attack of so many.
 * `--without-barrier` takes the barriers out of the plans, to see that a leak is reported.
 *
 * `fences-SOURCE.md` is the record, without what the connection holds. Exits with 1 if anything leaked.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import type { Plan } from "../../../src/planner/plan.ts";
import { type Account, openAccount, readAccount, withoutConnection } from "../../parity/own/account.ts";
import { type OpenedSource, openDuckDbDatabases } from "../../support/sources.ts";
import { PLANNED_SOURCES } from "../../support/statements.ts";
import { runSeeds } from "../noninterference/run.ts";
import { droppingStatements, makingStatements } from "./account-tables.ts";
import { accountTarget } from "./account-worlds.ts";
import { withoutBarriers } from "./barriers-removed.ts";
import { attack } from "./fence-attacks.ts";
import { type Found, leaksOf, recordOf, showsSomething } from "./record.ts";
import { openWriter } from "./writer.ts";

const { values } = parseArgs({
  options: {
    source: { type: "string" },
    connection: { type: "string" },
    schema: { type: "string" },
    root: { type: "string" },
    given: { type: "boolean", default: false },
    tables: { type: "boolean", default: false },
    statements: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    share: { type: "string", default: "4" },
    "without-barrier": { type: "boolean", default: false },
    report: { type: "string" },
  },
});

const { schema } = values;
const source = plannedSource(values.source ?? "");
if (values.tables) await printTables();
else await report(readAccount(source, wanted("connection")));

function wanted(name: "connection" | "root"): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return value;
}

function plannedSource(name: string): PlannedSource {
  const known = PLANNED_SOURCES.find((each) => each === name);
  if (known === undefined) throw new Error(`--source ${name}: there are ${PLANNED_SOURCES.join(", ")}`);
  return known as PlannedSource;
}

async function printTables(): Promise<void> {
  for await (const statement of makingStatements(source, schema)) process.stdout.write(`${statement};\n`);
  process.stdout.write("\n-- When the run has ended:\n");
  for (const statement of droppingStatements(source, schema)) process.stdout.write(`${statement};\n`);
}

async function report(account: Account): Promise<void> {
  const drop = values.given ? undefined : await makeTables(account);
  try {
    const opened = source === "duckdb" ? await openDirectory() : await openAccount(account);
    let found: Found;
    try {
      found = await run(opened);
    } finally {
      await opened.close();
    }
    const record = recordOf(found).join("\n");
    // A DuckDB connection holds no secret, and its values are words of the record.
    const text = source === "duckdb" ? record : withoutConnection(record, account);
    const file = values.report ?? `fences-${source}.md`;
    writeFileSync(file, `${text}\n`);
    process.stdout.write(`${text}\n\nWritten to ${file}.\n`);
    process.exitCode = leaksOf(found).length > 0 || !showsSomething(found) ? 1 : 0;
  } finally {
    await drop?.();
  }
}

async function run(opened: OpenedSource & { readonly version: string }): Promise<Found> {
  const withoutBarrier = values["without-barrier"];
  const tampering = (plan: Plan): Plan => (withoutBarrier ? { ...plan, sql: withoutBarriers(plan.sql) } : plan);
  const attacks = await attack({ source, opened, schema, share: Number(values.share), tampering });
  process.stderr.write(`${attacks.armed} attacks, ${attacks.leaks.length} leaks\n`);
  const target = accountTarget(source, opened.connector, schema);
  const noninterference = await runSeeds(
    { postgres: [target], files: [target], versions: [], close: () => Promise.resolve() },
    { first: Number(values.seed), statements: Number(values.statements), tampering },
  );
  const date = new Date().toISOString().slice(0, 10);
  return { source, version: opened.version, date, withoutBarrier, attacks, noninterference };
}

/** Makes the tables, and returns what drops them. */
async function makeTables(account: Account): Promise<() => Promise<void>> {
  if (source === "duckdb") return await makeDatabase(join(wanted("root"), "siskin_fences.duckdb"));
  const writer = await openWriter(account);
  if (writer === undefined)
    throw new Error(`tables of ${source} are made by what --tables prints; run this again with --given`);
  const drop = async (): Promise<void> => {
    for (const statement of droppingStatements(source, schema)) await writer.run(statement).catch(() => undefined);
    await writer.close();
  };
  try {
    for await (const statement of makingStatements(source, schema)) await writer.run(statement);
  } catch (error) {
    await drop();
    throw error;
  }
  return drop;
}

/** Columns keep dictionaries, as those of large tables do. */
async function makeDatabase(file: string): Promise<() => Promise<void>> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run("SET force_compression = 'dictionary'");
  for await (const statement of makingStatements(source, undefined)) await connection.run(statement);
  await connection.run("CHECKPOINT");
  connection.closeSync();
  instance.closeSync();
  return async () => rmSync(file);
}

async function openDirectory(): Promise<OpenedSource & { readonly version: string }> {
  const opened = await openDuckDbDatabases(wanted("root"));
  const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
  return { ...opened, version: await opened.connector.catalog({ kind: "version" }, call) };
}

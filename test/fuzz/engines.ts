/**
 * Verdicts of the engines' own parsers on planned SQL: whether it is a statement at all. Nothing is analysed or run.
 */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type pg from "pg";
import { DatabaseError } from "pg";
import { startPostgres } from "../support/postgres.ts";
import type { Finding, Sample } from "./shard.ts";

export interface EngineParsers {
  /** The samples that an engine cannot read. */
  readonly refused: (samples: readonly Sample[]) => Promise<readonly Finding[]>;
  /** `PostgreSQL 18.4`. */
  readonly postgresVersion: () => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function openParsers(): Promise<EngineParsers> {
  const [database, instance] = await Promise.all([startPostgres(), DuckDBInstance.create(":memory:")]);
  const [postgres, duckdb] = await Promise.all([database.connect(), instance.connect()]);
  return {
    refused: async (samples) => {
      const findings: Finding[] = [];
      for (const { seed, engine, sql } of samples) {
        const problem = await (engine === "duckdb" ? duckDbProblem(duckdb, sql) : postgresProblem(postgres, sql));
        if (problem !== undefined) findings.push({ seed, problem: `${engine}: ${problem}\n  ${sql}` });
      }
      return findings;
    },
    postgresVersion: async () => {
      const { rows } = await postgres.query<{ server_version: string }>("SHOW server_version");
      return `PostgreSQL ${rows[0]?.server_version}`;
    },
    close: async () => {
      duckdb.closeSync();
      instance.closeSync();
      await database.stop();
    },
  };
}

async function duckDbProblem(connection: DuckDBConnection, sql: string): Promise<string | undefined> {
  try {
    const statements = await connection.extractStatements(sql);
    return statements.count === 1 ? undefined : `${statements.count} statements`;
  } catch (error) {
    return String(error);
  }
}

/** PostgreSQL parses before it looks anything up: a syntax error comes first, an unknown table says that there was none. */
async function postgresProblem(client: pg.Client, sql: string): Promise<string | undefined> {
  try {
    await client.query(`PREPARE fuzzed AS ${sql}`);
    await client.query("DEALLOCATE fuzzed");
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return /^syntax error|^unterminated|^zero-length|^trailing junk/.test(error.message) ? error.message : undefined;
  }
}

/** A database of 5,000 tables: every table is a model, every key a relationship, and the project is read again. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { siskin } from "../../support/terminal.ts";

const TABLES = 5000;
/** A transaction holds a lock on each table that it creates. */
const AT_ONCE = 250;

test("5,000 tables", async () => {
  const directory = mkdtempSync(join(tmpdir(), "siskin-large-"));
  const database = await startPostgres();
  try {
    const client = await database.connect();
    for (let from = 0; from < TABLES; from += AT_ONCE) {
      const statements = Array.from({ length: AT_ONCE }, (_, at) => {
        const table = from + at;
        const key = table === 0 ? "" : ` REFERENCES t_${table - 1}`;
        return `CREATE TABLE t_${table} (id int PRIMARY KEY, previous_id int${key}, name text);`;
      });
      await client.query(statements.join("\n"));
    }
    const settings = { directory, environment: { DATABASE_URL: database.url }, isTerminal: true };
    const made = await siskin(["init", "p"], settings);
    expect(made).toMatchObject({ code: 0, err: `Wrote ${TABLES} models and ${TABLES - 1} relationships to p.\n` });
    expect(readdirSync(join(directory, "p/models"))).toHaveLength(TABLES);
    const planned = await siskin(["plan", "-p", "p", "SELECT a.previous.previous.name FROM t_4999 a"], settings);
    expect(planned).toMatchObject({ code: 0, err: "" });
  } finally {
    await database.stop();
    rmSync(directory, { recursive: true });
  }
}, 300_000);

/** `npm run fences -- --source … --connection …` on real engines by connection files: nothing leaks, and it reports a leak. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startClickHouse } from "../../support/clickhouse.ts";
import { hasClickHouse } from "../../support/clickhouse-server.ts";
import { startMySql } from "../../support/mysql.ts";
import { hasMySql } from "../../support/mysql-server.ts";
import { startPostgres } from "../../support/postgres.ts";
import { openTrinoSchema } from "../../support/trino.ts";
import { hasTrino } from "../../support/trino-server.ts";

const COMMAND = fileURLToPath(new URL("../fences/command.ts", import.meta.url));
const run = promisify(execFile);

interface Engine {
  readonly name: string;
  readonly source: string;
  readonly isHere: boolean;
  /** `connectionInfo`, the names of tables that are there now, and an end. */
  readonly open: () => Promise<Opened>;
}

interface Opened {
  readonly connection: object;
  readonly tables: () => Promise<readonly string[]>;
  readonly close: () => Promise<unknown>;
}

const directory = mkdtempSync(join(tmpdir(), "siskin-own-fences-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ENGINES: readonly Engine[] = [
  {
    name: "PostgreSQL",
    source: "postgres",
    isHere: true,
    open: async () => {
      const database = await startPostgres();
      const client = await database.connect();
      return {
        connection: { connectionUrl: database.url },
        tables: async () =>
          (await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).rows.map(String),
        close: () => database.stop(),
      };
    },
  },
  {
    name: "MySQL",
    source: "mysql",
    isHere: hasMySql("mysql"),
    open: async () => {
      const database = await startMySql("mysql");
      return {
        connection: { connectionUrl: database.url },
        tables: async () => (await database.query(`SHOW TABLES FROM ${database.database}`)).map(String),
        close: () => database.stop(),
      };
    },
  },
  {
    name: "ClickHouse's engine",
    source: "clickhouse",
    isHere: hasClickHouse(),
    open: async () => {
      const database = await startClickHouse();
      return {
        connection: database.fields,
        tables: async () => (await database.query("SHOW TABLES")).map(String),
        close: () => database.stop(),
      };
    },
  },
  {
    name: "Trino",
    source: "trino",
    isHere: hasTrino(),
    open: async () => {
      const schema = await openTrinoSchema();
      const { hostname, port } = new URL(schema.url);
      return {
        connection: { host: `http://${hostname}`, port, catalog: "memory", schema: schema.name, user: "test" },
        tables: async () => (await schema.run(`SHOW TABLES FROM memory.${schema.name}`)).map(String),
        close: () => schema.close(),
      };
    },
  },
  {
    name: "DuckDB",
    source: "duckdb",
    isHere: true,
    open: async () => ({
      connection: { url: "/", format: "duckdb" },
      tables: async () => readdirSync(directory).filter((file) => file.endsWith(".duckdb")),
      close: async () => undefined,
    }),
  },
];

describe.each(ENGINES)("$name", ({ source, isHere, open }) => {
  describe.skipIf(!isHere)("by a connection file", () => {
    let opened: Opened;
    const file = join(directory, `${source}.json`);
    const record = join(directory, `${source}.md`);
    beforeAll(async () => {
      opened = await open();
      writeFileSync(file, JSON.stringify(opened.connection));
    });
    afterAll(() => opened?.close());

    async function asked(...more: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
      const words = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning", COMMAND];
      const own = ["--source", source, "--connection", file, "--root", directory, "--report", record];
      try {
        await run(process.execPath, [...words, ...own, ...more], { maxBuffer: 64 * 1024 * 1024 });
        return { code: 0, text: readFileSync(record, "utf8") };
      } catch (error) {
        const { code, stderr } = error as { readonly code?: number; readonly stderr?: string };
        if (code !== 1 || stderr?.includes("Error:")) throw error;
        return { code, text: readFileSync(record, "utf8") };
      }
    }

    test("nothing leaks, and no table stays", { timeout: 600_000 }, async () => {
      const { code, text } = await asked("--share", "97", "--statements", "10");
      expect(text).toContain("Nothing leaked.");
      expect(text).toMatch(/Engine \| .*\d+/);
      expect(text).toContain(new Date().toISOString().slice(0, 10));
      expect(code).toBe(0);
      expect(await opened.tables()).toEqual([]);
    });

    test("it reports what leaks without the barrier", { timeout: 600_000 }, async () => {
      const { code, text } = await asked("--share", "31", "--statements", "1", "--without-barrier");
      expect(text).toContain("## Leaks");
      expect(code).toBe(1);
      expect(await opened.tables()).toEqual([]);
    });
  });
});

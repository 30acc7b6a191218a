/**
 * `npm run parity -- --source … --connection …`, which is for accounts that nobody has here, on engines that run here: PostgreSQL, and
 * with `OWN_ACCOUNT=all` ClickHouse's, MySQL, MariaDB, Trino and Spark.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlannedSource } from "../../src/planner/dialects/targets.ts";
import { statementsFor } from "../parity/own/tables.ts";
import { startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse } from "../support/clickhouse-server.ts";
import { startMySql } from "../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS } from "../support/mysql-server.ts";
import { startPostgres } from "../support/postgres.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, startSpark } from "../support/spark-server.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino } from "../support/trino-server.ts";

interface Lent {
  readonly connection: object;
  readonly schema: string;
  readonly run: (sql: string) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

interface Engine {
  readonly label: string;
  readonly source: PlannedSource;
  readonly isThere: boolean;
  readonly open: () => Promise<Lent>;
  /** Suites in which a limit of the server's is met, and how often. */
  readonly limits?: readonly string[];
}

const ALL = process.env["OWN_ACCOUNT"] === "all";

/** A thousand statements on a machine that does other things. */
const PATIENCE_MS = ALL ? 1_800_000 : 600_000;

const ENGINES: readonly Engine[] = [
  {
    label: "PostgreSQL",
    source: "postgres",
    isThere: true,
    open: async () => {
      const database = await startPostgres();
      const client = await database.connect();
      await client.query("CREATE SCHEMA own");
      return {
        connection: { connectionUrl: database.url },
        schema: "own",
        run: (sql) => client.query(sql),
        close: () => database.stop(),
      };
    },
  },
  {
    label: "ClickHouse",
    source: "clickhouse",
    isThere: ALL && hasClickHouse(),
    open: async () => {
      const { fields, database, query, stop } = await startClickHouse();
      return { connection: fields, schema: database, run: (sql) => query(sql), close: stop };
    },
  },
  ...MYSQL_FLAVORS.map(
    (flavor): Engine => ({
      label: flavor,
      source: "mysql",
      isThere: ALL && hasMySql(flavor),
      open: async () => {
        const { url, database, query, stop } = await startMySql(flavor);
        return { connection: { connectionUrl: url }, schema: database, run: query, close: stop };
      },
    }),
  ),
  {
    label: "Trino",
    source: "trino",
    isThere: ALL && hasTrino(),
    // Its recursion is ten steps deep (Q25).
    limits: ["analyst queries: 1"],
    open: async () => {
      const { name, url, run, close } = await openTrinoSchema();
      const { hostname, port } = new URL(url);
      const connection = { host: `http://${hostname}`, port, catalog: "memory", schema: name, user: "test" };
      return { connection, schema: name, run, close };
    },
  },
  {
    label: "Spark",
    source: "spark",
    isThere: ALL && hasSpark(),
    open: async () => {
      const { host, port } = await startSpark();
      await runOnSpark("CREATE DATABASE own");
      return {
        connection: { host, port },
        schema: "own",
        run: runOnSpark,
        close: () => runOnSpark("DROP DATABASE own CASCADE"),
      };
    },
  },
];

describe("the command", () => {
  test.each([
    [["--source", "nowhere", "--connection", "x.json"], "--source nowhere: there are athena, "],
    [["--source", "postgres"], "--connection is missing"],
    [["--source", "postgres", "--tables"], "--schema is missing"],
  ])("%j is refused", async (words, message) => {
    await expect(command(words)).rejects.toThrow(message);
  });
});

describe.each(ENGINES.filter(({ isThere }) => isThere))("$label", ({ source, open, limits = [] }) => {
  let lent: Lent;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "siskin-own-"));
    lent = await open();
    for await (const statement of statementsFor(source, lent.schema)) await lent.run(statement);
    writeFileSync(join(directory, "connection.json"), JSON.stringify(lent.connection));
  }, PATIENCE_MS);
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true });
    await lent?.close();
  });

  test("is asked everything, and nothing is wrong", { timeout: PATIENCE_MS }, async () => {
    const report = join(directory, "report.md");
    const words = ["--source", source, "--connection", join(directory, "connection.json"), "--schema", lent.schema];
    await command([...words, "--random", ALL ? "20" : "2", "--report", report]);
    const text = readFileSync(report, "utf8");
    // An engine's error is a limit of the server's, or the command had failed.
    const rows = [...text.matchAll(/^\| ([a-z' ]+) \| (\d+) \| (\d+) \| (\d+) \| 0 \|$/gm)];
    const errors = rows.filter((row) => row[4] !== "0").map(([, suite, , , count]) => `${suite}: ${count}`);
    expect(errors).toEqual(limits);
    expect(rows.map(([, suite]) => suite)).toEqual([
      "analyst queries",
      ...[
        "constructs",
        "functions",
        "casts",
        "random queries",
        "random statements",
        "metadata",
        "connectors' contract",
      ],
    ]);
    for (const [, suite, right] of rows) expect(Number(right), suite).toBeGreaterThan(0);
    for (const value of Object.values(lent.connection).filter((each) => String(each).length > 3))
      expect(text).not.toContain(String(value));
  });
});

async function command(words: readonly string[]): Promise<void> {
  const told = { maxBuffer: 64 * 1024 * 1024 };
  try {
    await promisify(execFile)("npm", ["run", "--silent", "parity", "--", ...words], told);
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}

/**
 * Clients of the Model Context Protocol by three makers, in both eras: they list, read, call and cancel. `npm run engines` installs the
 * Python client; the Go client needs a Go toolchain, and gets its modules by go.sum.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpService, startMcpService } from "../../mcp/mcp-service.ts";
import { eventually } from "../../support/eventually.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";

const ROOT = join(import.meta.dirname, "../../..");
const JUDGES = join(ROOT, "test/judges");
const PYTHON = join(ROOT, ".siskin/mcp/bin/python");
const hasPython = existsSync(PYTHON);
const hasGo = spawnSync("go", ["version"]).status === 0;

const MANIFEST = {
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "numbers",
      tableReference: { schema: "public", table: "numbers" },
      columns: [{ name: "n", type: "INTEGER" }],
    },
  ],
};
const ENDLESS =
  "SELECT count(*) AS c FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers d WHERE a.n + b.n + d.n = -1";

let database: TestDatabase;
let service: McpService;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "siskin-mcp-clients-"));
  database = await startPostgres();
  const client = await database.connect();
  await client.query("CREATE TABLE numbers AS SELECT n::int FROM generate_series(1, 100000) AS n");
  const connectionInfo = { connectionUrl: database.url };
  service = await startMcpService({ numbers: { dataSource: "postgres", connectionInfo, manifest: MANIFEST } });
}, 120_000);
afterAll(async () => {
  await service?.close();
  await database?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

async function running(): Promise<number> {
  const client = await database.connect();
  try {
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%numbers%' AND query NOT LIKE '%pg_stat_activity%' AND datname = current_database()",
    );
    return rows[0].n as number;
  } finally {
    await client.end();
  }
}

/** Runs a client, and sees its endless statement begin and end. */
async function judged(command: string, words: readonly string[], mode: string): Promise<unknown> {
  const child = spawn(command, [
    ...words,
    `${service.url}/mcp/numbers`,
    mode,
    "SELECT n FROM numbers ORDER BY n LIMIT 2",
    ENDLESS,
  ]);
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await Promise.race([eventually(async () => expect(await running()).toBe(1)), ended]);
  expect(await ended, errors).toBe(0);
  await eventually(async () => expect(await running()).toBe(0));
  return JSON.parse(output);
}

const EXPECTED = {
  tools: ["search", "describe", "values", "check", "query", "query_cube", "functions"],
  text: expect.stringContaining("- model numbers") as string,
  structured: expect.objectContaining({ rows: [[1], [2]], truncated: false }) as object,
  cancelled: true,
};

const MODES = ["2026-07-28", "legacy"];

describe.skipIf(!hasPython)("the Python client", () => {
  it.each(MODES)("%s", async (mode) => {
    expect(await judged(PYTHON, [join(JUDGES, "mcp-client.py")], mode)).toEqual(EXPECTED);
  });
});

describe.skipIf(!hasGo)("the Go client", { timeout: 300_000 }, () => {
  it.each(MODES)("%s", async (mode) => {
    const program = join(directory, "mcp-go");
    execFileSync("go", ["build", "-o", program, "."], { cwd: join(JUDGES, "mcp-go") });
    expect(await judged(program, [], mode)).toEqual(EXPECTED);
  });
});

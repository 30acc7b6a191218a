/**
 * Callers through the real Workers and the real sidecar: how many processes of DuckDB wait for an owner afterwards. A process that
 * answered whole is kept for its owner, so there is one for each.
 */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Playground, playground } from "../sidecar/duckdb/fixtures.ts";
import { SECRET, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

const KEYS = { ann: "sk_the-key-of-ann-is-long-enough-for-a-key", bob: "sk_the-key-of-bob-is-long-enough-for-a-key" };

let ground: Playground;
let sidecar: SidecarProcess;
let worker: RunningWorker;

beforeAll(async () => {
  ground = playground();
  ground.write("shop/orders.csv", "id,tenant\n1,acme\n2,other\n");
  ground.write("shop/days.csv", "id\n1\n");
  sidecar = await startSidecar({ FILE_ROOT: ground.root, METRICS_PORT: "0", DUCKDB_SPARES: "16" });
  const digests = (key: string): string[] => [createHash("sha256").update(key).digest("hex")];
  worker = await startWorker({
    AUTH: "keys",
    API_KEYS: JSON.stringify({ ann: { digests: digests(KEYS.ann) }, bob: { digests: digests(KEYS.bob) } }),
    CALLER_OWN_CONNECTIONS: "allowed",
    SIDECAR_URL: sidecar.url,
    SIDECAR_SECRET: SECRET,
  });
}, 120_000);
afterAll(async () => {
  await sidecar?.stop();
  ground?.remove();
});

const manifestStr = Buffer.from(
  JSON.stringify({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "orders",
        tableReference: { table: "/shop/orders.csv" },
        columns: [
          { name: "id", type: "integer" },
          { name: "tenant", type: "varchar" },
        ],
        rowLevelAccessControls: [
          { name: "own", requiredProperties: [{ name: "tenant", required: true }], condition: "tenant = @tenant" },
        ],
      },
      { name: "days", tableReference: { table: "/shop/days.csv" }, columns: [{ name: "id", type: "integer" }] },
    ],
  }),
).toString("base64");

interface Asking {
  readonly caller: keyof typeof KEYS;
  readonly model?: "days" | "orders";
  readonly tenant?: string;
  readonly url?: string;
}

async function ask({ caller, model = "days", tenant, url = "/" }: Asking): Promise<unknown> {
  const body = { sql: `SELECT id FROM ${model}`, manifestStr, connectionInfo: { url, format: "csv" } };
  const answer = await worker.post("/v3/connector/local_file/query", body, {
    authorization: `Bearer ${KEYS[caller]}`,
    ...(tenant !== undefined && { "x-wren-variable-tenant": `'${tenant}'` }),
  });
  const json = (await answer.json()) as { data?: unknown };
  return json.data ?? json;
}

async function kept(): Promise<number> {
  const port = sidecar.log.find(({ event }) => event === "listening")?.metricsPort;
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^siskin_duckdb_processes\{state="kept"\} (\d+)$/m.exec(text)?.[1]);
}

it.each<[what: string, asking: Asking, rows: unknown, processes: number]>([
  ["a caller", { caller: "ann" }, [[1]], 1],
  ["the same caller again", { caller: "ann" }, [[1]], 1],
  ["values that no rule reads", { caller: "ann", tenant: "acme" }, [[1]], 1],
  ["another caller", { caller: "bob" }, [[1]], 2],
  ["the first caller again", { caller: "ann" }, [[1]], 2],
  ["a value that a rule reads", { caller: "ann", model: "orders", tenant: "acme" }, [[1]], 3],
  ["another value", { caller: "ann", model: "orders", tenant: "other" }, [[2]], 4],
  ["the first value again", { caller: "ann", model: "orders", tenant: "acme" }, [[1]], 4],
  ["the same value of another caller", { caller: "bob", model: "orders", tenant: "acme" }, [[1]], 5],
  ["another connection", { caller: "bob", url: "/shop" }, [[1]], 6],
])("%s: %j", async (_, asking, rows, processes) => {
  expect(await ask(asking)).toEqual(rows);
  await expect.poll(kept, { timeout: 30_000 }).toBe(processes);
});

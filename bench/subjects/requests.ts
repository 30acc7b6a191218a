/** Requests per second and latency of the Worker in plain workerd: planning only, and queries on PostgreSQL. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { startPostgres, type TestDatabase } from "../../test/support/postgres.ts";
import { median, milliseconds, whole } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { cpuMilliseconds } from "../rig/cpu-time.ts";
import { type Call, load } from "../rig/http-client.ts";
import { tpchManifest } from "../rig/queries.ts";
import { fillPostgres, readingsManifest } from "../rig/readings.ts";
import { startWorkerd } from "../rig/workerd.ts";
import type { Run, Section } from "../subject.ts";

const CONCURRENCY = [1, 10, 50] as const;
const MILLISECONDS = 3_000;
const WARM_UP_MS = 700;
const BARE_CONNECTIONS = 100;

interface Named extends Call {
  readonly name: string;
}

export async function requests(run: Run): Promise<Section> {
  const database = await startPostgres();
  run.onEnd(() => database.stop());
  const client = await database.connect();
  await fillPostgres(client);
  const trivial = join(run.directory, "trivial.js");
  writeFileSync(trivial, "export default { fetch: () => new Response('ok') };");
  const worker = await startWorkerd(run, [
    {
      name: "main",
      file: run.bundle.file,
      connectors: run.bundle.connectors,
      variables: { AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" },
    },
    { name: "trivial", file: trivial },
  ]);
  const url = worker.urls["main"] ?? "";
  const { queries, title } = run.standard;
  const query = (sql: string): Pick<Call, "url" | "body"> => ({
    url: `${url}/v3/connector/postgres/query`,
    body: JSON.stringify({
      sql,
      manifestStr: readingsManifest({ schema: "public", table: "readings" }),
      connectionInfo: { connectionUrl: database.url },
    }),
  });
  const calls: readonly Named[] = [
    { name: "a trivial Worker: the floor", url: `${worker.urls["trivial"]}/` },
    { name: "`GET /health`", url: `${url}/health` },
    {
      name: "`dry-plan`",
      url: `${url}/v3/connector/dry-plan`,
      body: JSON.stringify({ sql: queries[0]?.sql, manifestStr: tpchManifest() }),
    },
    { name: "`query`, 1 row", ...query("SELECT id, name FROM readings WHERE id = 4711") },
    { name: "`query`, 1,000 rows × 10", ...query("SELECT * FROM readings WHERE id <= 1000") },
  ];
  const rows: string[][] = [];
  for (const { name, ...call } of calls) {
    for (const concurrency of CONCURRENCY) {
      const cpuBefore = cpuMilliseconds(worker.pid);
      const { perSecond, latency, bytes, requests } = await load(call, {
        concurrency,
        milliseconds: MILLISECONDS,
        warmUpMs: WARM_UP_MS,
      });
      const cpu = (cpuMilliseconds(worker.pid) - cpuBefore) / requests;
      const { p50, p99, max } = latency;
      const figures = [
        whole(perSecond),
        milliseconds(p50),
        milliseconds(p99),
        milliseconds(max),
        milliseconds(cpu),
        whole(bytes),
      ];
      rows.push([name, String(concurrency), ...figures]);
    }
  }
  const [bare, quick] = await bareConnections([database.url, await quickLogin(client, database)]);
  return {
    title: "Requests per second",
    budgets: [],
    text: [
      `The Worker in plain workerd (the bundle of \`wrangler deploy --dry-run\`, a generated configuration, one isolate, its log lines discarded), PostgreSQL and the load generator (Node's \`http\` with kept connections, each caller asking again when it has its answer) on the same two cores. Per row ${WARM_UP_MS / 1000} s of warm-up and ${MILLISECONDS / 1000} s that count. \`dry-plan\` is the first of ${title}; every request carries its manifest and, for \`query\`, its connection. Latency in milliseconds, from sending to the last byte; *CPU* is what workerd used per request, in milliseconds: a core bears a thousand divided by it.`,
      table(["Request", "Callers", "per second", "p50", "p99", "max", "CPU", "bytes"], rows),
      `A query opens a connection of its own, logs in and closes it, since a Worker cannot keep one for the next request. The driver alone (\`pg\` in Node: connect, \`SELECT 1\`, close; ${BARE_CONNECTIONS} times, one after the other) takes ${milliseconds(bare)} ms in the middle, ${milliseconds(quick)} ms for a role whose password was stored with one round of SCRAM's hashing and not 4,096; the rest is the server's, which starts a process for every connection.`,
      "Not shown: more than one isolate or core for the Worker, a load generator elsewhere, and waiting in line: callers who wait for answers ask less often when the Worker is slow, so the worst latencies are understated.",
    ].join("\n\n"),
  };
}

/** The database's address for a role whose login costs next to nothing. */
async function quickLogin(client: pg.Client, { url }: TestDatabase): Promise<string> {
  await client.query("SET scram_iterations = 1");
  await client.query("CREATE ROLE quick SUPERUSER LOGIN PASSWORD 'quick'");
  const quick = new URL(url);
  quick.username = "quick";
  quick.password = "quick";
  return quick.href;
}

/** Median milliseconds per address; the addresses take turns. */
async function bareConnections(urls: readonly [string, string]): Promise<readonly [number, number]> {
  const samples: readonly [number[], number[]] = [[], []];
  for (let count = 0; count < BARE_CONNECTIONS; count++) {
    for (const index of [0, 1] as const) {
      const started = performance.now();
      const client = new pg.Client({ connectionString: urls[index] });
      await client.connect();
      await client.query("SELECT 1");
      await client.end();
      samples[index].push(performance.now() - started);
    }
  }
  return [median(samples[0]), median(samples[1])];
}

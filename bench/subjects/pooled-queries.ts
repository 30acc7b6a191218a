/** Queries on PostgreSQL through Worker and sidecar, whose sessions are kept, beside a Worker that logs in for each. */
import { startPostgres } from "../../test/support/postgres.ts";
import { milliseconds, whole } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { cpuMilliseconds } from "../rig/cpu-time.ts";
import { driverPerSecond } from "../rig/driver-alone.ts";
import { type Load, load } from "../rig/http-client.ts";
import { fillPostgres, readingsManifest } from "../rig/readings.ts";
import { startSidecar } from "../rig/sidecar.ts";
import { startWorkerd } from "../rig/workerd.ts";
import { type Run, ratioBudget, type Section } from "../subject.ts";

const CONCURRENCY = [1, 16] as const;
const MILLISECONDS = 4_000;
const WARM_UP_MS = 1_000;
/** A service that has been running: V8 compiles what runs often, after some thousand requests. */
const RUNNING_MS = 4_000;
/** The driver alone over the service, in queries of one row per second. */
const BUDGET = 25;

const QUERIES = [
  { name: "1 row", sql: "SELECT id, name FROM readings WHERE id = 4711" },
  { name: "1,000 rows × 10", sql: "SELECT * FROM readings WHERE id <= 1000" },
] as const;

interface Measured {
  readonly way: string;
  readonly query: string;
  readonly callers: number;
  readonly load: Load;
  /** Milliseconds of a request, per process. */
  readonly cpu: readonly number[];
}

export async function pooledQueries(run: Run): Promise<Section> {
  const database = await startPostgres();
  run.onEnd(() => database.stop());
  await fillPostgres(await database.connect());
  const sidecar = await startSidecar(run, { ALLOWED_HOSTS: "127.0.0.1" });
  const file = run.bundle.file;
  const workers = await startWorkerd(run, [
    {
      name: "pooled",
      file,
      variables: { AUTH: "none", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: sidecar.secret },
    },
  ]);
  const alone = await startWorkerd(run, [
    {
      name: "alone",
      file,
      connectors: run.bundle.connectors,
      variables: { AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" },
    },
  ]);
  const ways = [
    { way: "sidecar, sessions kept", url: workers.urls["pooled"] ?? "", pids: [workers.pid, sidecar.pid] },
    { way: "Worker, a login each", url: alone.urls["alone"] ?? "", pids: [alone.pid] },
  ];
  const measured: Measured[] = [];
  for (const { name, sql } of QUERIES) {
    const body = JSON.stringify({
      sql,
      manifestStr: readingsManifest({ schema: "public", table: "readings" }),
      connectionInfo: { connectionUrl: database.url },
    });
    for (const { url } of ways) {
      const call = { url: `${url}/v3/connector/postgres/query`, body };
      await load(call, { concurrency: Math.max(...CONCURRENCY), milliseconds: 1, warmUpMs: RUNNING_MS });
    }
    for (const callers of CONCURRENCY) {
      for (const { way, url, pids } of ways) {
        const before = pids.map(cpuMilliseconds);
        const answered = await load(
          { url: `${url}/v3/connector/postgres/query`, body },
          { concurrency: callers, milliseconds: MILLISECONDS, warmUpMs: WARM_UP_MS },
        );
        const cpu = pids.map((pid, i) => (cpuMilliseconds(pid) - (before[i] ?? 0)) / answered.requests);
        measured.push({ way, query: name, callers, load: answered, cpu });
      }
    }
  }
  const driver = await driverPerSecond({
    connectionString: database.url,
    sql: QUERIES[0].sql,
    connections: Math.max(...CONCURRENCY),
    milliseconds: MILLISECONDS,
    warmUpMs: RUNNING_MS,
  });
  return section(measured, driver);
}

function section(measured: readonly Measured[], driver: number): Section {
  const [row] = QUERIES;
  const of = (query: string, callers: number): readonly Measured[] =>
    measured.filter((one) => one.query === query && one.callers === callers);
  const perSecond = of(row.name, 16)[0]?.load.perSecond ?? Number.NaN;
  return {
    title: "Queries on PostgreSQL through the pool",
    budgets: [
      ratioBudget(
        "Query of 1 row, 16 callers: the driver alone over Worker and sidecar, per second",
        driver / perSecond,
        BUDGET,
        "HTTP, the plan and the hop to the sidecar share two cores with load generator and database; look at the CPU of each process",
      ),
    ],
    text: [
      `The Worker in plain workerd, the sidecar as \`npm run sidecar\` starts it with its default settings, PostgreSQL and the load generator on the same two cores. Both ways answer 16 callers for ${RUNNING_MS / 1000} s first, as a service that has been running; then per row ${WARM_UP_MS / 1000} s of warm-up and ${MILLISECONDS / 1000} s that count; both ways take turns. Every request carries manifest and connection. Latency in milliseconds, from sending to the last byte; *CPU* is what each process used per request, in milliseconds. What PostgreSQL and the load generator use is not in it. The driver alone (\`pg\`, in the benchmark's process, 16 connections) answers ${whole(driver)} queries of one row per second.`,
      table(
        ["Query", "Callers", "Way", "per second", "p50", "p99", "max", "CPU workerd", "CPU sidecar"],
        measured.map(({ way, query, callers, load: { perSecond: rate, latency }, cpu: [workerd, sidecar] }) => [
          query,
          String(callers),
          way,
          whole(rate),
          milliseconds(latency.p50),
          milliseconds(latency.p99),
          milliseconds(latency.max),
          workerd === undefined ? "" : milliseconds(workerd),
          sidecar === undefined ? "" : milliseconds(sidecar),
        ]),
      ),
    ].join("\n\n"),
  };
}

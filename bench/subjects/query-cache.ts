/** Cost of an answer from the query cache, compared with the query itself. */
import { startPostgres } from "../../test/support/postgres.ts";
import { milliseconds, whole } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { cpuMilliseconds } from "../rig/cpu-time.ts";
import { type Call, load } from "../rig/http-client.ts";
import { fillPostgres, readingsManifest } from "../rig/readings.ts";
import { startWorkerd } from "../rig/workerd.ts";
import { type Run, ratioBudget, type Section } from "../subject.ts";

const CALLERS = 10;
const MILLISECONDS = 3_000;
const WARM_UP_MS = 1_000;
/** CPU of a hit of one row over that of planning it. */
const BUDGET = 1.5;

export async function queryCache(run: Run): Promise<Section> {
  const database = await startPostgres();
  run.onEnd(() => database.stop());
  await fillPostgres(await database.connect());
  const variables = { AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", CACHE_STORE: "memory" };
  const { file, connectors } = run.bundle;
  const worker = await startWorkerd(run, [{ name: "main", file, connectors, variables }]);
  const call = (sql: string, parameters = ""): Call => ({
    url: `${worker.urls["main"]}/v3/connector/postgres/query${parameters}`,
    body: JSON.stringify({
      sql,
      manifestStr: readingsManifest({ schema: "public", table: "readings" }),
      connectionInfo: { connectionUrl: database.url },
    }),
  });
  const planOf = (sql: string): Call => {
    const { body } = call(sql);
    return { url: `${worker.urls["main"]}/v3/connector/postgres/dry-plan`, ...(body !== undefined && { body }) };
  };
  const measure = async (asked: Call) => {
    const before = cpuMilliseconds(worker.pid);
    const result = await load(asked, { concurrency: CALLERS, milliseconds: MILLISECONDS, warmUpMs: WARM_UP_MS });
    return { ...result, cpu: (cpuMilliseconds(worker.pid) - before) / result.requests };
  };
  const questions = [
    { name: "1 row", sql: "SELECT id, name FROM readings WHERE id = 4711" },
    { name: "1,000 rows × 10", sql: "SELECT * FROM readings WHERE id <= 1000" },
    { name: "20,000 rows × 2", sql: "SELECT id, name FROM readings WHERE id <= 20000" },
  ];
  const rows: string[][] = [];
  const ofOneRow = new Map<string, number>();
  for (const { name, sql } of questions) {
    const ways = [
      { way: "`dry-plan` of it", asked: planOf(sql) },
      { way: "the query runs", asked: call(sql) },
      { way: "a hit", asked: call(sql, "?cacheEnable=true") },
    ];
    for (const { way, asked } of ways) {
      const { perSecond, latency, cpu, bytes } = await measure(asked);
      if (name === "1 row") ofOneRow.set(way, cpu);
      rows.push([name, way, whole(perSecond), milliseconds(latency.p50), milliseconds(cpu), whole(bytes)]);
    }
  }
  return {
    title: "The query cache",
    budgets: [
      ratioBudget(
        "CPU of an answer of one row from the query cache, over `dry-plan` of the query",
        (ofOneRow.get("a hit") ?? Number.NaN) / (ofOneRow.get("`dry-plan` of it") ?? Number.NaN),
        BUDGET,
        "a hit is planned, found, deciphered and written; look at the last three",
      ),
    ],
    text: [
      `The Worker in plain workerd with \`CACHE_STORE=memory\`, ${CALLERS} callers that ask the same question over and over, ${MILLISECONDS / 1000} s that count. A hit reads the request, plans it, finds the entry, deciphers it, and writes the answer; the store itself takes no time here, while Workers KV and a sidecar take a round trip. *CPU* is what workerd used per request.`,
      table(["Answer", "", "per second", "p50", "CPU", "bytes"], rows),
      "Not shown: what collecting and sealing cost the request that misses; stores on another machine.",
    ].join("\n\n"),
  };
}

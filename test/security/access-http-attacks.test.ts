/** Attacks of every kind over HTTP: the Worker's bundle in workerd, before PostgreSQL and before a sidecar with files. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECRET, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { eventually } from "../support/eventually.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { CANARY, openDuckDbWorld, openPostgresWorld, RULES, shopData, type World } from "./access-world.ts";
import { ATTACKS } from "./attacks/index.ts";
import { type Answer, type Ask, encoded, shopOverHttp } from "./shop-over-http.ts";

interface Served {
  readonly world: World;
  readonly worker: RunningWorker;
  readonly sidecar?: SidecarProcess;
}

async function servePostgres(): Promise<Served> {
  const world = await openPostgresWorld();
  return { world, worker: await startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" }) };
}

const serveFiles = (format: "parquet" | "csv") => async (): Promise<Served> => {
  const world = await openDuckDbWorld(format);
  const sidecar = await startSidecar({ FILE_ROOT: world.root });
  const worker = await startWorker({ AUTH: "none", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: SECRET });
  return { world, worker, sidecar };
};

const RULE_NAMES = Object.keys(RULES);

/** All of them take minutes, and are `access-bypass.test.ts`'s: these stand for the rest, from the first to the last. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  return all.length <= most ? all : Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]!);
}

/** In order only where the query fixes it. */
function rowsOf({ json }: Answer, sql: string): readonly string[] {
  const rows = (json["data"] as readonly unknown[]).map((row) => JSON.stringify(row));
  return /ORDER BY[^()]*$/.test(sql) ? rows : rows.sort();
}

describe.each([
  ["PostgreSQL", servePostgres, 4],
  ["Parquet files", serveFiles("parquet"), 3],
  ["CSV files", serveFiles("csv"), 1],
] as const)("on %s", (_name, serve, most) => {
  let served: Served;
  let ask: Ask;
  /** Counts for the Worker, whose lines may come after its answers, as the sidecar's may. */
  let asked = 0;
  let answers = 0;
  beforeAll(async () => {
    served = await serve();
    const over = shopOverHttp(served.world, served.worker);
    ask = (sql, question) => {
      asked++;
      return over(sql, question);
    };
  });
  afterAll(async () => {
    await served?.sidecar?.stop();
    await served?.world.close();
  });

  test.each(ATTACKS)("$heading", async ({ answered, refused }) => {
    const { world } = served;
    const copies = { more: { manifestStr: encoded(shopData(world, world.left, undefined)) } };
    for (const sql of spread(answered, most)) {
      const rule = RULE_NAMES[sql.length % RULE_NAMES.length] ?? "";
      const [answer, left] = await Promise.all([ask(sql, { rule }), ask(sql, copies)]);
      if (answer.status === 422) {
        expect(answer.json, sql).toMatchObject({ metadata: { reason: "UNSUPPORTED_ON_SOURCE" } });
        continue;
      }
      expect(answer.status, `${rule}, ${sql}: ${answer.text}`).toBe(200);
      expect(rowsOf(answer, sql), `${rule}, ${sql}`).toEqual(rowsOf(left, sql));
      answers++;
    }
    for (const sql of spread(refused, most)) {
      const { status, json } = await ask(sql, { rule: "exists" });
      expect(status, sql).toBe(422);
      expect(Object.keys(json["metadata"] ?? {}), sql).not.toContain("dialectSql");
    }
  });

  test("the log holds nothing of it", async () => {
    const { worker, sidecar } = served;
    expect(answers).toBeGreaterThan(most * 20);
    await eventually(() => expect(worker.lines.length).toBeGreaterThanOrEqual(asked));
    expect(worker.lines.join("\n")).not.toMatch(CANARY);
    if (sidecar !== undefined) {
      const { log } = sidecar;
      await eventually(() =>
        expect(log.filter(({ event }) => event === "call").length).toBeGreaterThanOrEqual(answers * 2),
      );
      expect(sidecar.lines.join("\n")).not.toMatch(CANARY);
    }
  });
});

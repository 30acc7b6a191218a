/** The query cache in the true Worker bundle: Workers KV as Miniflare has it, an isolate's memory, and Redis by the sidecar. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECRET as SIDECAR_SECRET, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { eventually } from "../support/eventually.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { REDIS_SERVER, startRedis, type TestRedis, WITHOUT_REDIS } from "../support/redis.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

const CACHE_SECRET = "the cache secret of the tests, long enough";
const VARIABLES = { AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", MAX_IN_FLIGHT: "200", CACHE_MAX_BYTES: "3000000" };

const MANIFEST = {
  catalog: "shop",
  schema: "public",
  models: [
    {
      name: "orders",
      tableReference: { schema: "public", table: "orders" },
      columns: [
        { name: "o_orderkey", type: "INTEGER" },
        { name: "o_totalprice", type: "DECIMAL(15,2)" },
        { name: "o_orderdate", type: "DATE" },
      ],
    },
    // A modeller's own SQL may wait; callers may not.
    {
      name: "slow",
      refSql: "SELECT n FROM (SELECT 7 AS n, pg_sleep(2)) AS s",
      columns: [{ name: "n", type: "INTEGER" }],
    },
    {
      name: "many",
      refSql: "SELECT n, repeat('x', 200) AS filler FROM generate_series(1, 20000) AS g(n)",
      columns: [
        { name: "n", type: "INTEGER" },
        { name: "filler", type: "VARCHAR" },
      ],
    },
  ],
};
const manifestStr = Buffer.from(JSON.stringify(MANIFEST)).toString("base64");

let database: TestDatabase;
beforeAll(async () => {
  database = await startPostgres({ tpch: true });
});
afterAll(() => database.stop());

const SQL = "SELECT o_orderkey, o_totalprice, o_orderdate FROM orders ORDER BY o_orderkey LIMIT 3";

function bodyOf(sql: string) {
  const { host, port, user, password } = database;
  const connectionInfo = { host, port, user, password, database: database.database, kwargs: { sslmode: "disable" } };
  return { sql, manifestStr, connectionInfo };
}

interface Asked {
  readonly text: string;
  readonly hit: string | null;
  readonly status: string | null;
  readonly createdAt: string | null;
}

async function ask(worker: RunningWorker, sql: string, { version = "v3", parameters = "" } = {}): Promise<Asked> {
  const path = `/${version}/connector/postgres/query?cacheEnable=true${parameters}`;
  const response = await worker.post(path, bodyOf(sql));
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  const { headers } = response;
  return {
    text,
    hit: headers.get("x-cache-hit"),
    status: headers.get("cache-status"),
    createdAt: headers.get("x-cache-create-at"),
  };
}

/** The entry gets into the store behind the answer. */
const hitOf = (worker: RunningWorker, sql: string): Promise<Asked> =>
  eventually(async () => {
    const asked = await ask(worker, sql);
    expect(asked.hit).toBe("true");
    return asked;
  });

const logged = (worker: RunningWorker, word: string): number =>
  worker.lines.filter((line) => line.includes('"event":"request"') && line.includes(`"cache":"${word}"`)).length;

describe.each([
  ["Workers KV", { CACHE_STORE: "kv", CACHE_SECRET }, ["QUERY_CACHE"]],
  ["the memory of an isolate", { CACHE_STORE: "memory" }, []],
] as const)("%s", (_, settings, namespaces) => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = await startWorker({ ...VARIABLES, ...settings }, { namespaces });
  });

  test("gives the same answer again, in every shape", async () => {
    const first = await ask(worker, SQL);
    expect([first.hit, first.status]).toEqual(["false", "siskin; fwd=miss"]);
    const second = await hitOf(worker, SQL);
    expect(second.text).toBe(first.text);
    expect(Number(second.createdAt)).toBeGreaterThan(1_743_984_000_000);
    const classic = await ask(worker, SQL, { version: "v2" });
    expect(classic.hit).toBe("true");
    const run = await worker.post("/v2/connector/postgres/query", bodyOf(SQL));
    expect(classic.text).toBe(await run.text());
  });

  test("override replaces it, and says both times", async () => {
    const sql = `${SQL} OFFSET 1`;
    await ask(worker, sql);
    const { createdAt } = await hitOf(worker, sql);
    const path = "/v3/connector/postgres/query?cacheEnable=true&overrideCache=true";
    const response = await worker.post(path, bodyOf(sql));
    await response.text();
    expect(response.headers.get("x-cache-override")).toBe("true");
    expect(response.headers.get("x-cache-create-at")).toBe(createdAt);
    const at = response.headers.get("x-cache-override-at");
    expect(Number(at)).toBeGreaterThan(Number(createdAt));
    await eventually(async () => expect((await hitOf(worker, sql)).createdAt).toBe(at));
  });

  test("a hundred equal questions at once run one query", async () => {
    const sql = "SELECT n FROM slow WHERE n = 7";
    const before = logged(worker, "miss");
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(worker, sql)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ hit }) => hit === "false")).toHaveLength(1);
    await eventually(() => expect(logged(worker, "miss")).toBe(before + 1));
  });

  test("they do not depend on the first one's client", async () => {
    const sql = "SELECT n + 1 AS n FROM slow";
    const { hostname, port } = new URL(worker.runtimeUrl);
    const body = JSON.stringify(bodyOf(sql));
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    const head = `POST /v3/connector/postgres/query?cacheEnable=true HTTP/1.1\r\nHost: ${hostname}\r\n`;
    socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    const watcher = await database.connect();
    await eventually(async () => {
      const running = await watcher.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()",
      );
      expect(running.rowCount).toBe(1);
    });
    const others = Promise.all(Array.from({ length: 5 }, () => ask(worker, sql)));
    socket.resetAndDestroy();
    for (const { text } of await others) expect(JSON.parse(text)).toMatchObject({ data: [[8]] });
  });

  test("a large answer comes back whole", async () => {
    const sql = "SELECT n, filler FROM many WHERE n <= 10000";
    const first = await ask(worker, sql);
    expect((await hitOf(worker, sql)).text).toBe(first.text);
  });

  test("one that is too large is answered, and not kept", async () => {
    const sql = "SELECT n, filler FROM many";
    const first = await ask(worker, sql);
    const second = await eventually(async () => {
      const again = await ask(worker, sql);
      expect(again.status).toBe("siskin; fwd=miss; detail=too-large");
      return again;
    });
    expect([second.hit, second.text.length]).toEqual(["false", first.text.length]);
  });

  test("a statement that reads the clock is not kept", async () => {
    const { status } = await ask(worker, "SELECT current_date AS d");
    expect(status).toBe("siskin; fwd=bypass; detail=volatile");
  });
});

describe.skipIf(REDIS_SERVER === undefined)(
  `Redis behind the sidecar${REDIS_SERVER === undefined ? ` (${WITHOUT_REDIS})` : ""}`,
  () => {
    let redis: TestRedis;
    let sidecar: SidecarProcess;
    let worker: RunningWorker;
    let replica: RunningWorker;
    beforeAll(async () => {
      redis = await startRedis();
      sidecar = await startSidecar({ CACHE_URL: redis.url, ALLOWED_HOSTS: "127.0.0.0/8" });
      const variables = {
        ...VARIABLES,
        CACHE_STORE: "sidecar",
        CACHE_SECRET,
        SIDECAR_URL: sidecar.url,
        SIDECAR_SECRET,
      };
      // Their own isolates: nothing is shared but what is in Redis.
      [worker, replica] = await Promise.all([
        startWorker(variables),
        startWorker({ ...variables, MAX_IN_FLIGHT: "201" }),
      ]);
    });
    afterAll(async () => {
      await sidecar.stop();
      await redis.stop();
    });

    test("what one Worker keeps, another one answers with", async () => {
      const first = await ask(worker, SQL);
      expect(first.hit).toBe("false");
      expect((await hitOf(replica, SQL)).text).toBe(first.text);
    });

    test("without Redis queries run, and say so; when it is back, it is used again", async () => {
      const sql = `${SQL} OFFSET 2`;
      const first = await ask(worker, sql);
      await hitOf(worker, sql);
      await redis.stop();
      const second = await ask(worker, sql);
      expect([second.status, second.text]).toEqual(["siskin; fwd=miss; detail=store-unavailable", first.text]);
      redis = await startRedis([], redis.port);
      expect((await hitOf(worker, sql)).text).toBe(first.text);
    });

    test("a Redis that takes questions and answers none holds nobody up for long", async () => {
      redis.process.kill("SIGSTOP");
      try {
        const { status } = await ask(worker, `${SQL} OFFSET 3`);
        expect(status).toBe("siskin; fwd=miss; detail=store-unavailable");
      } finally {
        redis.process.kill("SIGCONT");
      }
    });
  },
);

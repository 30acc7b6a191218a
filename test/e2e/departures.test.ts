/**
 * Callers of plain workerd that go while others wait for the same answer. A Worker's requests may not touch each other's
 * promises: what one has begun may never reach another once it is gone, and workerd says so in words of its own.
 */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../../scripts/service/api.ts";
import { ProcessOutput } from "../../supervisor/process-output.ts";
import { eventually } from "../support/eventually.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";

const SETTINGS = { AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", CACHE_STORE: "memory" };
const GRACE_MS = 10_000;

/** Each answers as soon as the test gives its lock away. */
const manifestStr = Buffer.from(
  JSON.stringify({
    catalog: "soak",
    schema: "public",
    models: [
      {
        name: "held",
        refSql: "SELECT n FROM (SELECT 7 AS n, pg_advisory_xact_lock_shared(1)::text) AS s",
        columns: [{ name: "n", type: "INTEGER" }],
      },
    ],
  }),
).toString("base64");

let database: TestDatabase;
let api: Api;
let port: number;
const lines: string[] = [];
const words: string[] = [];

beforeAll(async () => {
  database = await startPostgres();
  api = new Api({
    host: "127.0.0.1",
    port: 0,
    sidecar: "127.0.0.1:9",
    settings: SETTINGS,
    words: (process) =>
      new ProcessOutput({
        process,
        writeLine: (line) => void (JSON.parse(line).event === "message" ? words : lines).push(line),
        writeErrorLine: (line) => void words.push(line),
      }),
  });
  port = await api.start();
});
afterAll(async () => {
  await api.stop(GRACE_MS);
  await database.stop();
});

interface Asked {
  readonly answer: Promise<{ readonly status: number; readonly hit: unknown; readonly data: unknown }>;
  leave(by: "reset" | "end"): void;
}

function ask(sql: string): Asked {
  const { host, port: databasePort, user, password, database: name } = database;
  const connectionInfo = { host, port: databasePort, user, password, database: name, kwargs: { sslmode: "disable" } };
  const path = "/v3/connector/postgres/query?cacheEnable=true";
  const outgoing = request({ host: "127.0.0.1", port, path, method: "POST", agent: false });
  const answer = new Promise<Awaited<Asked["answer"]>>((resolve, reject) => {
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      let text = "";
      incoming.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      incoming.once("error", reject);
      incoming.once("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          hit: incoming.headers["x-cache-hit"],
          data: JSON.parse(text).data,
        }),
      );
    });
  });
  // Nobody waits for the answers of clients that disconnect.
  answer.catch(() => undefined);
  outgoing.end(JSON.stringify({ sql, manifestStr, connectionInfo }));
  return {
    answer,
    leave(by) {
      if (by === "reset") outgoing.socket?.resetAndDestroy();
      outgoing.destroy();
    },
  };
}

describe.each(["reset", "end"] as const)("by %s", (by) => {
  const question = (n: number): string => `SELECT n + ${n + (by === "reset" ? 0 : 100)} AS n FROM held`;

  async function holding(work: (running: () => Promise<number>) => Promise<void>): Promise<void> {
    const watcher = await database.connect();
    await watcher.query("SELECT pg_advisory_lock(1)");
    const running = async (): Promise<number> => {
      const { rows } = await watcher.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'",
      );
      return rows[0].n;
    };
    try {
      await work(running);
    } finally {
      await watcher.end();
    }
  }

  it("a caller that goes leaves the others their answer, and workerd without a word", async () => {
    const before = words.length;
    const others: Asked[] = [];
    await holding(async (running) => {
      const leader = ask(question(1));
      await eventually(async () => expect(await running()).toBe(1));
      others.push(leader, ...Array.from({ length: 4 }, () => ask(question(1))));
      const gone = Array.from({ length: 4 }, () => ask(question(1)));
      // There is no telling from outside that they wait: what comes after them has been answered by then.
      await barrier();
      for (const each of gone) each.leave(by);
      await barrier();
    });
    const answers = await Promise.all(others.map(({ answer }) => answer));
    expect(answers.map(({ status, data }) => [status, data])).toEqual(answers.map(() => [200, [[expected(1)]]]));
    expect(answers.filter(({ hit }) => hit === "true")).toHaveLength(4);
    expect(words.slice(before)).toEqual([]);
  });

  const expected = (n: number): number => 7 + n + (by === "reset" ? 0 : 100);

  async function barrier(): Promise<void> {
    for (let times = 0; times < 20; times++) await fetch(`http://127.0.0.1:${port}/health`);
  }

  it("the first of them goes: the others ask again, and none of them waits for ever", async () => {
    const before = words.length;
    let others: readonly Asked[] = [];
    await holding(async (running) => {
      const leader = ask(question(2));
      await eventually(async () => expect(await running()).toBe(1));
      others = Array.from({ length: 5 }, () => ask(question(2)));
      await barrier();
      leader.leave(by);
      await barrier();
    });
    const answers = await Promise.all(others.map(({ answer }) => answer));
    expect(answers.map(({ status, data }) => [status, data])).toEqual(answers.map(() => [200, [[expected(2)]]]));
    expect(words.slice(before)).toEqual([]);
  });
});

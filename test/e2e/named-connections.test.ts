/** Named connections in the true Worker, one of them a Hyperdrive binding as Miniflare plays it, over a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

const MANIFEST = {
  catalog: "shop",
  schema: "public",
  models: [
    {
      name: "settings",
      refSql:
        "SELECT current_setting('TimeZone') AS zone, current_setting('transaction_read_only') AS read_only, current_user::text AS who",
      columns: ["zone", "read_only", "who"].map((name) => ({ name, type: "VARCHAR" })),
    },
  ],
};
const manifestStr = Buffer.from(JSON.stringify(MANIFEST)).toString("base64");

let database: TestDatabase;
let worker: RunningWorker;

beforeAll(async () => {
  database = await startPostgres();
  const client = await database.connect();
  await client.query(`ALTER DATABASE ${database.database} SET TimeZone = 'Asia/Tokyo'`);
  const connections = {
    edge: { dataSource: "postgres", hyperdrive: "SHOP_DB" },
    direct: { dataSource: "postgres", connectionInfo: { connectionUrl: database.url } },
    wrong: {
      dataSource: "postgres",
      connectionInfo: { connectionUrl: database.url.replace(`:${encodeURIComponent(database.password)}@`, ":nope@") },
    },
  };
  worker = await startWorker(
    { AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", CONNECTIONS: JSON.stringify(connections) },
    { hyperdrives: { SHOP_DB: database.url } },
  );
});
afterAll(() => database?.stop());

const ask = (operation: string, fields: object): Promise<Response> =>
  worker.post(`/v3/connector/postgres/${operation}`, { manifestStr, sql: "SELECT * FROM settings", ...fields });

describe.each(["edge", "direct"])("by the name %s", (name) => {
  it("a query is answered under its own settings, in a transaction that only reads", async () => {
    const response = await ask("query", { connectionInfo: { name } });
    expect(await response.json()).toMatchObject({ data: [["UTC", "on", database.user]] });
  });

  it("other operations are, too", async () => {
    expect((await ask("query?dryRun=true", { connectionFilePath: name })).status).toBe(204);
    const version = await ask("metadata/version", { connectionInfo: { name } });
    expect(await version.text()).toContain("PostgreSQL");
    const tables = await ask("metadata/tables", { connectionFilePath: name });
    expect(await tables.json()).toEqual([]);
  });

  it("many at once are", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => (await ask("query", { connectionInfo: { name } })).status),
    );
    expect(answers).toEqual(Array(12).fill(200));
  });
});

it("what the source says about the login names nobody", async () => {
  const response = await ask("query", { connectionInfo: { name: "wrong" } });
  const text = await response.text();
  expect(response.status).toBe(422);
  expect(JSON.parse(text)).toMatchObject({ metadata: { reason: "AUTHENTICATION" } });
  expect(text).not.toContain(database.user);
});

it("a connection that is wrong keeps the Worker from starting, and says which", async () => {
  const CONNECTIONS = JSON.stringify({ edge: { dataSource: "postgres", hyperdrive: "SHOP" } });
  const broken = await startWorker({ AUTH: "none", CONNECTIONS }, { hyperdrives: { SHOP_DB: database.url } });
  expect((await broken.fetch("/v3/connector/postgres/query", { method: "POST" })).status).toBe(503);
  expect(broken.lines.join()).toContain("hyperdrive does not name a Hyperdrive binding of the Worker");
});

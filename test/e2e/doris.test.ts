/** Doris through the whole service: the Worker as it is deployed, and MySQL behind a front, which is NOT Doris (`front.ts`). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DorisFixture, startDorisFixture } from "../connectors/doris/fixture.ts";
import { VERSION } from "../connectors/doris/front.ts";
import { hasMySql, withoutMySql } from "../support/mysql-server.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

describe.skipIf(!hasMySql("mysql"))(hasMySql("mysql") ? "Doris' protocol" : withoutMySql("mysql"), () => {
  let worker: RunningWorker;
  let fixture: DorisFixture;
  beforeAll(async () => {
    [worker, fixture] = await Promise.all([
      startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", V2_PROFILE: "modern" }),
      startDorisFixture(),
    ]);
    await fixture.behind.database.query(`
      CREATE TABLE shops (id int PRIMARY KEY, city varchar(20));
      CREATE TABLE sales (id int PRIMARY KEY, shop int, amount decimal(10, 2), FOREIGN KEY (shop) REFERENCES shops (id));
      INSERT INTO shops VALUES (1, 'Köln'), (2, NULL);
      INSERT INTO sales VALUES (1, 1, 10.50), (2, 1, -0.25), (3, 2, NULL)`);
  });
  afterAll(() => fixture?.close());

  const columns = { shops: { id: "INT", city: "VARCHAR" }, sales: { id: "INT", shop: "INT", amount: "DECIMAL(10,2)" } };
  const ask = (operation: string, sql = "", change: object = {}): Promise<Response> => {
    const schema = fixture.behind.database.database;
    const models = Object.entries(columns).map(([name, types]) => ({
      name,
      tableReference: { schema, table: name },
      columns: Object.entries(types).map(([column, type]) => ({ name: column, type })),
    }));
    return worker.post(`/v3/connector/doris/${operation}`, {
      manifestStr: Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models })).toString("base64"),
      sql,
      connectionInfo: { ...fixture.fields, ...change },
    });
  };

  const SALES =
    "SELECT city, sum(amount) AS total FROM sales JOIN shops ON shops.id = shop GROUP BY city ORDER BY total";

  it("plans and answers, in Doris' words", async () => {
    const answer = await ask("query", "SELECT id, city FROM shops WHERE id = 1");
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      {
        columns: ["id", "city"],
        data: [[1, "Köln"]],
        dtypes: { id: "int32", city: "string" },
      },
    ]);
    expect(fixture.front.asked.at(-1)).toContain("SELECT");
    const planned = await ask("dry-plan", SALES);
    expect([planned.status, await planned.json()]).toEqual([200, expect.stringContaining("AS DECIMAL(38, 2)")]);
  });

  it("checks a statement, and tells what is wrong with it", async () => {
    expect((await ask("query?dryRun=true", "SELECT id FROM shops")).status).toBe(204);
    const refused = await ask("query?dryRun=true", "SELECT nothing FROM shops");
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { message: expect.stringContaining("nothing") },
    ]);
  });

  it("tells of tables, keys and the version", async () => {
    const tables = (await (await ask("metadata/tables")).json()) as { name: string }[];
    const schema = fixture.behind.database.database;
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining([`${schema}.sales`, `${schema}.shops`]));
    expect((await ask("metadata/constraints")).status).toBe(200);
    expect(await (await ask("metadata/version")).json()).toBe(VERSION);
  });

  it("says what is wrong with a connection, and never the password", async () => {
    const answer = await ask("query", "SELECT id FROM shops", { password: "top/secret" });
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([422, { errorCode: "GET_CONNECTION_ERROR" }]);
    expect(text).not.toContain("top/secret");
  });
});

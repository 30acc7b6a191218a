/**
 * A caller of the whole service goes while its statement runs on a server of MySQL's family: within two seconds the server
 * has nothing left to do for it, whether the Worker or the sidecar is connected to it.
 */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MySqlTestDatabase, startMySql } from "../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { type RunningService, startService } from "../support/service.ts";

const GONE_WITHIN_MS = 30_000;
const TABLES = [..."abcdefghijkl"];
const PRODUCT = TABLES.map((name) => `digits ${name}`).join(", ");

/** Each runs for days: one sends nothing, the other more rows than anybody takes. */
const STATEMENTS: readonly (readonly [what: string, refSql: string])[] = [
  ["says nothing", `SELECT count(*) AS n FROM ${PRODUCT} WHERE ${TABLES.map((name) => `${name}.n`).join(" + ")} < 0`],
  ["sends rows", `SELECT /*+ NO_BNL() */ a.n FROM ${PRODUCT}`],
];

/** Under TLS that checks nothing only the sidecar connects. */
const WAYS: readonly (readonly [by: string, sslMode: string])[] = [
  ["the Worker", "DISABLED"],
  ["the sidecar", "ENABLED"],
];

const CASES = WAYS.flatMap(([by, sslMode]) => STATEMENTS.map(([what, refSql]) => ({ by, sslMode, what, refSql })));

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    beforeAll(async () => {
      database = await startMySql(flavor);
      await database.query(`
        CREATE TABLE digits (n int NOT NULL);
        INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)`);
    });
    afterAll(() => database?.stop());

    /** Number of statements running in this database, without this query. */
    const running = async (): Promise<number> => {
      const found = await database.query("SHOW FULL PROCESSLIST");
      return found.filter((row) => row.includes(database.database) && row.some((text) => text?.includes("digits")))
        .length;
    };

    /** Asks and goes on asking until `leave`, which is noticed as a reset of the connection. */
    function ask(refSql: string, sslMode: string): { leave(): void } {
      const { host, port, user, password, database: name } = database;
      const models = [{ name: "held", refSql, columns: [{ name: "n", type: "BIGINT" }] }];
      const manifest = { catalog: "c", schema: "s", models };
      const outgoing = request(`${service.url}/v3/connector/mysql/query`, { method: "POST", agent: false });
      // The answer does not come, and its end is the test's doing.
      outgoing.on("error", () => {});
      outgoing.on("response", (incoming) => incoming.on("error", () => {}).pause());
      outgoing.end(
        JSON.stringify({
          sql: "SELECT n FROM held",
          manifestStr: Buffer.from(JSON.stringify(manifest)).toString("base64"),
          connectionInfo: { host, port, user, password, database: name, sslMode },
        }),
      );
      return { leave: () => void outgoing.socket?.resetAndDestroy() };
    }

    it.each(CASES)("through $by, while it $what", async ({ refSql, sslMode }) => {
      const asked = ask(refSql, sslMode);
      await expect.poll(running, { timeout: 20_000, interval: 20 }).toBe(1);
      asked.leave();
      await expect.poll(running, { timeout: GONE_WITHIN_MS, interval: 20 }).toBe(0);
    });
  });
}

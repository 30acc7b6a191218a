/** The whole service over real servers of MySQL's family: the Workers as they are deployed, with what is left out of the driver. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MySqlTestDatabase, startMySql } from "../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" });
});

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    beforeAll(async () => {
      database = await startMySql(flavor);
      await database.query(`
        SET NAMES utf8mb4;
        CREATE TABLE sales (id int PRIMARY KEY, region varchar(20), amount decimal(10, 2), at datetime, seen timestamp NULL);
        INSERT INTO sales VALUES (1, 'Köln', 10.50, '2024-07-01 12:00:00', '2024-07-01 12:00:00'), (2, NULL, -0.25, NULL, NULL)`);
    });
    afterAll(() => database?.stop());

    const ask = (
      operation: string,
      sql: string,
      change: object = {},
      others: readonly object[] = [],
    ): Promise<Response> => {
      const { host, port, user, password } = database;
      const manifest = {
        catalog: "shop",
        schema: "public",
        models: [
          {
            name: "sales",
            tableReference: { schema: database.database, table: "sales" },
            columns: [
              ["id", "INT"],
              ["region", "VARCHAR"],
              ["amount", "DECIMAL"],
              ["at", "DATETIME"],
              ["seen", "TIMESTAMP"],
            ].map(([name, type]) => ({ name, type })),
          },
          ...others,
        ],
      };
      return worker.post(`/v3/connector/mysql/${operation}`, {
        manifestStr: Buffer.from(JSON.stringify(manifest)).toString("base64"),
        sql,
        connectionInfo: { host, port, user, password, database: database.database, sslMode: "DISABLED", ...change },
      });
    };

    it("plans and answers", async () => {
      await database.query("FLUSH PRIVILEGES");
      const response = await ask("query", "SELECT * FROM sales ORDER BY region");
      expect(await response.json()).toMatchObject({
        columns: ["id", "region", "amount", "at", "seen"],
        data: [
          [1, "Köln", "10.5", "2024-07-01 12:00:00.000000", "2024-07-01 12:00:00.000000 +00:00"],
          [2, null, "-0.25", null, null],
        ],
        dtypes: { id: "int32", region: "string", at: "timestamp[us]", seen: "timestamp[us, tz=UTC]" },
      });
    });

    it(`${flavor === "mysql" ? "plans" : "refuses"} what MySQL alone has, once it has been asked what it is`, async () => {
      const lateral =
        "SELECT s.id, l.n FROM sales s CROSS JOIN LATERAL (SELECT row_number() OVER (ORDER BY o.id) AS n FROM sales o WHERE o.id < s.id) l";
      expect((await ask("dry-plan", lateral)).status).toBe(422);
      const checked = await ask("query?dryRun=true", lateral);
      const answered = await ask("query", `${lateral} ORDER BY s.id`);
      expect([checked.status, answered.status]).toEqual(flavor === "mysql" ? [204, 200] : [422, 422]);
      const body = await answered.json();
      if (flavor === "mysql") expect(body).toMatchObject({ data: [[2, 1]] });
      else expect(body).toMatchObject({ errorCode: "INVALID_SQL", message: expect.stringContaining("LATERAL") });
    });

    it("names with back-ticks and what else would end one are names", async () => {
      const [table, column] = ["we`ird`` --", 'a`b"c; DROP TABLE sales'];
      const quoted = (name: string): string => `\`${name.replaceAll("`", "``")}\``;
      await database.query(`
        CREATE TABLE ${quoted(table)} (${quoted(column)} int);
        INSERT INTO ${quoted(table)} VALUES (3), (1)`);
      const model = { name: "odd`", tableReference: { table }, columns: [{ name: column, type: "INT" }] };
      const sql = `SELECT "${column.replaceAll('"', '""')}", count(*) AS "n\`" FROM "odd\`" GROUP BY 1 ORDER BY 1`;
      const response = await ask("query", sql, {}, [model]);
      expect(await response.json()).toMatchObject({
        columns: [column, "n`"],
        data: [
          [1, 1],
          [3, 1],
        ],
      });
    });

    it("checks without running", async () => {
      expect((await ask("query?dryRun=true", "SELECT count(*) FROM sales")).status).toBe(204);
    });

    it("tells of tables and the version", async () => {
      const tables = (await (await ask("metadata/tables", "")).json()) as { name: string }[];
      expect(tables.map(({ name }) => name)).toContain(`${database.database}.sales`);
      const [[version = ""] = []] = await database.query("SELECT version()");
      expect(await (await ask("metadata/version", "")).json()).toBe(version);
    });

    it("says what is wrong with a connection, and never the password", async () => {
      const response = await ask("query", "SELECT 1", { password: "top/secret" });
      const text = await response.text();
      expect([response.status, JSON.parse(text)]).toMatchObject([422, { errorCode: "GET_CONNECTION_ERROR" }]);
      expect(text).not.toContain("top/secret");
    });
  });
}

/**
 * Cases in which a server returns a warning where it should fail: a text that was cut, or NULL in place of a long one.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { openFromNode } from "./fixture.ts";

const FOUR = "(SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) AS t";
const LONG_LISTS = { ...plain(""), session: [{ name: "group_concat_max_len", value: "1073741824" }] };

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    let connector: Connector;
    beforeAll(async () => {
      const kept = flavor === "mariadb" ? ["--max-error-count=0"] : [];
      database = await startMySql(flavor, { options: ["--max-allowed-packet=1M", ...kept] });
      connector = await openFromNode({ connectionUrl: database.url });
    });
    afterAll(async () => {
      await connector?.close();
      await database?.stop();
    });

    const ask = async (sql: string) => drain(await connector.query({ ...LONG_LISTS, sql }, patient()));

    it.each([
      ["a text of more than the packet", "SELECT length(repeat('x', 2000000)) AS n"],
      ["joined texts", "SELECT length(concat(repeat('x', 900000), repeat('x', 900000))) AS n"],
      ["behind rows that came", `SELECT n, CASE WHEN n = 4 THEN length(repeat('x', 2000000)) END AS l FROM ${FOUR}`],
    ])("%s fails the statement, not the connection", async (_name, sql) => {
      const failure = await failureOf(ask(sql));
      expect([failure.reason, failure.message]).toEqual([
        "SOURCE_ERROR",
        "The server cut a value that is longer than it allows, or left it out.",
      ]);
      expect(await ask("SELECT 'y' AS y")).toEqual([["y"]]);
    });

    // MariaDB cuts a list at max_allowed_packet, whatever group_concat_max_len is; MySQL does not.
    it("a list of values is whole, or refused", async () => {
      const sql = `SELECT CAST(length(GROUP_CONCAT(repeat('x', 400000))) AS CHAR) AS n FROM ${FOUR}`;
      if (flavor === "mysql") expect(await ask(sql)).toEqual([["1600003"]]);
      else expect((await failureOf(ask(sql))).reason).toBe("SOURCE_ERROR");
    });

    it("a list that is longer than the session's own limit is refused", async () => {
      const session = [{ name: "group_concat_max_len", value: "1024" }];
      const sql = `SELECT GROUP_CONCAT(repeat('x', 1000)) AS l FROM ${FOUR}`;
      const failure = await failureOf(connector.query({ ...plain(sql), session }, patient()).then(drain));
      expect(failure.reason).toBe("SOURCE_ERROR");
    });

    it.each([
      ["SELECT CAST('x' AS SIGNED) AS a", 0],
      [`SELECT count(*) AS a FROM ${FOUR} WHERE n / 0 IS NULL`, 4],
    ])("other warnings are none of it: %s", async (sql, value) => {
      expect(Number((await ask(sql))[0]?.[0])).toBe(value);
    });
  });
}

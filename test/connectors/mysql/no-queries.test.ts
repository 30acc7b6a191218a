/** Statements that are no queries, on real servers where they could do harm: files that the server may write and read are allowed there. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { openFromNode } from "./fixture.ts";

const files = mkdtempSync(join(tmpdir(), "siskin-no-queries-"));
const [read, written] = [join(files, "read.csv"), join(files, "written")];
writeFileSync(read, "1\n");
afterAll(() => rmSync(files, { recursive: true }));

const STATEMENTS: readonly string[] = [
  `LOAD DATA LOCAL INFILE '${read}' INTO TABLE t`,
  `LOAD DATA INFILE '${read}' INTO TABLE t`,
  `SELECT 1 INTO OUTFILE '${written}'`,
  `SELECT 1 INTO DUMPFILE '${written}'`,
  `SELECT n FROM t INTO OUTFILE '${written}'`,
  "SELECT 1 INTO @a",
  "INSERT INTO t VALUES (1)",
  "REPLACE INTO t VALUES (1)",
  "DELETE FROM t",
  "TRUNCATE TABLE t",
  "SELECT n FROM t FOR UPDATE",
  "CREATE TEMPORARY TABLE q (n int)",
  "CALL p()",
  "DO sleep(0)",
  "HANDLER t OPEN",
  "SET @a = 1",
  "SET GLOBAL max_connections = 1",
  "LOCK TABLES t READ",
  "XA START 'x'",
  "START TRANSACTION",
  "KILL 1",
  "SHUTDOWN",
  "FLUSH TABLES",
  "PREPARE s FROM 'SELECT 1'",
  "SELECT 1; SELECT 2",
  "SELECT ?",
  "",
  "-- nothing",
];

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    let connector: Connector;
    beforeAll(async () => {
      database = await startMySql(flavor);
      await database.query("CREATE TABLE t (n int); CREATE PROCEDURE p() INSERT INTO t VALUES (7)");
      connector = await openFromNode({ connectionUrl: database.url });
    });
    afterAll(async () => {
      await connector?.close();
      await database?.stop();
    });

    it.each(STATEMENTS)("%s", async (sql) => {
      // One by one: what a statement leaves in its session would be the next one's.
      const other = await openFromNode({ connectionUrl: database.url });
      const failure = await failureOf(other.query(plain(sql), patient()).then(drain));
      expect(["SOURCE_INVALID_SQL", "SOURCE_ERROR"]).toContain(failure.reason);
      await other.close();
      expect(existsSync(written)).toBe(false);
      expect(await database.query("SELECT count(*) FROM t")).toEqual([["0"]]);
      expect(await drain(await connector.query(plain("SELECT 'y' AS y"), patient()))).toEqual([["y"]]);
    });
  });
}

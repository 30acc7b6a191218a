import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MySqlTestDatabase, startMySql } from "./mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "./mysql-server.ts";

describe.each(MYSQL_FLAVORS)("%s", (flavor) => {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? "runs" : withoutMySql(flavor), () => {
    let left: MySqlTestDatabase;
    let right: MySqlTestDatabase;
    beforeAll(async () => {
      [left, right] = await Promise.all([startMySql(flavor), startMySql(flavor)]);
    });
    afterAll(async () => {
      await Promise.all([left?.stop(), right?.stop()]);
    });

    it("gives each caller a database of its own on one real server", async () => {
      expect(left.port).toBe(right.port);
      await left.query("CREATE TABLE t (a int); INSERT INTO t VALUES (1), (NULL)");
      expect(await left.query("SELECT a FROM t ORDER BY a DESC")).toEqual([["1"], [null]]);
      expect(await right.query("SHOW TABLES")).toEqual([]);
    });

    it("is what it is called", async () => {
      const [[version = ""] = []] = await left.query("SELECT version()");
      expect(version).toMatch(flavor === "mariadb" ? /^10\.11\..*MariaDB/ : /^9\./);
    });
  });
});

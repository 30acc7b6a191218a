/**
 * NULL in what a subquery gives to IN, on MySQL and MariaDB: a number below zero is not found among unsigned ones, and whether the
 * NULL is it nobody knows. MariaDB 10.11 says that it is not there.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../parity/judge.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOfTable } from "../support/plan.ts";
import { type OpenedSource, openMySqlWith } from "../support/sources.ts";

const TYPES = { tiny: "SMALLINT", small: "INTEGER", whole: "BIGINT", big: "DECIMAL", bit: "TINYINT" };
const manifest = manifestOfTable({ id: "INTEGER", s: "BIGINT", d: "DECIMAL(10, 2)", ...TYPES });

const TABLE = `
  CREATE TABLE t (
    id int PRIMARY KEY, s bigint, d decimal(10, 2), tiny tinyint unsigned, small smallint unsigned, whole int unsigned,
    big bigint unsigned, bit bit(8), KEY (tiny), KEY (small), KEY (whole), KEY (big), KEY (bit))`;
const ROWS = `
  INSERT INTO t VALUES
    (1, -1, -0.5, 1, 1, 1, 1, 1), (2, 1, 1, NULL, NULL, NULL, NULL, NULL), (3, 7, 1.5, 3, 3, 3, 3, 3),
    (4, NULL, NULL, 4, 4, 4, 4, 4)`;

const QUERIES: readonly (readonly [sql: string, rows: string])[] = [
  ["SELECT id, s IN (SELECT % FROM t WHERE id < 4) AS x FROM t ORDER BY id", "1 null,2 true,3 null,4 null"],
  ["SELECT id, d IN (SELECT % FROM t WHERE id < 4) AS x FROM t ORDER BY id", "1 null,2 true,3 null,4 null"],
  ["SELECT id FROM t WHERE s NOT IN (SELECT % FROM t WHERE id < 4) ORDER BY id", ""],
  ["SELECT id FROM t WHERE NOT (s IN (SELECT % FROM t WHERE id < 4)) ORDER BY id", ""],
  ["SELECT id FROM t WHERE (s IN (SELECT % FROM t WHERE id < 4)) IS NULL ORDER BY id", "1,3,4"],
  ["SELECT id FROM t WHERE s <> ALL (SELECT % FROM t WHERE id < 4) ORDER BY id", ""],
  ["SELECT id, s = ANY (SELECT % FROM t WHERE id < 4) AS x FROM t ORDER BY id", "1 null,2 true,3 null,4 null"],
  ["SELECT id FROM t WHERE (id, s) NOT IN (SELECT id, % FROM t WHERE id < 4) ORDER BY id", "1,3,4"],
  ["SELECT id FROM t WHERE s NOT IN (SELECT max(%) FROM t WHERE id < 4 GROUP BY id) ORDER BY id", ""],
  ["SELECT id FROM t WHERE s IN (SELECT % FROM t WHERE id < 4) ORDER BY id", "2"],
  ["SELECT id FROM t AS a WHERE a.s NOT IN (SELECT b.% FROM t AS b WHERE b.id <> a.id) ORDER BY id", ""],
];

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await openMySqlWith(flavor, async (run) => {
        await run(TABLE);
        await run(ROWS);
      });
    });
    afterAll(() => opened?.close());

    test.each(
      QUERIES.flatMap(([sql, rows]) => Object.keys(TYPES).map((name) => [sql.replace("%", name), rows] as const)),
    )("%s", async (sql, rows) => {
      const answer = await ask(sql, manifest, "mysql", opened);
      expect(
        "rows" in answer ? answer.rows.map((row) => row.join(" ").replaceAll(/^(\d) $/g, "$1 null")).join() : answer,
      ).toBe(rows);
    });
  });
}

/** Texts of different collations in one statement, on MySQL and MariaDB: columns have them, and so have values that are computed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../parity/judge.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOfTable } from "../support/plan.ts";
import { type OpenedSource, openMySqlWith } from "../support/sources.ts";

const manifest = manifestOfTable({
  i: "INTEGER",
  general: "VARCHAR",
  uni: "VARCHAR",
  latin: "VARCHAR",
  bin: "VARCHAR",
});

const TABLE = `
  CREATE TABLE t (
    i int,
    general varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,
    uni varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci,
    latin varchar(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci,
    bin varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin)`;

/** Under both orders of texts the same. */
const QUERIES: readonly (readonly [sql: string, rows: readonly string[]])[] = [
  ["SELECT min(general) AS a FROM t UNION ALL SELECT general FROM t", ["A", "a", "A"]],
  ["SELECT max(uni) AS a FROM t UNION ALL SELECT general FROM t", ["b", "a", "A"]],
  ["SELECT general AS a FROM t UNION ALL SELECT min(latin) FROM t", ["a", "A", "C"]],
  ["SELECT bin AS a FROM t UNION ALL SELECT max(uni) FROM t", ["d", "D", "b"]],
  ["SELECT bin AS a FROM t UNION ALL SELECT m FROM (SELECT max(uni) AS m FROM t) AS x", ["d", "D", "b"]],
  ["SELECT general AS a FROM t UNION ALL SELECT m FROM (SELECT max(uni) AS m FROM t) AS x", ["a", "A", "b"]],
  ["SELECT lower(general) AS a FROM t UNION ALL SELECT upper(max(uni)) FROM t", ["a", "a", "B"]],
  ["SELECT lower(general) AS a FROM t UNION ALL SELECT uni FROM t", ["a", "a", "b", "B"]],
  ["SELECT general AS a FROM t UNION ALL SELECT concat(latin, uni) FROM t", ["a", "A", "cb", "CB"]],
  [
    "WITH g AS (SELECT general FROM t UNION ALL SELECT uni || 'x' FROM t) SELECT * FROM g UNION ALL SELECT latin FROM t",
    ["a", "A", "bx", "Bx", "c", "C"],
  ],
  ["SELECT first_value(uni) OVER (ORDER BY i) AS a FROM t UNION ALL SELECT general FROM t", ["b", "b", "a", "A"]],
  ["SELECT lower(max(uni)) || 'É' AS a FROM t UNION ALL SELECT 'x'", ["bÉ", "x"]],
  ["SELECT upper(max(latin)) AS a FROM t", ["C"]],
  ["SELECT coalesce(max(bin), min(general)) AS a FROM t", ["d"]],
];

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await openMySqlWith(flavor, async (run) => {
        await run(TABLE);
        await run("INSERT INTO t VALUES (1, 'a', 'b', 'c', 'd'), (2, 'A', 'B', 'C', 'D')");
      });
    });
    afterAll(() => opened?.close());

    test.each(QUERIES)("%s", async (sql, rows) => {
      const answer = await ask(sql, manifest, "mysql", opened, { textOrder: "code points" });
      expect("rows" in answer ? answer.rows.map(([value]) => value) : answer).toEqual(rows);
    });

    // `min` and `max` are the source's own.
    test.each(QUERIES.filter(([sql]) => !/\b(min|max)\(/.test(sql)))(
      "as the source orders texts: %s",
      async (sql, rows) => {
        const answer = await ask(sql, manifest, "mysql", opened);
        expect("rows" in answer ? answer.rows.map(([value]) => value) : answer).toEqual(rows);
      },
    );
  });
}

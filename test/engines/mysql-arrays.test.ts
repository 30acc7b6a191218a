/**
 * Arrays on MySQL and MariaDB, which have none: an array is a document of JSON, in a column that the model declares as an array and where a
 * statement makes one. PostgreSQL answers the same questions over arrays of its own.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeAgainst } from "../parity/judge.ts";
import { startMySql } from "../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { startPostgres } from "../support/postgres.ts";
import { type OpenedSource, openMySqlDatabase, openPostgresDatabase } from "../support/sources.ts";
import { BROKEN, IN_POSTGRES, manifestOfArrays, RAISED, RIGHT, withDocuments } from "./array-questions.ts";

const TYPES = ["text[]", "bigint[]"] as const;
const POSTGRES = manifestOfArrays({ schema: "public" }, TYPES);
const MYSQL = manifestOfArrays({}, TYPES);
const IN_MYSQL = [
  ...withDocuments("json", "int PRIMARY KEY", "varchar(50)", " CHARACTER SET utf8mb4"),
  // Documents in a text.
  "ALTER TABLE t MODIFY others longtext",
  "ANALYZE TABLE many",
];

const REFUSED = [
  "SELECT tags, count(*) AS n FROM t GROUP BY tags",
  "SELECT DISTINCT tags FROM t",
  "SELECT id FROM t ORDER BY tags",
  "SELECT id FROM t WHERE tags = others",
  "SELECT tags::text AS a FROM t",
  "SELECT to_json(tags) AS a FROM t",
  "SELECT max(tags) AS a FROM t",
  "SELECT tags FROM t UNION SELECT others FROM t",
  "SELECT 'x' || tags::text AS a FROM t",
  "SELECT ARRAY[[1, 2], [3, 4]] AS a",
  "SELECT tags[id] AS a FROM t",
  "SELECT ARRAY[1.5::float8] AS a",
  "SELECT string_to_array(list, 'n') AS a FROM t",
  "SELECT string_to_array(list, chr(10)) AS a FROM t",
  "SELECT array_agg(id) OVER () AS a FROM t",
  "SELECT x, y FROM t, unnest(tags, others) AS u(x, y)",
];

let postgres: OpenedSource;
let stopPostgres: () => Promise<unknown>;
beforeAll(async () => {
  const database = await startPostgres();
  stopPostgres = () => database.stop();
  const client = await database.connect();
  for (const sql of IN_POSTGRES) await client.query(sql);
  await client.end();
  postgres = await openPostgresDatabase(database);
});
afterAll(async () => {
  await postgres.close();
  await stopPostgres();
});

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let mysql: OpenedSource;
    let stop: () => Promise<unknown>;
    beforeAll(async () => {
      const database = await startMySql(flavor);
      stop = () => database.stop();
      for (const sql of IN_MYSQL) await database.query(sql);
      mysql = await openMySqlDatabase(database);
    });
    afterAll(async () => {
      await mysql.close();
      await stop();
    });

    const answer = (sql: string) => ask(sql, MYSQL, "mysql", mysql, { textOrder: "code points" });

    describe.each(Object.entries(RIGHT))("%s", (_what, queries) => {
      test.each(queries)("%s", async (sql) => {
        const [expected, own] = [await ask(sql, POSTGRES, "postgres", postgres), await answer(sql)];
        if ("outcome" in expected || "outcome" in own) expect([expected, own]).toEqual("two answers");
        else expect(judgeAgainst(expected, own)).toEqual({ outcome: "right" });
      });
    });

    describe.each(RAISED)("%s", (sql) => {
      test.each(BROKEN.map((text, id) => [text, id] as const))("raises over %s", async (_text, id) => {
        expect(await answer(`${sql} WHERE id = ${id}`)).toMatchObject({ outcome: "engine error" });
      });
    });

    test.each(REFUSED)("refused: %s", async (sql) => {
      expect(await answer(sql)).toMatchObject({ outcome: "refused" });
    });
  });
}

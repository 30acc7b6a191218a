/** UUIDs of MariaDB, and CHAR(36) of MySQL, against PostgreSQL: literals in each form, comparisons and order. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../parity/judge.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOfTable } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openMySqlWith, openPostgresDatabase } from "../support/sources.ts";

/** Versions 1, 4 and 7. Orders by the last group, by the parts of a time and by digits all differ. */
const UUIDS = [
  "00000000-0000-0000-0000-000000000000",
  "2ed6657d-e927-11eb-9a03-0242ac130003",
  "1ed6657d-e928-11eb-8a03-0242ac130004",
  "3ed6657d-e926-11eb-8a03-0142ac130003",
  "550e8400-e29b-41d4-a716-446655440000",
  "550e8400-e29b-41d4-a716-046655440000",
  "a50e8400-029b-41d4-a716-346655440000",
  "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
  "017f22e3-79b0-7cc3-88c4-0c0c0c07398f",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
];

const MANIFEST = manifestOfTable({ id: "INTEGER", u: "UUID" });

const QUERIES = [
  "SELECT id, u FROM t ORDER BY u",
  "SELECT id FROM t ORDER BY u DESC",
  "SELECT id, row_number() OVER (ORDER BY u) AS r FROM t ORDER BY id",
  "SELECT string_agg(CAST(id AS text), ',' ORDER BY u) AS s FROM t",
  "SELECT id FROM t WHERE u = '550e8400-e29b-41d4-a716-446655440000'",
  "SELECT id FROM t WHERE u = '{550E8400e29b41d4A716-446655440000}'",
  "SELECT id FROM t WHERE u <> '550e8400-e29b-41d4-a716-446655440000' ORDER BY id",
  "SELECT id FROM t WHERE u IN ('550e8400-e29b-41d4-a716-446655440000', '2ED6657D-e927-11eb-9a03-0242ac130003') ORDER BY id",
  "SELECT id FROM t WHERE u NOT IN ('550e8400-e29b-41d4-a716-446655440000') ORDER BY id",
  "SELECT id FROM t WHERE u < '2ed6657d-e927-11eb-9a03-0242ac130003' ORDER BY id",
  "SELECT id FROM t WHERE u >= CAST('550e8400-e29b-41d4-a716-446655440000' AS uuid) ORDER BY id",
  "SELECT id FROM t WHERE u BETWEEN '017f22e3-79b0-7cc3-88c4-0c0c0c07398f' AND '550e8400-e29b-41d4-a716-046655440000' ORDER BY id",
  "SELECT id FROM t WHERE (u, id) > (CAST('2ed6657d-e927-11eb-9a03-0242ac130003' AS uuid), 1) ORDER BY id",
  "SELECT a.id AS x, b.id AS y FROM t a JOIN t b ON a.u = b.u ORDER BY 1",
  "SELECT a.id AS x, count(*) AS n FROM t a JOIN t b ON a.u < b.u GROUP BY a.id ORDER BY 1",
  "SELECT count(DISTINCT u) AS n FROM t",
  "SELECT CASE u WHEN '550e8400-e29b-41d4-a716-446655440000' THEN 'yes' ELSE 'no' END AS c FROM t ORDER BY id",
  "SELECT u IS NOT DISTINCT FROM '550e8400-e29b-41d4-a716-446655440000' AS c FROM t ORDER BY id",
  "SELECT coalesce(u, '550e8400-e29b-41d4-a716-446655440000') AS c FROM t ORDER BY id",
  "SELECT u FROM t UNION SELECT CAST('550e8400-e29b-41d4-a716-446655440001' AS uuid) ORDER BY u",
  "SELECT CAST(u AS text) AS c FROM t WHERE CAST(u AS text) LIKE '55%' ORDER BY c",
];

const fill = (type: string) => [
  `CREATE TABLE t (id int, u ${type})`,
  `INSERT INTO t VALUES ${UUIDS.map((uuid, id) => `(${id}, '${uuid}')`).join(", ")}, (${UUIDS.length}, NULL)`,
];

let database: TestDatabase;
let postgres: OpenedSource;
beforeAll(async () => {
  database = await startPostgres();
  const client = new pg.Client(database.url);
  await client.connect();
  for (const sql of fill("uuid")) await client.query(sql);
  await client.end();
  postgres = await openPostgresDatabase(database);
});
afterAll(async () => {
  await postgres?.close();
  await database?.stop();
});

describe.each(MYSQL_FLAVORS)("%s", (flavor) => {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? "UUIDs" : withoutMySql(flavor), () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await openMySqlWith(flavor, async (run) => {
        for (const sql of fill(flavor === "mariadb" ? "uuid" : "char(36)")) await run(sql);
      });
    });
    afterAll(() => opened?.close());

    test.each(QUERIES)("%s", async (sql) => {
      const expected = await ask(sql, MANIFEST, "postgres", postgres);
      const answer = await ask(sql, MANIFEST, "mysql", opened);
      if ("outcome" in expected || "outcome" in answer) {
        expect.unreachable(JSON.stringify([expected, answer]));
      }
      expect(answer.rows).toEqual(expected.rows);
    });

    test.each([
      "SELECT max(u) AS m FROM t",
      "SELECT greatest(u, u) AS m FROM t",
      "SELECT id FROM t WHERE u < ANY (SELECT u FROM t)",
    ])("%s is refused", async (sql) => {
      expect(await ask(sql, MANIFEST, "mysql", opened)).toMatchObject({ outcome: "refused" });
    });
  });
});

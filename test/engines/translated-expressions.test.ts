/** Source expressions with constructs that the source lacks, on the real engines. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../parity/judge.ts";
import { type ClickHouseTestDatabase, startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openMySqlWith } from "../support/sources.ts";

const EXPRESSIONS: readonly (readonly [name: string, type: string, expression: string])[] = [
  ["a", "VARCHAR", "cast(p as string)"],
  ["b", "DOUBLE", "n::double"],
  ["c", "DOUBLE", "p::double"],
  ["d", "INTEGER", "cast(p as int)"],
  ["e", "TIMESTAMP", "date_trunc('month', cast('2024-05-06' as date))"],
  ["f", "VARCHAR", "n::text"],
  ["g", "VARCHAR", "nvl(k, 'none')"],
];
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [
        { name: "k", type: "VARCHAR" },
        { name: "p", type: "VARCHAR" },
        { name: "n", type: "INTEGER" },
        ...EXPRESSIONS.map(([name, type, expression]) => ({ name, type, expression })),
      ],
    },
  ],
});
const TEXTS = EXPRESSIONS.map(([name]) => name);
/** PostgreSQL's answers for the row ('x', '12', 3). */
const ROW = ["12", 3, 12, 12, "2024-05-01", "3", "x"];

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await openMySqlWith(flavor, async (run) => {
        await run("CREATE TABLE t (k varchar(9), p varchar(9), n int)");
        await run("INSERT INTO t VALUES ('x', '12', 3)");
      });
    });
    afterAll(() => opened?.close());

    test.each(TEXTS)("the column %s", async (name) => {
      const answer = await ask(
        `SELECT CAST(${name} AS varchar) AS v FROM t`
          .replace("CAST(b AS varchar)", "b")
          .replace("CAST(c AS varchar)", "c"),
        manifest,
        "mysql",
        opened,
      );
      expect("rows" in answer ? String(answer.rows[0]?.[0]) : answer).toContain(String(ROW[TEXTS.indexOf(name)]));
    });
  });
}

describe.runIf(hasClickHouse())("ClickHouse", () => {
  let server: ClickHouseTestDatabase;
  beforeAll(async () => {
    server = await startClickHouse();
    await server.query("CREATE TABLE t (k Nullable(String), p String, n Int32) ENGINE = Memory");
    await server.query("INSERT INTO t VALUES ('x', '12', 3)");
  });
  afterAll(() => server.stop());

  test.each(TEXTS)("the column %s", async (name) => {
    const { sql } = planned(`SELECT ${name} FROM t`, manifest, { source: "clickhouse" });
    const [[value] = []] = await server.query(sql, { session_timezone: "UTC", cast_keep_nullable: "1" });
    expect(value).toContain(String(ROW[TEXTS.indexOf(name)]));
  });
});

test.skipIf(hasClickHouse())(WITHOUT_CLICKHOUSE, () => {});

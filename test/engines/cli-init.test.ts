/** `siskin init` on MySQL, MariaDB, ClickHouse and Trino: from an empty directory to a right answer. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { identifierOf } from "../../cli/init/table-model.ts";
import { judgeInit } from "../cli/init/judge.ts";
import { type Ddl, SCHEMAS, statementsOf } from "../cli/init/schemas.ts";
import { startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { startMySql } from "../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-init-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

const TYPES = { int: "integer", text: "varchar(60)", amount: "decimal(12,2)", date: "date", flag: "boolean" } as const;

/** A file that only its owner reads. */
function connectionFile(home: string, connection: object): string {
  writeFileSync(join(home, "connection.json"), JSON.stringify(connection), { mode: 0o600 });
  return "connection.json";
}

for (const flavor of MYSQL_FLAVORS) {
  test.skipIf(hasMySql(flavor))(withoutMySql(flavor), () => {});
  describe.skipIf(!hasMySql(flavor))(flavor, () => {
    const ddl: Ddl = { quote: (name) => `\`${name}\``, types: TYPES, hasKeys: true, comments: "inline" };
    test.each(SCHEMAS)("$name", async (schema) => {
      const database = await startMySql(flavor);
      try {
        for (const sql of statementsOf(schema, ddl)) await database.query(sql);
        const home = mkdtempSync(join(directory, "case-"));
        const environment = { DATABASE_URL: database.url };
        const args = ["--schema", database.database];
        const models = await judgeInit({ schema, directory: home, environment, args, hasKeys: true });
        expect(models.size).toBe(schema.tables.length + (schema.view === undefined ? 0 : 1));
        if (schema.name === "pagila") {
          expect(models.get("film_list")).toMatchObject({ read_may_fail: true });
          expect(models.get("film")).toMatchObject({ description: "One row per title." });
        }
      } finally {
        await database.stop();
      }
    });
  });
}

test.skipIf(hasClickHouse())(WITHOUT_CLICKHOUSE, () => {});
describe.skipIf(!hasClickHouse())("ClickHouse", () => {
  const ddl: Ddl = {
    quote: (name) => `\`${name}\``,
    types: { ...TYPES, int: "Int32", text: "String", amount: "Decimal(12, 2)", date: "Date", flag: "Bool" },
    nullable: (type) => `Nullable(${type})`,
    hasKeys: false,
    comments: "inline",
    tail: () => " ENGINE = MergeTree ORDER BY tuple()",
  };
  test.each(SCHEMAS)("$name", async (schema) => {
    const database = await startClickHouse();
    try {
      for (const sql of statementsOf(schema, ddl)) await database.query(sql);
      const home = mkdtempSync(join(directory, "case-"));
      const file = connectionFile(home, { dataSource: "clickhouse", connectionInfo: database.fields });
      const args = ["--from", file, "--schema", database.database];
      const models = await judgeInit({ schema, directory: home, args, hasKeys: false });
      if (schema.name === "pagila") {
        expect(models.get("film_list")).toMatchObject({ read_may_fail: true });
        expect(models.get("film")?.["columns"]).toContainEqual(
          expect.objectContaining({ name: "film_id", not_null: true }),
        );
      }
    } finally {
      await database.stop();
    }
  });
});

test.skipIf(hasTrino())(WITHOUT_TRINO, () => {});
describe.skipIf(!hasTrino())("Trino", () => {
  // Its connector `memory` has no views with names of other cases, and no keys.
  const ddl: Ddl = {
    // Trino reads names in lower case.
    quote: (name) => `"${identifierOf(name)}"`,
    types: TYPES,
    hasKeys: false,
    comments: "none",
    nullable: (type) => type,
  };
  test.each(SCHEMAS)("$name", async (schema) => {
    const server = await openTrinoSchema();
    try {
      for (const sql of statementsOf(schema, ddl)) await server.run(sql);
      const home = mkdtempSync(join(directory, "case-"));
      const { hostname, port } = new URL(server.url);
      const connectionInfo = { host: `http://${hostname}`, port, catalog: "memory", schema: server.name, user: "test" };
      const file = connectionFile(home, { dataSource: "trino", connectionInfo });
      await judgeInit({ schema, directory: home, args: ["--from", file], hasKeys: false });
    } finally {
      for (const { name } of schema.tables) await server.run(`DROP TABLE ${ddl.quote(name)}`);
      if (schema.view !== undefined) await server.run(`DROP VIEW ${ddl.quote(schema.view[0])}`);
      await server.close();
    }
  });
});

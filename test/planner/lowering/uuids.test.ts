/** UUIDs where an engine sorts them otherwise than PostgreSQL; MariaDB's answers are in `test/engines/mysql-uuids.test.ts`. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../support/plan.ts";

const MANIFEST = manifestOfTable({ id: "integer", u: "uuid" });

const sqlOf = (sql: string, source: DataSource): string => planned(sql, MANIFEST, { source }).sql;
const ID = "550e8400-e29b-41d4-a716-446655440000";

describe("a literal has the form that every engine reads", () => {
  test.each([ID, ID.toUpperCase(), `{${ID}}`, ID.replaceAll("-", ""), "550e-8400e29b-41d4a716-4466-55440000"])(
    "%s",
    (literal) => {
      for (const source of ["mssql", "mysql", "clickhouse"] as const) {
        expect(sqlOf(`SELECT id FROM t WHERE u = '${literal}'`, source)).toContain(`'${ID}'`);
      }
    },
  );

  test.each([`${ID}0`, `{${ID}`, "550e8400", "550e840-0e29b-41d4-a716-446655440000", "x"])(
    "%s is refused",
    (literal) => {
      for (const source of ["mssql", "mysql", "clickhouse"] as const) {
        expect(() => sqlOf(`SELECT id FROM t WHERE u = '${literal}'`, source)).toThrow(PlannerError);
      }
    },
  );
});

/** SQL Server begins with the last group of a uniqueidentifier. */
describe("SQL Server orders their texts", () => {
  const TEXT = "(CAST([t].[u] AS NVARCHAR(MAX))) COLLATE Latin1_General_100_BIN2_UTF8";

  test.each([
    ["SELECT id FROM t WHERE u < u", `WHERE ${TEXT} < ${TEXT}`],
    ["SELECT id FROM t WHERE u BETWEEN u AND u", `WHERE ${TEXT} BETWEEN (${TEXT}) AND ${TEXT}`],
    ["SELECT id FROM t ORDER BY u", "(lower(CAST([t].[u] AS NVARCHAR(MAX)))) COLLATE Latin1_General_100_BIN2_UTF8"],
    ["SELECT id FROM t WHERE u = u", "WHERE [t].[u] = [t].[u]"],
    [`SELECT id FROM t WHERE u = '${ID}'`, `WHERE [t].[u] = CAST('${ID}' AS UNIQUEIDENTIFIER)`],
  ])("%s", (sql, part) => {
    expect(sqlOf(sql, "mssql")).toContain(part);
  });
});

test("MySQL and MariaDB order texts of UUIDs in rows, which SQL Server refuses", () => {
  const text = "CAST(`t`.`u` AS CHAR)";
  const row = `(${text}, ${"`t`.`id`"})`;
  expect(sqlOf("SELECT id FROM t WHERE (u, id) < (u, 3)", "mysql")).toContain(`WHERE ${row} < (${text}, 3)`);
  expect(sqlOf("SELECT id FROM t WHERE (u, id) BETWEEN (u, 1) AND (u, 3)", "mysql")).toContain(
    `WHERE ${row} BETWEEN (${text}, 1) AND (${text}, 3)`,
  );
  expect(() => sqlOf("SELECT id FROM t WHERE (u, id) < (u, 3)", "mssql")).toThrow(PlannerError);
});

describe.each(["mssql", "mysql"] as const)("%s refuses", (source) => {
  test.each([
    "SELECT max(u) AS m FROM t",
    "SELECT least(u, u) AS m FROM t",
    "SELECT id FROM t WHERE u > ALL (SELECT u FROM t)",
    `SELECT id FROM t WHERE u > ANY (ARRAY['${ID}'::uuid])`,
    "SELECT id FROM t WHERE (id, u) > ALL (SELECT id, u FROM t)",
    "SELECT id FROM t WHERE u = CAST('5' || CAST(id AS text) AS uuid)",
  ])("%s", (sql) => {
    expect(() => sqlOf(sql, source)).toThrow(PlannerError);
  });
});

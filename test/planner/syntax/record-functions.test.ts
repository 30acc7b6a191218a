/** Functions whose columns a query states: `json_to_record` and its kin. Searched: all four, names, quotes, what is no list. */
import { expect, test } from "vitest";
import { manifestOfTable, planned } from "../../support/plan.ts";

const manifest = manifestOfTable({ id: "integer", j: "jsonb" });

const columnsOf = (sql: string) => planned(sql, manifest, { source: "postgres" }).columns.map(({ name }) => name);

test.each([
  ["SELECT * FROM json_to_record('{}') AS r(a int, b text)", ["a", "b"]],
  ['SELECT * FROM t, jsonb_to_recordset(t.j) AS r(a int, "B" numeric(10, 2), c json)', ["id", "j", "a", "B", "c"]],
  ["SELECT r.a FROM t CROSS JOIN LATERAL json_to_recordset(j) r(a date)", ["a"]],
  ["SELECT a FROM jsonb_to_record('{}') AS (a int)", ["a"]],
  ["SELECT * FROM json_to_record('{}') AS r(a int[])", ["a"]],
  ["SELECT id, x.a FROM t LEFT JOIN jsonb_to_recordset(j) AS x(a int) ON x.a = id", ["id", "a"]],
] as const)("%s", (sql, columns) => expect(columnsOf(sql)).toEqual(columns));

test.each([
  ["SELECT * FROM json_to_record('{}')", "the columns of json_to_record and their types"],
  ["SELECT * FROM json_to_record('{}') AS r", "the columns of json_to_record and their types"],
  ["SELECT * FROM json_to_record('{}') AS r(a)", "type"],
  ["SELECT * FROM json_to_record('{}') AS r(a int[][])", "array of arrays"],
  ["SELECT * FROM json_each('{}') AS r(a int, b text)", "after the column name"],
])("is refused: %s", (sql, message) => expect(() => columnsOf(sql)).toThrow(message));

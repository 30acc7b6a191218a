/** Columns that the manifest declares as maps: a map is no array. */
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "INTEGER", m: "MAP(VARCHAR, INTEGER)", n: "MAP(INTEGER, VARCHAR)" });

test.each([
  ["m['a']", [7, null]],
  ["n[2]", ["y", null]],
  ["m['none']", [null, null]],
])("%s is the value of the key", async (expression, expected) => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(
    "CREATE SCHEMA s; CREATE TABLE s.t (id INTEGER, m MAP(VARCHAR, INTEGER), n MAP(INTEGER, VARCHAR))",
  );
  await connection.run("INSERT INTO s.t VALUES (1, MAP {'a': 7}, MAP {1: 'x', 2: 'y'}), (2, MAP {}, NULL)");
  const { sql } = planned(`SELECT ${expression} AS v FROM t ORDER BY id`, manifest);
  const rows = (await connection.runAndReadAll(sql.replaceAll(/\bFROM t\b/g, "FROM s.t"))).getRowsJson();
  connection.closeSync();
  instance.closeSync();
  expect(rows).toEqual(expected.map((value) => [value]));
});

test.each(["cardinality(m)", "array_length(m, 1)", "array_to_string(m, ',')", "unnest(m)", "array_append(m, 1)"])(
  "%s is refused at the map",
  (expression) => {
    const sql = `SELECT ${expression} AS v FROM t`;
    const refused = (): unknown => planned(sql, manifest);
    expect(refused).toThrow(PlannerError);
    expect(refused).toThrow(/must be an array, not map/);
  },
);

/**
 * Functions that make rows: where they may stand, and what their columns are called. That they mean the same everywhere is
 * shown by running them (`test/parity/functions.ts`). Searched: every clause, one column and several, with and without
 * alias, column names and ordinality, names that a query around has too.
 */
import { describe, expect, test } from "vitest";
import { manifestOfTable, planned } from "../../support/plan.ts";

const manifest = manifestOfTable({ e: "integer", j: "json", xs: "integer[]" });

const columnsOf = (sql: string): readonly string[] =>
  planned(sql, manifest, { source: "postgres" }).columns.map(({ name }) => name);

test.each([
  ["SELECT * FROM json_each('{}'::json)", ["key", "value"]],
  ["SELECT * FROM json_each('{}'::json) AS x", ["key", "value"]],
  ["SELECT * FROM json_each('{}'::json) AS x(a)", ["a", "value"]],
  ["SELECT * FROM json_each('{}'::json) WITH ORDINALITY AS x(a, b)", ["a", "b", "ordinality"]],
  ["SELECT * FROM json_array_elements('[]'::json) AS x", ["value"]],
  ["SELECT * FROM json_object_keys('{}'::json) AS x", ["x"]],
  ["SELECT * FROM json_object_keys('{}'::json)", ["json_object_keys"]],
  ["SELECT x FROM json_array_elements('[]'::json) AS x", ["x"]],
])("the columns of %s", (sql, names) => {
  expect(columnsOf(sql)).toEqual(names);
});

test("a column of the query around comes before the row of a function", () => {
  const sql = "SELECT (SELECT max(e) FROM json_array_elements_text(t.j) AS e) AS m FROM t";
  expect(() => planned(sql, manifest, { source: "postgres" })).toThrow('column "j" is neither grouped nor aggregated');
});

describe("refused", () => {
  test.each([
    ["SELECT json_each(j) FROM t", "json_each gives 2 columns"],
    ["SELECT unnest(xs, xs) FROM t", "unnest gives 2 columns"],
    ["SELECT 1 FROM t WHERE unnest(xs) = 1", "unnest returns rows: it is not allowed in WHERE"],
    ["SELECT e FROM t GROUP BY e HAVING unnest(xs) = 1", "unnest returns rows: it is not allowed in HAVING"],
    ["SELECT sum(unnest(xs)) FROM t", "unnest returns rows: it is not allowed in an aggregate's argument"],
    ["SELECT regexp_matches('a', 'a')", "regexp_matches gives a row per match on some sources"],
    ["SELECT 1 FROM upper('a')", "upper is not allowed in FROM"],
    ["SELECT 1 FROM json_each(1) AS x", "argument 1 of json_each must be json"],
    ["SELECT 1 FROM json_each('{}'::json) AS x(a, b, c)", '"x" has 2 column(s)'],
  ])("%s", (sql, message) => {
    expect(() => planned(sql, manifest)).toThrow(message);
  });

  test.each([
    ["SELECT unnest(xs) + 1, count(*) FROM t GROUP BY 1", "groups of rows"],
    ["SELECT unnest(xs), unnest(xs || 1), count(*) FROM t GROUP BY 1, 2", "groups of rows"],
    ["SELECT p FROM regexp_split_to_table('ab', 'x*') AS p", "every match of a pattern that may match nothing"],
    ["SELECT p FROM regexp_split_to_table('ab', 'ba*(ab)?') AS p", "a pattern that may match more or less of a text"],
    ["SELECT m FROM regexp_matches('ab', 'x*', 'g') AS m", "every match of a pattern that may match nothing"],
    ["SELECT m FROM regexp_matches('ab', '(a)|(b)', 'g') AS m", "groups that a match may go without"],
  ])("by DuckDB: %s", (sql, message) => {
    expect(() => planned(sql, manifest)).toThrow(message);
    expect(() => planned(sql, manifest, { source: "postgres" })).not.toThrow();
  });
});

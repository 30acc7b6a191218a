/** Refusals of Doris and its settings; `test/sent-sql/dialects/doris.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { DORIS_TABLE } from "../../../sent-sql/dialects/doris.ts";
import { manifestOf, planned } from "../../../support/plan.ts";

const refusal = (sql: string) => () => planned(sql, DORIS_TABLE, { source: "doris" });

test("a statement brings the settings that its meaning rests on", () => {
  const { session } = planned("SELECT id FROM t", DORIS_TABLE, { source: "doris" });
  expect(Object.fromEntries(session.map(({ name, value }) => [name, value]))).toEqual({
    time_zone: "+00:00",
    sql_mode: "ONLY_FULL_GROUP_BY",
    enable_strict_cast: "1",
    enable_decimal256: "1",
    decimal_overflow_scale: "30",
    check_overflow_for_decimal: "1",
  });
});

describe("numbers, of which one beyond its type is not documented", () => {
  test.each([
    ["sqrt(f)", "a root"],
    ["round(f)", "round of a float"],
    ["f ^ 0.5", "a power"],
    ["n % id", "the remainder of fractions"],
    ["(f::int * f)::int", "a cast from a long expression of doubles"],
    ["try_cast(s AS float8)", "TRY_CAST of a text"],
    ["f::text", "the text of a value of type float"],
    ["id << n", "shifted bits"],
  ])("%s is refused", (sql, what) => expect(refusal(`SELECT ${sql} AS x FROM t`)).toThrow(what));
});

describe("texts and times", () => {
  test.each([
    ["s ~ '(a)\\1'", "in a regular expression"],
    ["s ~ s", "a computed regular expression"],
    ["s::timestamptz", "a computed text as an instant"],
    ["ts::text", "the text of a value of type timestamp"],
    ["ts AT TIME ZONE 'Mars/Olympus'", "another time zone than UTC"],
    ["tz AT TIME ZONE 'Mars/Olympus'", "another time zone than UTC"],
    ["j = j", "a comparison of json"],
    ["l = l", "a comparison of json"],
    ["sketch = sketch", "a comparison of values whose type is unknown"],
    ["(id, s) IN (SELECT id, s FROM t)", "IN of rows"],
    ["avg(n) OVER (ORDER BY id)", "a window up to rows that are equal in its order"],
  ])("%s is refused", (sql, what) => expect(refusal(`SELECT ${sql} AS x FROM t`)).toThrow(what));

  test.each(["sleep(1)", "encryptkeyref('k')", "some_function(id)"])("%s is no function of the language", (sql) => {
    expect(refusal(`SELECT ${sql} AS x FROM t`)).toThrow();
  });

  test.each(["s3('uri')", "query('catalog')", "backends()", "numbers(10)"])("%s is no table", (sql) => {
    expect(refusal(`SELECT * FROM ${sql} AS x`)).toThrow();
  });
});

test("an expression that can fail is refused over a model with rules", () => {
  const guarded = manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "t",
        tableReference: { table: "t" },
        columns: [{ name: "id", type: "INT" }],
        rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "id = 1" }],
      },
    ],
  });
  expect(planned("SELECT id FROM t", guarded, { source: "doris" }).sql).toContain("WHERE `_b`.`id` = 1) AS `t`");
  expect(() => planned("SELECT 1 / id AS n FROM t", guarded, { source: "doris" })).toThrow("not supported on Doris");
});

describe("generate_series has a literal count", () => {
  test.each<readonly [series: string, what: string]>([
    ["DATE '2024-01-31', DATE '2024-06-14', INTERVAL '1 month'", "a series of months from a day that some do not have"],
    ["DATE '2024-01-01', (SELECT max(d) FROM t), INTERVAL '1 day'", "a series with computed ends"],
    ["DATE '2024-01-01', DATE '2024-03-01', INTERVAL '1 month 1 day'", "a series with this step"],
  ])("%s is refused", (series, what) => {
    expect(refusal(`SELECT g FROM generate_series(${series}) AS g`)).toThrow(what);
  });
});

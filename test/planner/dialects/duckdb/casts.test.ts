/** Casts on DuckDB; `test/sent-sql/dialects/duckdb.ts` lists more. `test/parity/` shows that the values agree (random, text-times). */
import { describe, expect, test } from "vitest";
import { DUCKDB_TABLE } from "../../../sent-sql/dialects/duckdb.ts";
import { planned } from "../../../support/plan.ts";

const sqlOf = (value: string): string => planned(`SELECT ${value} AS v FROM t`, DUCKDB_TABLE, { source: "duckdb" }).sql;

describe("refused", () => {
  test.each(["x::bit(1)", "x::bit", "1::bit(8)", "x::bit varying", "B'101'::bit(2)", "x::inet", "x::xml"])(
    "%s",
    (value) => expect(() => sqlOf(value)).toThrow(/not supported on DuckDB: the type (?:bit|inet|xml)/),
  );
});

test("a date AT TIME ZONE has no zone", () =>
  expect(planned("SELECT d AT TIME ZONE 'UTC' AS v FROM t", DUCKDB_TABLE).columns[0]?.type).toMatchObject({
    kind: "timestamp",
    zoned: false,
  }));

test("a computed text is checked once", () => {
  const sql = sqlOf("x::date::text::date::text::date");
  expect(sql.match(/t\.x/g)).toHaveLength(1);
});

/** Casts whose DuckDB form is not PostgreSQL's. That the values agree is shown by `test/parity/` (random, text-times). */
import { describe, expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ x: "varchar", n: "decimal(14,4)", d: "date", c: "timestamp", z: "timestamptz" });
const sqlOf = (value: string): string => planned(`SELECT ${value} AS v FROM t`, manifest, { source: "duckdb" }).sql;

describe("refused", () => {
  test.each(["x::bit(1)", "x::bit", "1::bit(8)", "x::bit varying", "B'101'::bit(2)", "x::inet", "x::xml"])(
    "%s",
    (value) => expect(() => sqlOf(value)).toThrow(/not supported on DuckDB: the type (?:bit|inet|xml)/),
  );
});

test.each([
  ["n::real", "CAST(CAST(t.n AS DOUBLE PRECISION) AS REAL)"],
  ["12345.6789::real", "CAST(12345.6789e0 AS REAL)"],
  ["-12345.6789::real", "-CAST(12345.6789e0 AS REAL)"],
  ["0.1::real", "CAST(0.1 AS REAL)"],
  ["n::float8", "CAST(t.n AS DOUBLE PRECISION)"],
  ["1234567890.1234567::float8", "CAST(1234567890.1234567e0 AS DOUBLE PRECISION)"],
  ["d AT TIME ZONE 'Europe/Oslo'", "CAST(t.d AS TIMESTAMPTZ) AT TIME ZONE 'Europe/Oslo'"],
  // An expression that engines without time zones have, too.
  ["d AT TIME ZONE 'UTC'", "CAST(CAST(t.d AS TIMESTAMPTZ) AS TIMESTAMP)"],
  ["c AT TIME ZONE 'UTC'", "CAST(t.c AS TIMESTAMPTZ)"],
  ["z AT TIME ZONE 'utc'", "CAST(t.z AS TIMESTAMP)"],
  ["z AT TIME ZONE 'Europe/Oslo'", "t.z AT TIME ZONE 'Europe/Oslo'"],
  ["z AT TIME ZONE INTERVAL '2 hours'", "CAST(t.z AS TIMESTAMP) + INTERVAL '02:00:00'"],
  ["c AT TIME ZONE INTERVAL '2 hours'", "CAST(t.c - INTERVAL '02:00:00' AS TIMESTAMPTZ)"],
  ["'2024-01-31'::date", "DATE '2024-01-31'"],
])("%s", (value, expected) => expect(sqlOf(value)).toContain(`SELECT ${expected} AS v`));

test("a date AT TIME ZONE has no zone", () =>
  expect(planned("SELECT d AT TIME ZONE 'UTC' AS v FROM t", manifest).columns[0]?.type).toMatchObject({
    kind: "timestamp",
    zoned: false,
  }));

test("a computed text is checked once", () => {
  const sql = sqlOf("x::date::text::date::text::date");
  expect(sql.match(/t\.x/g)).toHaveLength(1);
});

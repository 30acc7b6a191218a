/**
 * Texts of a length. PostgreSQL fills `char(n)` up with blanks that a result shows and that `=`, `||` and `length` do not see: where
 * there may be any, it is refused elsewhere. `TRY_CAST(x AS varchar(n))` was not cut on DuckDB.
 */
import { describe, expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ s: "VARCHAR", i: "INTEGER", b: "BOOLEAN", d: "DATE", u: "UUID" });
const said = (expression: string): string =>
  planned(`SELECT ${expression} AS x FROM t`, manifest).sql.replace(/^SELECT (.*) AS x FROM t AS t$/, "$1");

describe("is cut", () => {
  test.each([
    ["CAST(s AS varchar(5))", "left(t.s, 5)"],
    ["TRY_CAST(s AS varchar(5))", "left(t.s, 5)"],
    ["CAST(i AS varchar(2))", "left(CAST(t.i AS TEXT), 2)"],
    ["TRY_CAST(i AS varchar(2))", "left(TRY_CAST(t.i AS TEXT), 2)"],
    ["CAST('abc' AS char(3))", "left('abc', 3)"],
    ["CAST(i AS char(1))", "left(CAST(t.i AS TEXT), 1)"],
    ["CAST(b AS char(4))", "left(CAST(t.b AS TEXT), 4)"],
    ["CAST(d AS char(7))", "left(CAST(t.d AS TEXT), 7)"],
    ["CAST(NULL AS char(5))", "left(CAST(NULL AS TEXT), 5)"],
  ])("%s", (expression, expected) => expect(said(expression)).toBe(expected));
});

describe("is refused where blanks may stand behind it", () => {
  test.each([
    "CAST(s AS char(1))",
    "CAST('ab' AS char(3))",
    "CAST(i AS char(2))",
    "CAST(b AS char(5))",
    "CAST(d AS char(10))",
  ])("%s", (expression) => {
    const length = /\d+/.exec(expression)?.[0];
    expect(() => said(expression)).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", hint: `Write varchar(${length}).` }),
    );
    expect(() => planned(`SELECT ${expression} AS x FROM t`, manifest, { source: "postgres" })).not.toThrow();
  });
});

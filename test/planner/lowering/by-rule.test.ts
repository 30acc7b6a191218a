/** Calls that a target's rule refuses, by their definition for these arguments. */
import { describe, expect, test } from "vitest";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../support/plan.ts";

const MANIFEST = manifestOfTable({ n: "INTEGER", p: "DECIMAL(12,2)", w: "DOUBLE", s: "VARCHAR", j: "JSON" });

const sent = (source: DataSource, value: string): string =>
  planned(`SELECT ${value} AS x FROM t`, MANIFEST, { source }).sql;

describe("the position of a value in an array that is written out", () => {
  test.each<[DataSource, string]>([
    ["trino", "CASE \"t\".\"s\" WHEN 'a' THEN 1 WHEN 'it''s' THEN 2 END"],
    ["spark", "CASE `t`.`s` WHEN 'a' THEN 1 WHEN 'it\\'s' THEN 2 END"],
    ["bigquery", "CASE `t`.`s` WHEN 'a' THEN 1 WHEN 'it\\'s' THEN 2 END"],
  ])("%s", (source, expected) => {
    expect(sent(source, "array_position(ARRAY['a', 'it''s'], s)")).toContain(expected);
    expect(() => sent(source, "array_position(ARRAY['a', s], s)")).toThrow("not supported on");
    expect(() => sent(source, "array_position(ARRAY['a', NULL], s)")).toThrow("not supported on");
  });
});

describe("to_timestamp of seconds", () => {
  test.each<[DataSource, string]>([
    ["doris", "MICROSECONDS_ADD(DATE_ADD(DATE_ADD(CAST('1970-01-01 00:00:00' AS DATETIME(6)), INTERVAL"],
    ["mssql", "DATEADD(MICROSECOND, CAST(round("],
  ])("%s", (source, expected) => {
    expect(sent(source, "to_timestamp(p)")).toContain(expected);
    expect(() => sent(source, "to_timestamp(w)")).toThrow("not supported on");
  });

  test("integers have no microseconds", () => {
    expect(sent("doris", "to_timestamp(n)")).not.toContain("MICROSECOND");
  });
});

describe("a number in json", () => {
  test.each<[DataSource, string]>([
    ["trino", "AS INTEGER)"],
    ["mysql", "json_type"],
    ["bigquery", "json_type"],
    ["snowflake", "typeof"],
  ])("%s reads the text of a number, and the name of another type", (source, expected) => {
    const sql = sent(source, "(j -> 'a')::integer");
    expect(sql.toLowerCase()).toContain(expected.toLowerCase());
    expect(sql).toContain("'number'");
  });

  test.each<DataSource>(["spark", "redshift", "mssql"])("%s: a refusal names the cast", (source) => {
    expect(() => sent(source, "(j -> 'a')::integer")).toThrow("a cast from json to integer");
  });

  test("a whole document is refused", () => {
    expect(() => sent("trino", "j::integer")).toThrow("a cast from json to integer");
  });
});

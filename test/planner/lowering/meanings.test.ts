/** Functions without a rule of the target are planned by their definitions in the catalogue. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { functionNames, meaningsOf } from "../../../src/planner/functions/catalogue.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { parseExpression } from "../../../src/planner/syntax/parser.ts";
import { manifestOfTable, planned } from "../../support/plan.ts";

const MANIFEST = manifestOfTable({
  n: "INTEGER",
  p: "DECIMAL(12,2)",
  w: "DOUBLE",
  d: "DATE",
  s: "VARCHAR",
  r: "VARCHAR",
});

const sent = (source: DataSource, value: string): string =>
  planned(`SELECT ${value} AS x FROM t`, MANIFEST, { source }).sql.replace(/^SELECT | AS .x. FROM .*$/gs, "");

function refusal(source: DataSource, value: string): string {
  try {
    return sent(source, value);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    return `${error.message}: ${error.hint ?? ""} at ${error.span?.start}`;
  }
}

/** Definitions that are not made of literals. */
const DEFINED = functionNames().flatMap((name) =>
  meaningsOf(name).flatMap(({ parameters, sql }) =>
    typeof sql === "string" ? [[name, { parameters, sql }] as const] : [],
  ),
);

test.each(DEFINED)(
  "%s: the definition is SQL and takes as many arguments as it has patterns",
  (_name, { parameters, sql }) => {
    const places = [...sql.matchAll(/\$(\d)/g)].map(([, place]) => Number(place));
    expect(new Set(places).size).toBe(parameters.split(", ").length);
    expect(() => parseExpression(sql.replaceAll(/\$\d/g, "x"), { limits: DEFAULT_LIMITS })).not.toThrow();
  },
);

describe("the definition is sent", () => {
  test.each<[DataSource, string, string]>([
    ["trino", "isfinite(d)", 'CASE WHEN "t"."d" IS NOT NULL THEN TRUE END'],
    ["mssql", "isfinite(d)", "CASE WHEN [t].[d] IS NOT NULL THEN CAST(1 AS BIT) END"],
    ["doris", "isfinite(d)", "CASE WHEN `t`.`d` IS NOT NULL THEN TRUE END"],
    ["mysql", "cosh(w)", "(exp(CAST(`t`.`w` AS DOUBLE)) + exp(-CAST(`t`.`w` AS DOUBLE))) / 2"],
    ["doris", "contains(s, r)", "locate(`t`.`r`, `t`.`s`) > 0"],
    ["trino", "gcd(n, 4)", 'CASE abs(mod("t"."n", 4)) WHEN 0 THEN 4 WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 1 END'],
    ["mssql", "gcd(3, n)", "CASE abs([t].[n] % 3) WHEN 0 THEN 3 WHEN 1 THEN 1 WHEN 2 THEN 1 END"],
    ["spark", "lcm(n, 2)", "abs(`t`.`n` * CASE abs(mod(`t`.`n`, 2)) WHEN 0 THEN 1 WHEN 1 THEN 2 END)"],
    ["redshift", "factorial(4)", "CAST(24 AS DECIMAL(19, 0))"],
    ["trino", "quote_nullable(s)", `coalesce(CASE WHEN strpos("t"."s", '\\') > 0 THEN 'E''' ELSE '''' END`],
  ])("%s: %s", (source, value, expected) => {
    expect(sent(source, value)).toContain(expected);
  });

  test("branches that literals decide are left out", () => {
    expect(sent("oracle", "width_bucket(n, 0, 100, 5)")).not.toContain("0 < 100");
    expect(sent("oracle", "width_bucket(n, 100, 0, 5)")).toContain('WHEN "t"."n" > 100 THEN 0');
    expect(sent("oracle", "width_bucket(n, 7, 7, 5)")).toContain("no bucket");
    expect(sent("oracle", "width_bucket(n, 0, n + 1, 5)")).toContain("CASE WHEN 0 <");
  });

  test("an aggregate of a definition has the FILTER of the call", () => {
    const sql = sent("mysql", "regr_r2(p, n) FILTER (WHERE n > 3)");
    expect(sql).toContain("CASE WHEN `t`.`n` > 3 THEN `t`.`p` END");
    expect(sql).not.toContain("sum(`t`.`p`");
  });

  test("a definition within another has the arguments of its own", () => {
    expect(sent("spark", "overlay(overlay(s placing 'a' from 2 for 0) placing r from 3 for 1)")).not.toContain("$");
  });
});

describe("arguments that no definition takes are refused at the call", () => {
  test.each<[string, string]>([
    ["width_bucket(w, 0, 10, 5)", "width_bucket with these arguments: width_bucket takes integer or decimal, "],
    ["width_bucket(n, 0, 10, 0)", "literal integer from 1. at 7"],
    ["gcd(n, n)", "gcd with these arguments: gcd takes integer, literal integer from 1; or "],
    ["gcd(n, 121)", "gcd with these arguments"],
    ["lcm(n, 0)", "lcm with these arguments"],
    ["factorial(21)", "factorial with these arguments"],
    ["overlay(s placing r from n)", "overlay with these arguments: "],
    ["regr_r2(p, n) OVER ()", "regr_r2 over a window: "],
  ])("%s", (value, expected) => {
    expect(refusal("mysql", value)).toContain(expected);
  });

  test("a construct of the definition that a target lacks is the call's", () => {
    expect(refusal("mssql", "regr_r2(w, n)")).toBe("not supported on SQL Server: regr_r2:  at 7");
  });
});

/** A table with a base: its own rows come first, and the compiler names every function that neither has. */
import { describe, expect, test } from "vitest";
import { MOST_LACK } from "../../../src/planner/dialects/baselines.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { functionNames, meaningsOf } from "../../../src/planner/functions/catalogue.ts";
import { functionRules } from "../../../src/planner/lowering/rules.ts";

const SOURCES = [
  "bigquery",
  "clickhouse",
  "doris",
  "mssql",
  "mysql",
  "oracle",
  "redshift",
  "snowflake",
  "spark",
] as const;

describe("a table with a base", () => {
  test.each(SOURCES)("%s has a rule or the catalogue's definition for every function", (source) => {
    const { functions } = targetOf(source).rewrites;
    const lacks = functionNames().filter((name) => !functions.has(name) && meaningsOf(name).length === 0);
    expect(lacks).toEqual([]);
  });

  test.each(SOURCES)("%s lacks most of the base, as the base says it", (source) => {
    const { functions } = targetOf(source).rewrites;
    const names = Object.entries(MOST_LACK);
    const lacked = names.filter(([name, rule]) => functions.get(name) === rule);
    expect(lacked.length / names.length).toBeGreaterThan(0.7);
  });

  test("own rows replace those of the base, native ones too", () => {
    expect(targetOf("mysql").rewrites.functions.get("json_build_object")).not.toBe(MOST_LACK.json_build_object);
    expect(targetOf("clickhouse").rewrites.functions.get("factorial")).toBeTypeOf("function");
  });

  test("a function that is neither in the base nor in the table does not compile", () => {
    // @ts-expect-error: every function but two is missing
    const rules = functionRules(["abs"], {}, { sinh: { refused: "sinh" } });
    expect(rules.get("sinh")).toEqual({ refused: "sinh" });
    expect(functionRules(["abs sinh"], {} as never, { sinh: { refused: "sinh" } }).get("sinh")).toBe("same");
  });
});

/** Columns of arrays as Snowflake says them, by its manual: no emulator of it has their NULLs. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "INT", s: "VARCHAR", a: "ARRAY(VARCHAR)", k: "ARRAY(INTEGER)" });

function value(expression: string): string {
  try {
    const { sql } = planned(`SELECT ${expression} AS x FROM t`, manifest, { source: "snowflake" });
    return sql.replaceAll(/"|t"?\./g, "").replace(/^SELECT (.*) AS x FROM T AS t$/s, "$1");
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace("not supported on Snowflake: ", "");
    throw error;
  }
}

const holds = (array: string, sought: string, ofNull = ""): string =>
  `CASE WHEN ARRAY_SIZE(${array}) = 0 THEN FALSE ${ofNull}WHEN ARRAY_CONTAINS(TO_VARIANT(${sought}), ${array}) THEN TRUE ` +
  `WHEN ARRAY_SIZE(ARRAY_COMPACT(${array})) = ARRAY_SIZE(${array}) THEN FALSE END`;
const ofColumn = (array: string, sought: string): string => holds(array, sought, `WHEN ${sought} IS NULL THEN NULL `);

describe("columns of arrays", () => {
  test.each<readonly [expression: string, sent: string]>([
    ["'x' = ANY (a)", holds("A", "'x'")],
    ["s <> ALL (a)", `NOT ${ofColumn("A", "S")}`],
    ["id = ANY (k)", ofColumn("K", "ID")],
    ["array_contains(a, s)", ofColumn("A", "S")],
    ["cardinality(a)", "array_size(A)"],
    ["array_length(k, 1)", "nullif(array_size(K), 0)"],
    ["a[1]", "CAST(GET(A, 0) AS VARCHAR)"],
    ["k[3]", "CAST(GET(K, 2) AS BIGINT)"],
    ["array_to_string(a, '; ')", "ARRAY_TO_STRING(ARRAY_COMPACT(A), '; ')"],
  ])("%s", (expression, sent) => expect(value(expression)).toBe(sent));

  test.each<readonly [expression: string, what: string]>([
    ["'x' < ANY (a)", "ANY or ALL of an array"],
    ["upper(s) = ANY (a)", "ANY or ALL of an array"],
    ["a[id]", "an element of this"],
    ["array_to_string(k, ',')", "arrays"],
    ["array_length(a, 2)", "arrays"],
    ["cardinality(string_to_array(s, ','))", "arrays"],
  ])("%s is refused", (expression, what) => expect(value(expression)).toBe(what));
});

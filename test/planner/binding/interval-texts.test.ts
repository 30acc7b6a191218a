/** Intervals that are put together as texts. */
import { describe, expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [
        { name: "n", type: "INTEGER" },
        { name: "s", type: "VARCHAR" },
        { name: "d", type: "DATE" },
      ],
    },
  ],
});
const sql = (expression: string, source: "postgres" | "trino"): string =>
  planned(`SELECT ${expression} AS x FROM t`, manifest, { source }).sql;

describe("on Trino, which has no such cast", () => {
  test.each([
    ["d + ('3' || ' days')::interval", `date_add('day', 3, CAST("t"."d" AS TIMESTAMP(6)))`],
    ["d + (3 || ' days')::interval", `date_add('day', 3, CAST("t"."d" AS TIMESTAMP(6)))`],
    ["d - (n || ' months')::interval", `date_add('month', -"t"."n", CAST("t"."d" AS TIMESTAMP(6)))`],
    ["d - (n::text || ' week')::interval", `date_add('day', -("t"."n" * 7), CAST("t"."d" AS TIMESTAMP(6)))`],
    ["d + CAST(n || ' day' AS interval)", `date_add('day', "t"."n", CAST("t"."d" AS TIMESTAMP(6)))`],
  ])("%s", (expression, expected) => expect(sql(expression, "trino")).toContain(expected));

  test.each(["d + (s || ' days')::interval", "d + (n || ' paces')::interval", "d + (n || 'days')::interval"])(
    "%s is refused",
    (expression) => expect(() => sql(expression, "trino")).toThrow(/a cast from text to interval/),
  );
});

test("PostgreSQL keeps the cast of a text that a column holds", () => {
  expect(sql("d + (s || ' days')::interval", "postgres")).toContain("CAST(t.s || ' days' AS INTERVAL)");
});

test("a cast inside a cast is bound once", () => {
  const nested = `${"(".repeat(60)}n${" || ' days')::interval::text".repeat(60)}`;
  expect(() => sql(nested, "trino")).toThrow(/cast from interval to text|an interval/);
});

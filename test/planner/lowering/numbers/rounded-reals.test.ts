/** The SQL that rounds doubles to reals, computed here as an engine computes it, beside `Math.fround`. */
import { expect, test } from "vitest";
import { realsByRounding } from "../../../../src/planner/lowering/numbers/rounded-reals.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ i: "INT64", d: "NUMERIC(10,2)", f: "FLOAT64", s: "STRING" });
const sqlOf = (sql: string, source: "bigquery" | "snowflake"): string => planned(sql, manifest, { source }).sql;

const reals = realsByRounding({ double: (digits) => digits, isInfinite: "false", failure: "fail('x')" });

/** The template as JavaScript. */
function roundingOf(text: string): (x: number) => number {
  const script = text
    .replaceAll("$1", "x")
    .replaceAll(" OR ", " || ")
    .replaceAll(" = ", " === ")
    .replaceAll("ABS(", "Math.abs(")
    .replaceAll("fail('x')", "NaN")
    .replace(/^CASE WHEN /, "")
    .replace(/ END$/, "")
    .replaceAll(/ WHEN /g, " : ")
    .replaceAll(" THEN ", " ? ")
    .replace(" ELSE ", " : ");
  return new Function("x", `return ${script};`) as (x: number) => number;
}

const value = { kind: "null", span: { start: 0, end: 0 }, type: { kind: "float", bits: 64 } } as const;
const templateOf = (made: unknown): string => (made as { readonly template: { readonly text: string } }).template.text;
const rounding = roundingOf(templateOf(reals.rounded(value)));

/** Numbers of a fixed series: exponents of all reals and below, mantissas near ties. */
function* doubles(count: number): Generator<number> {
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let index = 0; index < count; index++) {
    const mantissa = 2 ** 23 + next(2 ** 23);
    const beside = [0, 0.5, 0.5 + 2 ** -28, 0.5 - 2 ** -28, next(1000) / 1000][index % 5] ?? 0;
    yield (mantissa + beside) * 2 ** (next(270) - 172) * (index % 2 === 0 ? 1 : -1);
  }
}

test("two hundred thousand doubles are rounded as a real is", () => {
  const wrong = [...doubles(200_000)].filter((x) => {
    const real = Math.fround(x);
    // PostgreSQL raises where a real is infinite, or 0 for a value that is not.
    const expected = real === 0 || !Number.isFinite(real) ? Number.NaN : real;
    return !Object.is(rounding(x), expected);
  });
  expect(wrong).toEqual([]);
});

test.each([0, 0.1, 1e-45, 3.4028234663852886e38, 16_777_217, 16_777_219, -1.1754943508222875e-38])("%d", (x) =>
  expect(rounding(x)).toBe(Math.fround(x)),
);

test.each([3.4028235677973366e38, 1e300, 7e-46, 1e-300])("%d is out of range", (x) => expect(rounding(x)).toBeNaN());

test.each(["bigquery", "snowflake"] as const)("%s", (source) => {
  expect(sqlOf("SELECT CAST(sum(i) AS REAL) / count(*) AS x FROM t", source)).toContain("* 536870913 - (");
  expect(sqlOf("SELECT CAST(0.1 AS REAL) AS x", source)).toContain("536870913");
  expect(sqlOf("SELECT '0.1'::real AS x", source)).toContain("CAST('0.10000000149011612' AS ");
  expect(() => sqlOf("SELECT s::real AS x FROM t", source)).toThrow("a computed text as a real");
  // The other value of a choice is a real, too.
  expect(sqlOf("SELECT CASE WHEN i > 1 THEN f::real ELSE d END AS x FROM t", source)).toMatch(
    /ELSE CAST\([^()]*[dD]. AS (?:FLOAT64|DOUBLE)\) \* 536870913/,
  );
});

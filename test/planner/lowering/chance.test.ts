/**
 * `random()` where a target says a construct with its operand written several times: `concat(random() < 0.5)` could be
 * NULL on DuckDB. What is looked at is what comes out of all rewrites together, so that none has to remember it.
 */
import { describe, expect, it, test } from "vitest";
import { plainError, plainPlan } from "../binding/plain.ts";

const BY_INTEGER = "CAST(random() * 5 AS integer)";

describe("refused where the value would be drawn several times", () => {
  test.each([
    ["a truth as text", "SELECT concat(random() < 0.5)"],
    ["a part of a text", `SELECT substring('abcdef', ${BY_INTEGER}, 2)`],
    ["a double as text", "SELECT CAST(random() * 2 AS text)"],
    ["a bucket", "SELECT width_bucket(random(), 0.0, 1.0, 4)"],
    ["a date that is read", "SELECT to_date(gen_random_uuid()::text, 'YYYY')"],
    ["in a condition", "SELECT n_name FROM nation WHERE concat(random() < 0.5) = 't'"],
    ["in a subquery", "SELECT (SELECT concat(random() < 0.5))"],
  ])("%s", (_, sql) => {
    const error = plainError(sql, "duckdb");
    expect(error).toMatchObject({ reason: "UNSUPPORTED_ON_SOURCE", hint: "Compute it in a subquery first." });
    expect(error.span && sql.slice(error.span.start, error.span.end)).toMatch(/^(random|gen_random_uuid)\(\)$/);
    expect(() => plainPlan(sql, "postgres")).not.toThrow();
  });
});

it("is refused where a template names its part twice", () => {
  const error = plainError("SELECT split_part(gen_random_uuid()::text, '-', 2)", "mysql");
  expect(error).toMatchObject({ reason: "UNSUPPORTED_ON_SOURCE", hint: "Compute it in a subquery first." });
});

describe("planned where it is drawn once, however often it is written", () => {
  test.each([
    "SELECT random(), random(), md5(CAST(random() AS text)), gen_random_uuid()::text",
    "SELECT random() > 0.5 AS b, count(*) FROM nation GROUP BY 1",
    "SELECT random() AS r FROM nation ORDER BY r",
    "SELECT n_name FROM nation ORDER BY random() LIMIT 3",
    "SELECT (ARRAY['a', 'b', 'c'])[floor(random() * 3 + 1)::int]",
    "SELECT concat(b) FROM (SELECT random() < 0.5 AS b FROM nation) AS t",
    "SELECT CASE CAST(random() * 3 AS integer) WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE 'c' END",
    "SELECT random() BETWEEN 0.2 AND 0.4, coalesce(random(), 0), greatest(random(), 0.5)",
  ])("%s", (sql) => {
    for (const target of ["duckdb", "postgres"] as const) expect(() => plainPlan(sql, target)).not.toThrow();
  });

  it("counts the same expression of a model once for each occurrence", () => {
    const sql = "SELECT a.r, b.r FROM (SELECT random() AS r) AS a CROSS JOIN (SELECT random() AS r) AS b";
    expect(plainPlan(sql, "duckdb").sql.match(/random\(\)/g)).toHaveLength(2);
  });
});

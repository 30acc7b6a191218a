/** LIMIT, FETCH and OFFSET with digits of other numbers: PostgreSQL casts them to bigint. */
import { expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

test.each([
  ["LIMIT 2e0", "LIMIT 2"],
  ["LIMIT 2.0 OFFSET 1.4", "LIMIT 2 OFFSET 1"],
  ["LIMIT 2.5 OFFSET 0.5", "LIMIT 3 OFFSET 1"],
  ["LIMIT .4", "LIMIT 0"],
  ["LIMIT 9.5", "LIMIT 10"],
  ["LIMIT 12e-1", "LIMIT 1"],
  ["LIMIT 1e-500", "LIMIT 0"],
  ["LIMIT 9223372036854775807.4", "LIMIT 9223372036854775807"],
  ["LIMIT 1e19", "LIMIT 10000000000000000000"],
  ["FETCH FIRST 1.5 ROWS ONLY", "LIMIT 2"],
])("%s", (written, sent) => {
  const { sql } = planned(`SELECT x FROM (VALUES (1)) AS t(x) ORDER BY x ${written}`, manifest);
  expect(sql).toBe(`SELECT t.x FROM (VALUES (1)) AS t(x) ORDER BY t.x ${sent}`);
});

test("LIMIT of a long exponent", () => {
  expect(() => planned("SELECT 1 AS x LIMIT 1e999999999", manifest)).toThrow(
    expect.objectContaining({
      reason: "INVALID_QUERY",
      message: "LIMIT exceeds any number of rows",
      span: { start: 20, end: 31 },
    }),
  );
});

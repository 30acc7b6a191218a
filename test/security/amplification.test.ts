/** Small requests that would become large ones: each ends in a clean error before it costs anything. */
import { describe, expect, test } from "vitest";
import { redactorFor } from "../../src/guard/redactor.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf, planned } from "../support/plan.ts";

const manifest = manifestOf(plainManifest("postgres"));

function reason(sql: string): string | undefined {
  try {
    planned(sql, manifest, { source: "postgres" });
    return undefined;
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

const long = `c_custkey IN (${Array.from({ length: 5000 }, () => "1").join(",")})`;
const many = (text: string): string => Array.from({ length: 1000 }, () => text).join(", ");

describe("a long select item behind a short name", () => {
  test.each([
    ["ORDER BY names", `SELECT ${long} AS a FROM customer ORDER BY ${many("a")}`],
    ["ORDER BY expressions over it", `SELECT ${long} AS a FROM customer ORDER BY ${many("a AND TRUE")}`],
    ["ORDER BY positions", `SELECT ${long} AS a FROM customer ORDER BY ${many("1")}`],
    ["GROUP BY names", `SELECT ${long} AS a FROM customer GROUP BY ${many("a")}`],
    ["HAVING", `SELECT ${long} AS a FROM customer GROUP BY a HAVING ${many("a").replaceAll(",", " AND")}`],
  ])("%s", (_name, sql) => {
    expect(reason(sql)).toBe("LIMIT_SIZE");
  });

  test("a few repetitions are fine", () => {
    expect(reason(`SELECT ${long} AS a FROM customer ORDER BY a, a AND TRUE, 1`)).toBeUndefined();
  });
});

test("stars over stars", () => {
  const doubled = Array.from({ length: 18 }).reduce<string>(
    (inner) => `SELECT *, * FROM (${inner}) x`,
    "SELECT c_name FROM customer",
  );
  expect(reason(doubled)).toBe("LIMIT_SIZE");
});

test("a connection of many large values is hidden as a whole", () => {
  const kwargs = Object.fromEntries(Array.from({ length: 490 }, (_, index) => [`k${index}`, `${index}`.repeat(5000)]));
  expect(redactorFor({ user: "u".repeat(10_000), kwargs }).redact("anything")).toBe("***");
});

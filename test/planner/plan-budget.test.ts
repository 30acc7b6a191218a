/** The budget of a plan: what it counts, where it ends, and what an error says. Steps are counted, never time. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { costSoFar, countNode, countStep, countSteps, uncounted, withinBudget } from "../../src/planner/plan-budget.ts";
import { manifestOfTable, planned } from "../support/plan.ts";

const manifest = manifestOfTable({ i: "INTEGER", s: "VARCHAR", d: "DECIMAL(10,2)" });

function failure(run: () => unknown): PlannerError {
  try {
    run();
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error("planned");
}

const times = (count: number, work: () => void): void => {
  for (let index = 0; index < count; index++) work();
};

describe("counting", () => {
  const most = { nodes: 3, steps: 10 };

  test.each([
    ["steps one by one", () => times(11, countStep), "takes more than 10 steps"],
    ["steps at once", () => countSteps(11), "takes more than 10 steps"],
    ["nodes", () => times(4, countNode), "has more than 3 nodes"],
  ])("%s", (_name, work, message) => {
    const error = failure(() => withinBudget(most, work));
    expect(error.reason).toBe("LIMIT_SIZE");
    expect(error.message).toBe(`the plan of this statement ${message}`);
    expect(error.hint).toMatch(/\.$/);
  });

  test("up to the limit nothing happens", () => {
    const cost = withinBudget(most, () => {
      times(3, countNode);
      times(7, countStep);
      return costSoFar();
    });
    expect(cost).toEqual({ nodes: 3, steps: 10 });
  });

  test("an error that is caught is thrown again by the next step", () => {
    withinBudget(most, () => {
      expect(() => countSteps(11)).toThrow(PlannerError);
      expect(() => countStep()).toThrow(PlannerError);
    });
  });

  test("the next plan has a budget of its own, and outside of one nothing is counted", () => {
    failure(() => withinBudget(most, () => countSteps(11)));
    expect(withinBudget(most, costSoFar)).toEqual({ nodes: 0, steps: 0 });
    countSteps(2 ** 30);
    countSteps(2 ** 30);
    expect(costSoFar()).toEqual({ nodes: 0, steps: 0 });
  });

  test("what the manifest keeps is not counted", () => {
    const cost = withinBudget(most, () => {
      uncounted(() => countSteps(1000));
      countStep();
      return costSoFar();
    });
    expect(cost).toEqual({ nodes: 0, steps: 1 });
  });
});

describe("a plan", () => {
  const within = (limits: Partial<typeof DEFAULT_LIMITS>) => ({
    source: "postgres" as const,
    options: { limits: { ...DEFAULT_LIMITS, ...limits } },
  });
  const sql = "SELECT i + 1 AS a, s FROM t WHERE i > 2";

  test("says what it took", () => {
    const { cost } = planned(sql, manifest, within({}));
    expect(cost.nodes).toBe(12);
    expect(cost.steps).toBeGreaterThan(cost.nodes);
    expect(planned(sql, manifest, within(cost)).cost).toEqual(cost);
  });

  test.each(["nodes", "steps"] as const)("with too few %s is refused, with a place in the statement", (which) => {
    const { cost } = planned(sql, manifest, within({}));
    const error = failure(() => planned(sql, manifest, within({ [which]: cost[which] - 1 })));
    expect(error).toMatchObject({
      reason: "LIMIT_SIZE",
      message: expect.stringContaining(`${cost[which] - 1} ${which}`),
    });
    expect(error.span?.start).toBeLessThan(sql.length);
  });

  test("of a large list grows with the list", () => {
    const steps = (length: number): number =>
      planned(
        `SELECT 1 FROM t WHERE i IN (${Array.from({ length }, (_, index) => index).join(", ")})`,
        manifest,
        within({}),
      ).cost.steps;
    expect(steps(4000) / steps(1000)).toBeLessThan(4.1);
  });

  test("of a list beyond the limit is refused before it is printed", () => {
    const list = Array.from({ length: 210_000 }, () => "1").join(",");
    expect(failure(() => planned(`SELECT 1 FROM t WHERE i IN (${list})`, manifest, within({}))).reason).toBe(
      "LIMIT_SIZE",
    );
  });
});

describe("facts about columns of common tables are found once", () => {
  const chain = (length: number): string =>
    `WITH c0 AS (SELECT d AS x FROM t)${Array.from({ length }, (_, i) => `, c${i + 1} AS (SELECT x + x AS x FROM c${i})`).join("")} SELECT round(x, 2) AS x, x / 3 AS y FROM c${length}`;

  // Scales were asked of both sides anew: a chain of 30 on ClickHouse asked a billion times.
  test.each<DataSource>([
    "clickhouse",
    "mssql",
    "oracle",
    "snowflake",
    "redshift",
    "spark",
    "doris",
    "mysql",
    "duckdb",
  ])("%s", (source) => {
    const steps = (length: number): number => {
      try {
        return planned(chain(length), manifest, { source }).cost.steps;
      } catch (error) {
        // Some refuse digits that nobody knows; they do so for a short chain as well.
        if (error instanceof PlannerError && error.reason === "UNSUPPORTED_ON_SOURCE") return 0;
        throw error;
      }
    };
    expect(steps(40)).toBeLessThanOrEqual(Math.max(0, steps(20) * 3));
  });
});

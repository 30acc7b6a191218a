/** Shortcuts of the syntax tests. */

import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { INPUT_LANGUAGE } from "../../../src/planner/dialects/input.ts";
import { DEFAULT_LIMITS, type PlannerLimits } from "../../../src/planner/limits.ts";
import { parseExpression, parseQuery } from "../../../src/planner/syntax/parser.ts";
import { print, printExpression } from "../../../src/planner/syntax/printer.ts";
import type { Expression, Query } from "../../../src/planner/syntax/tree.ts";

export function query(text: string, limits: Partial<PlannerLimits> = {}): Query {
  return parseQuery(text, { limits: { ...DEFAULT_LIMITS, ...limits } });
}

export function expression(text: string, limits: Partial<PlannerLimits> = {}): Expression {
  return parseExpression(text, { limits: { ...DEFAULT_LIMITS, ...limits } });
}

export function printed(tree: Query): string {
  return print(tree, INPUT_LANGUAGE);
}

export function printedExpression(tree: Expression): string {
  return printExpression(tree, INPUT_LANGUAGE);
}

/** The planner's error that `run` throws; any other outcome fails the test. */
export function errorOf(run: () => unknown): PlannerError {
  try {
    run();
  } catch (error) {
    if (error instanceof PlannerError) {
      return error;
    }
    throw error;
  }
  throw new Error("nothing was thrown");
}

/**
 * Nodes that rewrites build carry their true type (house rules of `syntax/build.ts`): a later pass that reads types
 * would act on a false one. Lowers every statement of the repository for every target, and checks every node.
 */
import { afterAll, describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { expandModels } from "../../../src/planner/expand/statement.ts";
import { lowerQuery } from "../../../src/planner/lowering/lower.ts";
import type { Query } from "../../../src/planner/syntax/tree.ts";
import { boundStatement } from "../../support/bound.ts";
import { PLANNED_SOURCES, type StatementGroup, statementsFor } from "../../support/statements.ts";
import { wrongTypes } from "./type-rules.ts";

describe.each(PLANNED_SOURCES)("%s", (source) => {
  const target = targetOf(source);
  const numbersTimes = target.rewrites.numberedTimes !== undefined;

  /** The bound and the lowered query; `undefined` if the statement is rejected. */
  function both(sql: string, { manifest, session }: StatementGroup): readonly [Query, Query] | undefined {
    try {
      const { query, context } = boundStatement(sql, manifest, { source, session });
      return [query, lowerQuery(expandModels(query, context, target), context, target, "code points")];
    } catch (error) {
      if (error instanceof PlannerError) return undefined;
      throw error;
    }
  }

  /** Each is lowered once for all tests. */
  const groups = statementsFor(source);
  const known = new Map<string, ReturnType<typeof both>>();
  const pairOf = (sql: string, group: StatementGroup): ReturnType<typeof both> => {
    const key = `${group.name} ${sql}`;
    if (!known.has(key)) known.set(key, both(sql, group));
    return known.get(key);
  };
  afterAll(() => known.clear());

  const lowered = (sql: string, group: StatementGroup): Query | undefined => pairOf(sql, group)?.[1];

  test.each(groups)("whole numbers stay whole, and others others: $name", (group) => {
    const wrong = group.statements.flatMap((sql) => {
      const [before, after] = (pairOf(sql, group) ?? []).map(kindsOfNumbers);
      if (before === undefined || after === undefined || before.length !== after.length) return [];
      return after.some((kind, i) => kind !== undefined && before[i] !== undefined && kind !== before[i])
        ? [`${before} became ${after}: ${sql}`]
        : [];
    });
    expect(wrong).toEqual([]);
  });

  test.each(groups)("$name", (group) => {
    const wrong = group.statements.flatMap((sql) => {
      const query = lowered(sql, group);
      return query === undefined ? [] : wrongTypes(query, numbersTimes).map((each) => `${each}: ${sql}`);
    });
    expect(wrong).toEqual([]);
  });

  test("most statements are not refused", () => {
    const counts = groups.map((group) => [
      group.statements.filter((sql) => lowered(sql, group) !== undefined).length,
      group.statements.length,
    ]);
    const [planned = 0, all = 0] = [0, 1].map((index) => counts.reduce((sum, count) => sum + (count[index] ?? 0), 0));
    expect(planned, `of ${all}`).toBeGreaterThan(500);
  });
});

/** Number kinds in the outermost SELECT: a quotient of integers is an integer. */
function kindsOfNumbers({ body }: Query): readonly (string | undefined)[] {
  if (body.kind !== "select") return [];
  return body.items.map((item) => {
    const kind = item.kind === "item" ? item.expression.type?.kind : undefined;
    return kind === "integer" ? "whole" : kind === "decimal" || kind === "float" ? "not whole" : undefined;
  });
}

describe("the rules find", () => {
  const { query, context } = boundStatement(
    "SELECT 1 + 2 AS x, lower('A') AS y",
    statementsFor("postgres")[1]!.manifest,
  );
  const right = lowerQuery(expandModels(query, context, targetOf("postgres")), context, targetOf("postgres"));
  const withTypes = (replace: (json: string) => string): Query => JSON.parse(replace(JSON.stringify(right))) as Query;

  test("nothing in a right tree", () => expect(wrongTypes(right)).toEqual([]));

  test("a type that is another's", () => {
    const wrong = withTypes((json) => json.replaceAll('{"kind":"integer","bits":32}', '{"kind":"text"}'));
    expect(wrongTypes(wrong)).toContain("number 1 is text, not integer or decimal or float");
  });

  test("a type that is missing", () => {
    const wrong = withTypes((json) => json.replaceAll(',"type":{"kind":"text"}', ""));
    expect(wrongTypes(wrong)).toContain("string is without a type, not anything");
  });
});

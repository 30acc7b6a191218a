/** A target's tables are complete by type: this file would not compile if one that is not were accepted. */
import { describe, expect, test } from "vitest";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { expandModels } from "../../../src/planner/expand/statement.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { lowerQuery } from "../../../src/planner/lowering/lower.ts";
import { expressionRules, fieldRules, functionRules, operatorRules } from "../../../src/planner/lowering/rules.ts";
import { print } from "../../../src/planner/syntax/printer.ts";
import { boundStatement } from "../../support/bound.ts";
import { manifestOf } from "../../support/plan.ts";

test("what a table does not mention does not compile", () => {
  // @ts-expect-error: every operator but two is missing
  operatorRules(["+ -"], {});
  // @ts-expect-error: there is no such operator
  operatorRules(["+ - plus"], {});
  // @ts-expect-error: every field but one is missing
  fieldRules(["year"], {});
  // @ts-expect-error: every function but one is missing
  functionRules(["abs"], {});
  // @ts-expect-error: every kind of expression but one is missing
  expressionRules(["number"], {});
  expect(fieldRules.length).toBe(2);
});

describe("what a target says", () => {
  const postgres = targetOf("postgres");
  const manifest = manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "t",
        tableReference: { table: "t" },
        columns: [
          { name: "n", type: "INTEGER" },
          { name: "d", type: "DATE" },
        ],
      },
    ],
  });

  function said(expression: string): string {
    const { query, context } = boundStatement(`SELECT ${expression} AS x FROM t`, manifest);
    const { operators, fields, functions, expressions } = postgres.rewrites;
    const target = {
      ...postgres,
      rewrites: {
        ...postgres.rewrites,
        operators: new Map(
          [...operators, ["^", { refused: "powers", hint: "Multiply." }] as const].filter(([name]) => name !== "<<"),
        ),
        fields: new Map([...fields, ["julian", { refused: "Julian days" }] as const]),
        functions: new Map([
          ...functions,
          ["abs", { as: "absolute" }] as const,
          ["sqrt", { refused: "roots" }] as const,
        ]),
        expressions: new Map([...expressions, ["between", { refused: "BETWEEN" }] as const]),
      },
    };
    return print(lowerQuery(expandModels(query, context, target), context, target), target.print, {
      origins: [],
      limits: DEFAULT_LIMITS,
    });
  }

  test("is another name, or as it is", () => {
    expect(said("abs(n) + extract(year FROM d)")).toContain("absolute(t.n) + EXTRACT(YEAR FROM t.d)");
  });

  test.each([
    ["n ^ 2", "not supported on this source: powers"],
    ["extract(julian FROM d)", "not supported on this source: Julian days"],
    ["sqrt(n)", "not supported on this source: roots"],
    ["n BETWEEN 1 AND 2", "not supported on this source: BETWEEN"],
  ])("%s: %s", (expression, message) => {
    expect(() => said(expression)).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message }));
  });

  test("is never silence", () => {
    expect(() => said("n << 1")).toThrow(new TypeError("the target says nothing about a binary"));
  });
});

/** Row rules are a node of the expanded tree until the whole statement decides on fences. */
import { describe, expect, test } from "vitest";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { Expansion } from "../../../src/planner/expand/expansion.ts";
import type { Fence } from "../../../src/planner/expand/expansion-target.ts";
import { applyRules } from "../../../src/planner/expand/ruled-tables.ts";
import type { PrintableRelation, TableExpression } from "../../../src/planner/syntax/tree.ts";
import { type SyntaxNode, someNode } from "../../../src/planner/syntax/walk.ts";
import { boundStatement } from "../../support/bound.ts";
import { manifestOf } from "../../support/plan.ts";

const POSTGRES = targetOf("postgres");
const columns = [
  { name: "id", type: "INTEGER" },
  { name: "text", type: "VARCHAR" },
];
const rowLevelAccessControls = [{ name: "own", requiredProperties: [], condition: "id = 1" }];
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    { name: "ruled", tableReference: { table: "ruled" }, columns, rowLevelAccessControls },
    { name: "free", tableReference: { table: "free" }, columns },
    { name: "over_ruled", baseObject: "ruled", columns },
  ],
});

/** The tables of a statement before the rules are applied. */
function expandedOf(sql: string) {
  const { query, context } = boundStatement(sql, manifest);
  const expansion = new Expansion(context, POSTGRES);
  const tables = new Map<PrintableRelation, TableExpression>();
  for (const [relation, span] of context.models) tables.set(relation, expansion.occurrence(relation, span));
  const { firstRuled, reads } = expansion;
  const models = reads.map(({ model }) => model);
  return { query, tables, models, firstRuled, pushed: context.pushedConditions };
}

const isRuled = (node: SyntaxNode): boolean => node.kind === "ruled";
const ruledIn = (tables: ReadonlyMap<unknown, TableExpression>): boolean =>
  [...tables.values()].some((table) => someNode(table, isRuled));

const NONE: Fence = { ...POSTGRES.fence, whenRaising: "none", otherwise: "none" };
const OFFSET: Fence = { ...POSTGRES.fence, whenRaising: "offset", otherwise: "offset" };

describe.each(["SELECT id FROM ruled", "SELECT o.id FROM over_ruled AS o", "SELECT f.id FROM free AS f, ruled AS r"])(
  "%s",
  (sql) => {
    test("has a ruled table that names the model", () => {
      const expanded = expandedOf(sql);
      expect(ruledIn(expanded.tables)).toBe(true);
      expect(expanded.firstRuled?.model).toBe("ruled");
    });

    test.each([
      ["none", NONE, "plain", false],
      ["offset", OFFSET, "fenced", true],
    ] as const)("has none after the step: fence %s", (_, fence, rowRules, isFenced) => {
      const expanded = expandedOf(sql);
      const applied = applyRules(expanded, fence);
      expect(ruledIn(applied.tables)).toBe(false);
      expect(applied.rowRules).toBe(rowRules);
      const hasOffset = (node: SyntaxNode): boolean => node.kind === "query" && node.offset !== undefined;
      expect([...applied.tables.values()].some((table) => someNode(table, hasOffset))).toBe(isFenced);
    });

    test("does not change the tables that it was given", () => {
      const expanded = expandedOf(sql);
      const before = [...expanded.tables];
      applyRules(expanded, OFFSET);
      expect([...expanded.tables]).toEqual(before);
      expect(ruledIn(expanded.tables)).toBe(true);
    });
  },
);

test("a statement without rules keeps its tables", () => {
  const expanded = expandedOf("SELECT id FROM free");
  const applied = applyRules(expanded, OFFSET);
  expect(applied.tables).toBe(expanded.tables);
  expect(applied.rowRules).toBe("none");
});

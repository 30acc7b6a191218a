/** Tables of a statement are what binding made of them: names that nobody bound never reach a source. */
import { describe, expect, test } from "vitest";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { expandModels } from "../../../src/planner/expand/statement.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { lowerQuery } from "../../../src/planner/lowering/lower.ts";
import { parseQuery } from "../../../src/planner/syntax/parser.ts";
import { print } from "../../../src/planner/syntax/printer.ts";
import { mapTable } from "../../../src/planner/syntax/rewrite.ts";
import type { Query, TableExpression } from "../../../src/planner/syntax/tree.ts";
import { type BoundStatement, boundStatement } from "../../support/bound.ts";
import { manifestOf } from "../../support/plan.ts";

const target = targetOf("postgres");
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "m",
      tableReference: { table: "secrets" },
      columns: [{ name: "id", type: "INTEGER" }],
      rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "id = 1" }],
    },
  ],
});

const boundIn = (sql: string): BoundStatement => boundStatement(sql, manifest);

function withTables(query: Query, change: (table: TableExpression) => TableExpression): Query {
  const { body } = query;
  if (body.kind !== "select") throw new TypeError("not a SELECT");
  return { ...query, body: { ...body, from: body.from.map(change) } };
}

const text = ({ query, context }: BoundStatement): string =>
  print(lowerQuery(expandModels(query, context, target), context, target), target.print, {
    origins: [],
    limits: DEFAULT_LIMITS,
  });

describe("tables", () => {
  test.each(["SELECT id FROM m", "WITH w AS (SELECT id FROM m) SELECT id FROM w", "SELECT a.id FROM m AS a"])(
    "%s: a node that a pass has copied keeps what it is bound to",
    (sql) => {
      const { query, context } = boundIn(sql);
      const copied = withTables(query, (table) => ({ ...mapTable(table, NOTHING) }));
      expect(text({ query: copied, context })).toBe(text(boundIn(sql)));
      expect(text({ query: copied, context })).toContain("secrets");
    },
  );

  test("a name that nobody bound is not lowered, whether or not it is a model's", () => {
    const { context } = boundIn("SELECT id FROM m");
    const written = parseQuery("SELECT id FROM m", { limits: DEFAULT_LIMITS });
    expect(() => lowerQuery(expandModels(written, context, target), context, target)).toThrow(
      new TypeError('nothing bound "m"'),
    );
  });

  test("a model that is not lowered is not printed", () => {
    const { query } = boundIn("SELECT id FROM m");
    const printing = () => print(query, target.print, { origins: [], limits: DEFAULT_LIMITS });
    expect(printing).toThrow(new TypeError('the model behind "m" has no rows before it is lowered'));
  });
});

const NOTHING = {
  expression: <T>(node: T): T => node,
  query: <T>(node: T): T => node,
  body: <T>(node: T): T => node,
  table: <T>(node: T): T => node,
  item: <T>(node: T): T => node,
};

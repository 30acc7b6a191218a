/** Each construct in a statement of its own, and all statements of the repository, for which `sent.ts` records what is sent. */
import { FUNCTION_TEXTS } from "../../src/planner/describe/function-texts.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { CASTS, FIELDS, OPERATORS, QUERIES } from "../docs/dialects/examples.ts";
import { ordersOn } from "../planner/describe/orders.ts";
import { type StatementGroup, statementsFor } from "../support/statements.ts";

/** Groups whose SQL is recorded in full; of the others a digest is, since their SQL comes to 20 MB. */
const SHOWN: ReadonlySet<string> = new Set(["constructs", "functions"]);

const asStatement = (example: string): string => {
  const select = example.startsWith("FROM ") ? `SELECT * ${example}` : `SELECT ${example} AS x FROM orders`;
  return example.startsWith("grouping(") ? `${select} GROUP BY ROLLUP (city)` : select;
};

/** Every function of the catalogue, operator, field of EXTRACT, cast and clause, and the constructs that engines are compared by. */
export function constructsFor(source: DataSource): readonly StatementGroup[] {
  const manifest = ordersOn(source);
  const group = (name: string, examples: readonly string[]): StatementGroup => ({
    name,
    manifest,
    statements: examples.map(asStatement),
  });
  return [
    group(
      "examples of functions",
      Object.values(FUNCTION_TEXTS).map(([, example]) => example),
    ),
    group("operators", Object.values(OPERATORS).flat()),
    group("fields", Object.values(FIELDS)),
    group("casts of columns", CASTS),
    { name: "queries", manifest, statements: QUERIES },
    ...statementsFor(source).filter(({ name }) => SHOWN.has(name)),
  ];
}

/** The others: analyst queries, casts of values, originals, the corpus, random queries, acceptance cases. */
export const otherStatementsFor = (source: DataSource): readonly StatementGroup[] =>
  statementsFor(source).filter(({ name }) => !SHOWN.has(name));

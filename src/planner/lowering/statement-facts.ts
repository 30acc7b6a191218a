/**
 * Facts about a whole lowered statement, found in one walk for all of its last steps: most statements have nothing that a step is about,
 * and are left as they are without a walk for each step.
 */
import type { PhysicalTable, Query } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import { keptFacts } from "./kept-facts.ts";

export interface StatementFacts {
  /** First names of the functions that are called in expressions. */
  readonly calls: ReadonlySet<string>;
  readonly hasCommonTables: boolean;
  readonly hasLateral: boolean;
  readonly tables: readonly PhysicalTable[];
  /** Functions in FROM. */
  readonly hasTableFunctions: boolean;
  readonly hasWindows: boolean;
  readonly hasCollations: boolean;
  readonly hasMembership: boolean;
  /** A subquery in an expression, or LATERAL: it may name columns of a query around it. */
  readonly hasSubqueries: boolean;
  /** Rows are compared as wholes: SELECT DISTINCT, or a set operation other than UNION ALL. */
  readonly comparesRows: boolean;
}

/** The facts of a statement; those of the last one are kept. */
export type Holds = (statement: Query) => StatementFacts;

export const statementFacts = (): Holds => keptFacts(factsOf);

function factsOf(statement: Query): StatementFacts {
  const calls = new Set<string>();
  const tables: PhysicalTable[] = [];
  const facts = {
    ...{ calls, tables, hasCommonTables: false, hasLateral: false, hasTableFunctions: false },
    ...{ hasWindows: false, hasCollations: false, hasMembership: false, hasSubqueries: false, comparesRows: false },
  };
  walk(statement, (node) => {
    switch (node.kind) {
      case "query":
        if (node.with !== undefined) facts.hasCommonTables = true;
        break;
      case "derived":
        if (node.lateral) facts.hasLateral = true;
        break;
      case "physical-table":
        tables.push(node);
        break;
      case "function":
        facts.hasTableFunctions = true;
        break;
      case "select":
        if (node.distinct !== undefined) facts.comparesRows = true;
        break;
      case "set":
        if (node.operator !== "union" || !node.all) facts.comparesRows = true;
        break;
      case "call":
        calls.add(node.name[0]?.name ?? "");
        if (node.over !== undefined) facts.hasWindows = true;
        break;
      case "collate":
        facts.hasCollations = true;
        break;
      case "in-query":
        facts.hasMembership = true;
        facts.hasSubqueries = true;
        break;
      case "exists":
      case "scalar-query":
      case "quantified":
      case "array-query":
        facts.hasSubqueries = true;
        break;
      default:
        break;
    }
    return true;
  });
  facts.hasSubqueries ||= facts.hasLateral;
  return facts;
}

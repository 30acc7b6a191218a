/** Subqueries that name columns of the query around them, where Spark gives other rows or an error of its optimizer (`quirks/`). */
import { isCorrelated, refuseFarColumns } from "../../lowering/queries/correlation.ts";
import type { Query } from "../../syntax/tree.ts";
import { walk } from "../../syntax/walk.ts";
import { commonTablesOf, refuseCut } from "./quirks/cut-tables.ts";
import { refuseNested } from "./quirks/nested-aggregates.ts";

export function refuseUnknownCorrelation(statement: Query): void {
  refuseFarColumns(statement);
  const common = commonTablesOf(statement);
  walk(statement, (node) => {
    if (node.kind === "select") refuseCut(node, common);
    if (node.kind === "scalar-query" && isCorrelated(node.query)) refuseNested(node.query);
    return true;
  });
}

/** Whether a row rule can raise over some row: then no condition of the caller may run next to it. */

import type { Harmless } from "../access/harmless.ts";
import { isLiteral } from "../access/literals.ts";
import { cannotRaise } from "../access/raising.ts";
import { ListedRelation, ModelRelation, type RelationColumn } from "../binding/relation.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import type { NativeFlavour } from "../syntax/lexical-rules.ts";
import { transformExpression } from "../syntax/rewrite.ts";
import type { Expression, PrintableColumn } from "../syntax/tree.ts";
import { AggregateTable, ModelRows, type RowsColumn } from "./model-rows.ts";
import { physicalName } from "./physical.ts";

/**
 * The caller's condition next to a rule selects the rows that the rule is computed over: a rule that raises over an
 * excluded row would reveal its content, one condition at a time.
 */
export function canRuleFail(rule: Expression, engine: Harmless | undefined, flavour: NativeFlavour): boolean {
  /** Tables that the rule is joined with; each is judged once, whatever it refers to in turn. */
  const judged = new Set<unknown>();
  const column = (each: PrintableColumn): boolean => {
    const { relation } = each;
    if (relation instanceof AggregateTable) return judged.has(relation) || isSafeTable(relation);
    if (relation instanceof ModelRows) {
      const isPhysical = isPhysicalColumn((each as RowsColumn).column, relation.model, flavour);
      return isPhysical && (judged.has(relation) || isSafeJoin(relation));
    }
    if (!(relation instanceof ModelRelation)) return relation instanceof ListedRelation && !relation.grouping;
    const { modelColumn, path } = each as RelationColumn;
    return path === undefined && modelColumn !== undefined && isPhysicalColumn(modelColumn, relation.model, flavour);
  };
  const isSafe = (expression: Expression): boolean => cannotRaise(withoutConstantCasts(expression), { engine, column });
  const isSafeTable = (table: AggregateTable): boolean => {
    judged.add(table);
    const computed = [...table.keys, ...table.values].map(({ expression }) => expression);
    return [...computed, ...table.where, ...(table.on === undefined ? [] : [table.on])].every(isSafe);
  };
  const isSafeJoin = (rows: ModelRows): boolean => {
    judged.add(rows);
    return rows.on === undefined || isSafe(rows.on);
  };
  return !isSafe(rule);
}

/** A constant fails for every row or for none. */
function withoutConstantCasts(expression: Expression): Expression {
  return transformExpression(expression, {
    expression: (each) =>
      each.kind === "cast" && isLiteral(each.operand)
        ? { ...each.operand, ...(each.type && { type: each.type }) }
        : each,
  });
}

/** A column of a table. Any other is computed, also by `refSql`, and may raise. */
function isPhysicalColumn(column: ModelColumn, model: Model, flavour: NativeFlavour): boolean {
  return model.data.tableReference !== undefined && physicalName(model, column, flavour) !== undefined;
}

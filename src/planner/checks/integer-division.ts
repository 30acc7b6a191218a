/**
 * Shares that come out as 0: `count(*) / (SELECT count(*) …)` divides integers and returns an integer, as in PostgreSQL
 * (docs/decisions/0021-one-meaning.md). Reported where an aggregate divides or is divided, because the fraction matters there.
 */
import type { BindingContext } from "../binding/context.ts";
import { type RelationColumn, relationColumn } from "../binding/relation.ts";
import { functionName } from "../functions/calls.ts";
import { findFunction } from "../functions/catalogue.ts";
import type { Expression } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import { addWarning, excerpt } from "./findings.ts";

/** Adds INTEGER_DIVISION to the warnings of `context`, for divisions in `sql`. */
export function checkDivisions(sql: string, { quotients, warnings }: BindingContext): void {
  // Inner quotients come before outer ones, so that their results are reused.
  const known = new Map<Expression, boolean>();
  for (const quotient of quotients) {
    const { left, right, span } = quotient;
    // A span of the manifest is not in the caller's text, and callers cannot fix it.
    if (span.end <= span.start || !isInteger(left) || !isInteger(right)) continue;
    const found = holdsAggregate(left, known) || holdsAggregate(right, known);
    known.set(quotient, found);
    if (!found) continue;
    addWarning(warnings, "INTEGER_DIVISION", span, () => ({
      message: `${excerpt(sql, span)} divides integers: the fraction is cut off`,
      hint: "Write 1.0 * in front of it to keep the fraction, or div(a, b) if you mean an integer.",
    }));
  }
}

const isInteger = ({ type }: Expression): boolean => type?.kind === "integer";

/** Whether `operand` contains an aggregate, directly or through a column of a subquery or common table. */
function holdsAggregate(operand: Expression, known: ReadonlyMap<Expression, boolean>): boolean {
  const visited = new Set<RelationColumn>();
  const pending: Expression[] = [operand];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    let found = false;
    walk(next, (node) => {
      const inner = node.kind === "binary" ? known.get(node) : undefined;
      found ||= inner ?? (node.kind === "call" && findFunction(functionName(node))?.kind === "aggregate");
      if (node.kind === "bound") {
        const column = relationColumn(node);
        if (!visited.has(column)) pending.push(...column.origins);
        visited.add(column);
      }
      return !found && inner === undefined;
    });
    if (found) return true;
  }
  return false;
}

/**
 * `DATE 'infinity'`: compared, sorted and chosen from as in PostgreSQL. What is computed from it differs (the days up to it
 * are a number in DuckDB and an error in PostgreSQL; its year is NULL and Infinity), so that is refused where it is written.
 */

import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";

export function refuseEndless(operands: readonly Expression[]): void {
  const endless = operands.find(mayBeEndless);
  if (endless === undefined) return;
  throw unsupported("what follows from an infinite date", endless.span, "Compare with it, or use a date far away.");
}

/** A function whose result is PostgreSQL's for days of the calendar only. */
export function ofFinite(rewrite: (node: Call) => Expression): (node: Call) => Expression {
  return (node) => {
    refuseEndless(values(node));
    return rewrite(node);
  };
}

/** A value that it was given, or the beginning of it: no new end. */
function passesOn(call: Call): boolean {
  const name = functionName(call);
  return name === "date_trunc" || findFunction(name)?.chooses === true;
}

function mayBeEndless(expression: Expression): boolean {
  const visited = new Set<unknown>();
  const pending: Expression[] = [expression];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const kind = next.type?.kind;
    if (kind !== "date" && kind !== "timestamp") continue;
    switch (next.kind) {
      case "typed":
        if (next.value.endsWith("infinity")) return true;
        break;
      case "bound":
        if (!visited.has(next.column)) pending.push(...(next.column.origins ?? []));
        visited.add(next.column);
        break;
      case "cast":
        pending.push(next.operand);
        break;
      case "binary":
        pending.push(next.left, next.right);
        break;
      case "case":
        pending.push(...next.branches.map((branch) => branch.then));
        if (next.otherwise !== undefined) pending.push(next.otherwise);
        break;
      case "call":
        if (passesOn(next)) pending.push(...values(next));
        break;
      default:
        break;
    }
  }
  return false;
}

/**
 * `DATE 'infinity'`: compared, sorted and chosen from as in PostgreSQL. What is computed from it differs (the days up to it
 * are a number in DuckDB and an error in PostgreSQL; its year is NULL and Infinity), so that is refused where it is written.
 */
import type { RelationColumn } from "../../binding/relation.ts";
import { unsupported } from "../../lowering/target.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";

export function refuseEndless(operands: readonly Expression[]): void {
  const endless = operands.find(mayBeEndless);
  if (endless === undefined) return;
  throw unsupported("what follows from an infinite date", endless.span, "Compare with it, or use a date far away.");
}

/** A function whose result is PostgreSQL's for days of the calendar only. */
export function ofFinite(saying: (node: Call) => Expression): (node: Call) => Expression {
  return (node) => {
    refuseEndless(values(node));
    return saying(node);
  };
}

const CHOOSING: ReadonlySet<string> = new Set(
  "coalesce greatest least nullif min max any_value lag lead first_value last_value nth_value date_trunc".split(" "),
);

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
        if (!visited.has(next.column)) pending.push(...((next.column as Partial<RelationColumn>).origins ?? []));
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
        if (CHOOSING.has(next.name[0]?.name ?? "")) pending.push(...values(next));
        break;
      default:
        break;
    }
  }
  return false;
}

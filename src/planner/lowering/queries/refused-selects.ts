/** Parts of a SELECT that some targets lack. */
import { unsupported } from "../../diagnostics.ts";
import { makesRows } from "../../functions/calls.ts";
import type { Frame, Select } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";

export function refuseMadeRows({ groupBy = [], items }: Select): void {
  for (const element of groupBy) {
    const key = element.kind === "expression" ? element.expression : undefined;
    const item = key?.kind === "number" ? items[Number(key.text) - 1] : undefined;
    const expression = item?.kind === "item" ? item.expression : key;
    if (expression === undefined || !someExpression(expression, makesRows)) continue;
    const hint = "Make them in FROM: FROM t, LATERAL unnest(t.x) AS u(x).";
    throw unsupported("groups of rows that a function makes in the select list", expression.span, hint);
  }
}

export function refuseFrame({ unit, exclude, span }: Frame): void {
  if (unit === "groups") throw unsupported("a frame of GROUPS", span, "Use ROWS or RANGE.");
  if (exclude !== undefined) throw unsupported("EXCLUDE in a frame", span);
}

/**
 * PostgreSQL 18.4 loses an outer join's condition. Where `b.x = 7` is known below one outer join and the next one says `b.x = c.x`,
 * it reads only the rows of `c` with 7 and takes the condition for met; in one order of such joins nothing tests it any more, and a
 * row without `b` gets a partner `c` (seen in one of 255,725 generated queries; no other release was tried). `b.x IS NOT NULL`,
 * which the equality says too, is kept.
 */
import { all, isNull } from "../../syntax/build.ts";
import type { Expression, Join, Query, TableExpression } from "../../syntax/tree.ts";
import { conjuncts, someExpression } from "../../syntax/walk.ts";

/** `join` with that condition beside its equalities, where it may be needed. Its sides are lowered already. */
export function withOuterKeys(join: Join): Join {
  if (join.on === undefined || (join.join !== "left" && join.join !== "right")) return join;
  const kept = join.join === "left" ? join.left : join.right;
  const missing = new Set<string>();
  collectMissing(kept, false, missing);
  if (missing.size === 0 || !holdsConstant(kept)) return join;
  const keys = conjuncts(join.on).flatMap((condition) =>
    condition.kind === "binary" && condition.operator === "="
      ? [condition.left, condition.right].filter((side) => isOnly(side, missing))
      : [],
  );
  if (keys.length === 0) return join;
  const on = all([...conjuncts(join.on), ...keys.map((key) => isNull(key, true))], join);
  return { ...join, on };
}

/** Printed names of the tables of `table` that a row may lack. */
function collectMissing(table: TableExpression, isMissing: boolean, found: Set<string>): void {
  switch (table.kind) {
    case "join":
      collectMissing(table.left, isMissing || table.join === "right" || table.join === "full", found);
      collectMissing(table.right, isMissing || table.join === "left" || table.join === "full", found);
      break;
    case "aliased-join":
      collectMissing(table.join, isMissing, found);
      break;
    default: {
      const name = table.alias?.name.name ?? (table.kind === "bound-common" ? table.table.printedName : undefined);
      if (isMissing && name !== undefined) found.add(name);
    }
  }
}

/** Whether every column in it, and there is one, is of these tables. */
function isOnly(expression: Expression, tables: ReadonlySet<string>): boolean {
  let some = false;
  const isOther = (each: Expression): boolean => {
    if (each.kind !== "bound") return each.kind === "column" || each.kind === "opaque";
    some = true;
    return !tables.has(each.column.relation.printedAlias);
  };
  return !someExpression(expression, isOther) && some;
}

const KNOWN = new WeakMap<TableExpression, boolean>();

/** Whether a condition in it may equate a column with what is constant while it runs. */
function holdsConstant(table: TableExpression): boolean {
  let known = KNOWN.get(table);
  if (known === undefined) {
    known = seeksConstant(table);
    KNOWN.set(table, known);
  }
  return known;
}

function seeksConstant(table: TableExpression): boolean {
  switch (table.kind) {
    case "join":
      return equatesConstant(table.on) || holdsConstant(table.left) || holdsConstant(table.right);
    case "aliased-join":
      return holdsConstant(table.join);
    case "derived":
      return queryHoldsConstant(table.query);
    default:
      return false;
  }
}

function queryHoldsConstant({ body }: Query): boolean {
  if (body.kind === "nested") return queryHoldsConstant(body.query);
  return body.kind === "select" && (equatesConstant(body.where) || body.from.some(holdsConstant));
}

function equatesConstant(condition: Expression | undefined): boolean {
  return condition !== undefined && conjuncts(condition).some(isWithConstant);
}

function isWithConstant(condition: Expression): boolean {
  if (condition.kind === "in-list") return !condition.negated && condition.list.length === 1;
  if (condition.kind !== "binary" || condition.operator !== "=") return false;
  return !hasColumn(condition.left) || !hasColumn(condition.right);
}

function hasColumn(expression: Expression): boolean {
  return someExpression(expression, ({ kind }) => kind === "bound" || kind === "column" || kind === "opaque");
}

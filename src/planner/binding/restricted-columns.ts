/**
 * Restricted items in a view's select list (docs/decisions/0016-rules-read-what-callers-may-not.md). Such a column is rejected when
 * something names it, or if its value affects which rows exist: then reading any row uses it.
 */
import type { Denial } from "../access/policy.ts";
import type { PlannerError } from "../diagnostics.ts";
import { functionName, isAggregateCall } from "../functions/calls.ts";
import { findFunction } from "../functions/catalogue.ts";
import { canonicalCall } from "../functions/synonyms.ts";
import type { Expression, Select } from "../syntax/tree.ts";
import { someExpression, someNode } from "../syntax/walk.ts";
import { NULL_TYPE } from "../types.ts";
import type { Findings } from "./binding.ts";
import type { NamedItem } from "./output.ts";
import type { OutputColumn, Scope } from "./scope.ts";

export interface RestrictedItem extends NamedItem {
  readonly refusal: PlannerError;
}

/** NULL keeps the item's position, which ordinals and column names depend on. */
export function restrictedItem(written: Expression, name: string | undefined, refusal: PlannerError): RestrictedItem {
  const denial: Denial = { message: refusal.message };
  return { written, bound: { kind: "null", span: written.span, type: NULL_TYPE }, name, denial, refusal };
}

/** A column that a table has for those who may name it. */
export function restrictedColumn(name: string, { message }: PlannerError): OutputColumn {
  const printed = { implicitName: undefined, printedName: name };
  return { name, ...printed, type: NULL_TYPE, notNull: false, origins: [], denial: { message } };
}

/** Throws the error of the first restricted item whose omission would change the rows. */
export function refuseRestrictedUse(
  items: readonly NamedItem[],
  select: Select,
  findings: Findings,
  scope: Scope,
): void {
  const restricted = items.filter((item): item is RestrictedItem => "refusal" in item);
  const [first] = restricted;
  if (first === undefined) return;
  const decides =
    select.distinct !== undefined ||
    select.groupBy !== undefined ||
    select.having !== undefined ||
    findings.aggregates ||
    scope.namespace.relations.some(({ grouping }) => grouping) ||
    restricted.some(({ written }) => someExpression(written, makesRows)) ||
    // A subquery may aggregate this level's rows, where nothing else names one of their columns.
    (restricted.some(({ written }) => holdsAggregate(written)) && !items.some(namesColumn));
  if (decides) throw first.refusal;
}

function holdsAggregate(written: Expression): boolean {
  return someNode(written, (node) => node.kind === "call" && makesRows(node));
}

function namesColumn(item: NamedItem): boolean {
  return !("refusal" in item) && someExpression(item.bound, ({ kind }) => kind === "bound");
}

/** Aggregates and set-returning functions; unknown functions may be either. */
function makesRows(expression: Expression): boolean {
  if (expression.kind !== "call") return false;
  const call = canonicalCall(expression, functionName(expression));
  if (call.kind !== "call") return someExpression(call, makesRows);
  const specification = findFunction(functionName(call));
  return specification === undefined || specification.kind === "table" || isAggregateCall(call, specification);
}

/** The truth of row rules as columns: each table of a block offers one, which is TRUE for every row that the rules let through. */
import { UniqueNames } from "../../binding/printable-name.ts";
import { TRUTH_OF_RULES } from "../../expand/fence.ts";
import { all, call, exactName, typed } from "../../syntax/build.ts";
import { NOWHERE } from "../../syntax/spans.ts";
import type { Expression, SelectExpression, TableExpression } from "../../syntax/tree.ts";
import { type SyntaxNode, someChild, someNode } from "../../syntax/walk.ts";
import { BOOLEAN } from "../../types.ts";

const AT = { span: NOWHERE };
const TRUE: Expression = { kind: "boolean", value: true, type: BOOLEAN, span: NOWHERE };

/** The column of a table in FROM that holds the truth of its rules. */
export interface Truth {
  readonly alias: string;
  readonly column: string;
}

export const isTruthOfRules = (node: SyntaxNode): boolean =>
  node.kind === "call" && node.name.length === 1 && node.name[0]?.name === TRUTH_OF_RULES;

/** Whether a table, a query or an expression reads models with rules; `known` are the common tables that do. */
export function readsRuled(node: SyntaxNode, known: ReadonlySet<string>): boolean {
  return someNode(
    node,
    (each) => isTruthOfRules(each) || (each.kind === "bound-common" && known.has(each.table.printedName)),
  );
}

/** Rows that an outer join adds have no truth, and hold no values of excluded rows. */
export function truthOf({ alias, column }: Truth, isPadded: boolean): Expression {
  const name = { relation: { printedAlias: alias }, printedName: column };
  const truth: Expression = { kind: "bound", column: name, type: BOOLEAN, span: NOWHERE };
  return isPadded ? isNotFalse(truth) : truth;
}

/** Whether all rows of a group passed the rules; true for a group without rows. */
export const truthOfGroup = (truths: readonly Expression[]): Expression =>
  isNotFalse(call("logical_and", [conjunction(truths)], typed(BOOLEAN, AT)));

export const conjunction = (truths: readonly Expression[]): Expression => all(truths, AT) ?? TRUE;

const isNotFalse = (operand: Expression): Expression => ({
  kind: "is",
  operand,
  test: "false",
  negated: true,
  type: BOOLEAN,
  span: NOWHERE,
});

/** A rule that is NULL excludes its row, as one that is FALSE. */
export const isTrue = (operand: Expression): Expression => ({
  kind: "is",
  operand,
  test: "true",
  negated: false,
  type: BOOLEAN,
  span: NOWHERE,
});

export function truthItem(truth: Expression, name: string): SelectExpression {
  return { kind: "item", expression: truth, alias: exactName(name, NOWHERE), span: NOWHERE };
}

/** A name for the truth beside columns with these names. */
export function truthName(columns: readonly string[]): string {
  const names = new UniqueNames();
  for (const [index, name] of columns.entries()) names.unique(name, `column${index}`);
  return names.unique("_r", "_r");
}

/** The alias of a table in FROM that is no join. */
export function aliasOf(table: TableExpression): string | undefined {
  switch (table.kind) {
    case "bound-common":
      return table.alias?.name.name ?? table.table.printedName;
    case "physical-table":
      return table.alias?.name.name ?? table.name.at(-1)?.name;
    case "derived":
    case "function":
    case "opaque-table":
      return table.alias?.name.name;
    default:
      return undefined;
  }
}

/** The aliases that a node refers to and does not declare itself. */
export function freeAliases(node: SyntaxNode): ReadonlySet<string> {
  const found = new Set<string>();
  collectFree(node, found);
  return found;
}

function collectFree(node: SyntaxNode, found: Set<string>): void {
  if (node.kind === "bound") found.add(node.column.relation.printedAlias);
  else if (node.kind === "column" && node.parts.length > 1) found.add(node.parts[0]?.name ?? "");
  const body = node.kind === "query" ? node.body : node;
  const declared = body.kind === "select" ? declaredBy(body.from) : [];
  const inner = declared.length > 0 ? new Set<string>() : found;
  someChild(node, (child) => {
    collectFree(child, inner);
    return false;
  });
  if (inner === found) return;
  for (const alias of declared) inner.delete(alias);
  for (const alias of inner) found.add(alias);
}

export function declaredBy(from: readonly TableExpression[]): readonly string[] {
  return from.flatMap((table): readonly string[] => {
    if (table.kind === "join") return declaredBy([table.left, table.right]);
    const alias = aliasOf(table);
    return alias === undefined ? [] : [alias];
  });
}

/**
 * Relationship conditions: written over `model.column`, lowered onto the two sides of a hop
 * (docs/spec/planner.md#paths-to-one-row).
 */

import { condition } from "../binding/conditions.ts";
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { RelationshipData } from "../manifest/data.ts";
import { inExpression } from "../manifest/faults.ts";
import type { Model } from "../manifest/model.ts";
import { findColumn, type Hop } from "../manifest/paths.ts";
import { parseExpression } from "../syntax/parser.ts";
import { expressionsOnly, mapExpression } from "../syntax/rewrite.ts";
import { sizeOf } from "../syntax/size.ts";
import type { Binary, BinaryOperator, Expression, Identifier, Span } from "../syntax/tree.ts";
import { conjuncts, someExpression } from "../syntax/walk.ts";
import type { Columns } from "./columns.ts";
import { bindManifestExpression } from "./manifest-expression.ts";
import { ModelRows } from "./model-rows.ts";

const PARSED = new WeakMap<RelationshipData, Expression>();

function conditionOf(relationship: RelationshipData): Expression {
  let parsed = PARSED.get(relationship);
  if (parsed === undefined) {
    const { condition: text } = relationship;
    parsed = inExpression(ownerOf(relationship), () =>
      splitSelf(parseExpression(text, { limits: DEFAULT_LIMITS }), relationship),
    );
    PARSED.set(relationship, parsed);
  }
  return parsed;
}

function ownerOf(relationship: RelationshipData): string {
  return `condition of relationship "${relationship.name}"`;
}

/** In a model related to itself the left operand of a comparison is `models[0]`, the right one `models[1]`. */
const SIDES = ["\u0000left", "\u0000right"] as const;

/** Operators that compute one value from their operands and do not compare rows. */
const COMPUTING: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>([
  ...(["+", "-", "*", "/", "//", "%", "^", "||", "&", "|", "#", "<<", ">>", "->", "->>", "#>", "#>>", "#-"] as const),
]);

function splitSelf(expression: Expression, relationship: RelationshipData): Expression {
  const [left, right] = relationship.models;
  if (left !== right) return expression;
  const named = (operand: Expression, side: 0 | 1): Expression =>
    transform(operand, (each) => {
      if (isComparison(each) && namesIn(each.left).size > 0 && namesIn(each.right).size > 0) {
        throw unclearRows(each.span);
      }
      if (each.kind !== "column" || each.parts.length !== 2) return undefined;
      const [model, column] = each.parts;
      if (model === undefined || column === undefined) return undefined;
      return { ...each, parts: [{ ...model, name: SIDES[side], quoted: true }, column] };
    });
  return transform(expression, (each) => {
    if (!isComparison(each)) return undefined;
    const [own, other] = [namesIn(each.left).size, namesIn(each.right).size];
    // `abs(e.x - e.y) < 1` compares two columns of one row, or was meant to compare two rows.
    if (Math.min(own, other) === 0 && Math.max(own, other) > 1) throw unclearRows(each.span);
    return { ...each, left: named(each.left, 0), right: named(each.right, 1) };
  });
}

function isComparison(each: Expression): each is Binary {
  return each.kind === "binary" && !COMPUTING.has(each.operator);
}

function namesIn(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  someExpression(expression, (each) => {
    if (each.kind === "column") names.add(each.parts.map(({ name }) => name).join("."));
    return false;
  });
  return names;
}

function unclearRows(span: Span): PlannerError {
  return new PlannerError("MANIFEST_RELATIONSHIP", "it is not clear which of the two rows this speaks of", {
    span,
    hint:
      "In a model related to itself, the left operand of a comparison is one row and the right operand the other: " +
      "e.boss = e.id AND e.kind = 1 AND 2 = e.kind. Write other conditions as such comparisons.",
  });
}

/** Top down; what `rewrite` answers is not looked into. */
function transform(expression: Expression, rewrite: (each: Expression) => Expression | undefined): Expression {
  const visit = (each: Expression): Expression => rewrite(each) ?? mapExpression(each, mapper);
  const mapper = expressionsOnly(visit);
  return visit(expression);
}

/** Resolves a column of either side; throws if the condition does not name columns as `model.column`. */
export interface Sides {
  readonly from: (column: Identifier) => Expression;
  readonly to: (column: Identifier) => Expression;
}

/** The condition of `hop`, over its two sides. */
export function conditionOver(hop: Pick<Hop, "relationship" | "side">, sides: Sides, { context }: Columns): Expression {
  const { relationship, side } = hop;
  const [left, right] = relationship.models;
  const names: readonly string[] = left === right ? SIDES : relationship.models;
  const resolve = (parts: readonly Identifier[], span: Span): Expression => {
    const [model, column, ...rest] = parts;
    const index = model === undefined ? -1 : names.indexOf(model.name);
    if (left === right && model?.name === left && parts.length === 2) throw unclearRows(span);
    if (index < 0 || column === undefined || rest.length > 0) {
      throw new PlannerError("MANIFEST_RELATIONSHIP", `a condition names columns as model.column`, {
        span,
        hint: left === right ? `The model is "${left}".` : `The models are "${left}" and "${right}".`,
      });
    }
    return index === side ? sides.from(column) : sides.to(column);
  };
  const expression = conditionOf(relationship);
  context.budget.spend(sizeOf(expression));
  return context.inCondition(relationship.name, () =>
    bindManifestExpression(
      {
        expression,
        resolve,
        clause: { name: "a relationship's condition", aggregates: false, windows: false },
      },
      ownerOf(relationship),
      context,
    ),
  );
}

/** The ON condition that joins `rows` to the rows before them. */
export function joinCondition(rows: ModelRows, columns: Columns): Expression {
  const { hop } = rows;
  if (hop === undefined) throw new TypeError("the root of a frame has no condition");
  const bound = conditionOver(
    hop,
    {
      from: (column) => sideColumn(hop.parent, column, columns),
      to: (column) => sideColumn(rows, column, columns),
    },
    columns,
  );
  return condition(bound, ownerOf(hop.relationship));
}

/** Throws errors in a relationship's condition between its two models. */
export function checkCondition(
  relationship: RelationshipData,
  models: readonly [Model, Model],
  columns: Columns,
): void {
  const [left, right] = [ModelRows.root(models[0]), ModelRows.root(models[1])];
  const sides: Sides = {
    from: (column) => sideColumn(left, column, columns),
    to: (column) => sideColumn(right, column, columns),
  };
  condition(conditionOver({ relationship, side: 0 }, sides, columns), ownerOf(relationship));
}

export function sideColumn(rows: ModelRows, name: Identifier, columns: Columns): Expression {
  const column = findColumn(rows.model, name);
  if (column !== undefined && column.kind !== "handle") return columns.at(column, rows);
  throw new PlannerError("MANIFEST_RELATIONSHIP", `model "${rows.model.name}" has no column "${name.name}"`, {
    span: name.span,
  });
}

/** By the side that a hop starts from; the manifest alone decides. */
const COMPARES_KEY = new WeakMap<RelationshipData, Map<Hop["side"], boolean>>();

/** Whether the condition sets a whole key of the target equal to values of the other side: at most one row matches. */
export function comparesKey(hop: Hop): boolean {
  const { relationship, side, to } = hop;
  const sides = COMPARES_KEY.get(relationship) ?? new Map<Hop["side"], boolean>();
  let known = sides.get(side);
  if (known === undefined) {
    const compared = targetColumns(hop);
    const keys = [to.primaryKey, ...to.data.uniqueKeys].filter((key) => key.length > 0);
    known = keys.some((key) => key.every((name) => compared.has(name)));
    COMPARES_KEY.set(relationship, sides.set(side, known));
  }
  return known;
}

/** Columns of the target that the condition sets equal to something of the other side. */
function targetColumns(hop: Hop): ReadonlySet<string> {
  const { relationship, side } = hop;
  const [left, right] = relationship.models;
  const names: readonly string[] = left === right ? SIDES : relationship.models;
  const own = names[side];
  const target = names[1 - side];
  const keys = new Set<string>();
  for (const each of conjuncts(conditionOf(relationship))) {
    if (each.kind !== "binary" || each.operator !== "=") continue;
    for (const [column, other] of [[each.left, each.right] as const, [each.right, each.left] as const]) {
      if (column.kind !== "column" || column.parts.length !== 2 || column.parts[0]?.name !== target) continue;
      const usesTarget = someExpression(other, (node) => node.kind === "column" && node.parts[0]?.name !== own);
      const [, name] = column.parts;
      const found = name === undefined ? undefined : findColumn(hop.to, name);
      if (!usesTarget && found !== undefined) keys.add(found.name);
    }
  }
  return keys;
}

/** Declared uniqueness of a model's rows: keys, and the "one" sides of relationships. */
import { PlannerError } from "../diagnostics.ts";
import { findFunction } from "../functions/catalogue.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { JoinType, RelationshipData } from "../manifest/data.ts";
import type { Model } from "../manifest/model.ts";
import { parseExpression } from "../syntax/parser.ts";
import type { Expression } from "../syntax/tree.ts";
import { conjuncts, someExpression } from "../syntax/walk.ts";

/** One relationship as seen from one of its models. */
export interface Link {
  /** The model on the other side. */
  readonly other: string;
  /** Columns that the condition holds equal. */
  readonly pairs: readonly { readonly own: string; readonly other: string }[];
  /** At most one row of this model has the values of a row of the other one. */
  readonly isOne: boolean;
  /** At most one row of the other model has the values of a row of this one. */
  readonly leadsToOne: boolean;
}

export interface Declared {
  /** The primary key and the unique keys whose columns exist. */
  readonly keys: readonly (readonly string[])[];
  readonly links: readonly Link[];
}

const declarations = new WeakMap<Model, Declared>();

/** The declarations of a model, computed once per manifest; empty if there are none. */
export function declaredOf(model: Model): Declared {
  let known = declarations.get(model);
  if (known === undefined) {
    const keys = [model.primaryKey, ...model.data.uniqueKeys].filter(
      (key) => key.length > 0 && key.every((name) => model.column(name) !== undefined),
    );
    known = { keys, links: linksOf(model) };
    declarations.set(model, known);
  }
  return known;
}

const ONE_SIDES: Readonly<Record<JoinType, readonly [left: boolean, right: boolean]>> = {
  ONE_TO_ONE: [true, true],
  ONE_TO_MANY: [true, false],
  MANY_TO_ONE: [false, true],
  MANY_TO_MANY: [false, false],
};

/**
 * The relationships of a model whose condition consists of column equalities. Any other condition would have to follow
 * from the caller's join, which is not decided in this file. Faulty relationships are ignored: queries that use them
 * report the error.
 */
function linksOf(model: Model): readonly Link[] {
  return model.manifest.relationshipsOf(model.name).flatMap((relationship) => {
    const pairs = pairsOf(relationship);
    if (pairs === undefined) return [];
    const {
      models: [left, right],
      joinType,
    } = relationship;
    const [isLeftOne, isRightOne] = ONE_SIDES[joinType];
    const fromLeft = {
      other: right,
      pairs: pairs.map(([own, other]) => ({ own, other })),
      isOne: isLeftOne,
      leadsToOne: isRightOne,
    };
    const fromRight = {
      other: left,
      pairs: pairs.map(([other, own]) => ({ own, other })),
      isOne: isRightOne,
      leadsToOne: isLeftOne,
    };
    return [...(left === model.name ? [fromLeft] : []), ...(right === model.name ? [fromRight] : [])];
  });
}

/** Columns of `models[0]` and `models[1]`; `undefined` if the condition has any other part. */
function pairsOf(data: RelationshipData): readonly (readonly [left: string, right: string])[] | undefined {
  const condition = parsed(data.condition);
  if (condition === undefined) return undefined;
  const pairs: (readonly [string, string])[] = [];
  for (const conjunct of conjuncts(condition)) {
    if (conjunct.kind !== "binary" || conjunct.operator !== "=") return undefined;
    const [a, b] = [modelColumn(conjunct.left), modelColumn(conjunct.right)];
    if (a === undefined || b === undefined) return undefined;
    // A model related to itself: left operands belong to models[0] (docs/spec/planner.md#paths-to-one-row).
    if (a.model === data.models[0] && b.model === data.models[1]) pairs.push([a.column, b.column]);
    else if (a.model === data.models[1] && b.model === data.models[0]) pairs.push([b.column, a.column]);
    else return undefined;
  }
  return pairs;
}

function modelColumn(expression: Expression): { readonly model: string; readonly column: string } | undefined {
  if (expression.kind !== "column" || expression.parts.length !== 2) return undefined;
  const [model, column] = expression.parts;
  return model === undefined || column === undefined ? undefined : { model: model.name, column: column.name };
}

/** Visible calculated columns of `model` that aggregate over rows of the model `other`. */
export function calculationsOver(model: Model, other: string): readonly string[] {
  const handles = model.data.columns.filter((column) => column.relationship !== undefined && column.type === other);
  if (handles.length === 0) return [];
  const names = new Set(handles.map((handle) => handle.name));
  return model.data.columns.flatMap((column) => {
    const isOpen = column.isCalculated && !column.isHidden && column.rule === undefined;
    const expression = isOpen ? parsed(column.expression ?? "") : undefined;
    const aggregatesOver = (node: Expression): boolean =>
      node.kind === "call" &&
      findFunction(node.name[0]?.name.toLowerCase() ?? "")?.kind === "aggregate" &&
      someExpression(node, (each) => each.kind === "column" && names.has(each.parts[0]?.name ?? ""));
    return expression !== undefined && someExpression(expression, aggregatesOver) ? column.name : [];
  });
}

/** `undefined` for text that is wrong: its error belongs to the queries that need it. */
function parsed(text: string): Expression | undefined {
  try {
    return parseExpression(text, { limits: DEFAULT_LIMITS });
  } catch (error) {
    if (error instanceof PlannerError) return undefined;
    throw error;
  }
}

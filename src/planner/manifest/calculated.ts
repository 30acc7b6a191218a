/**
 * The parsed expression of a calculated column: parsed once per manifest, with every name in it resolved to a path.
 * Nothing in this file depends on a request.
 */
import { PlannerError } from "../diagnostics.ts";
import { replaceAggregates } from "../functions/calls.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { uncounted } from "../plan-budget.ts";
import { parseExpression } from "../syntax/parser.ts";
import { sizeOf } from "../syntax/size.ts";
import type { Expression, Identifier } from "../syntax/tree.ts";
import { children, someExpression } from "../syntax/walk.ts";
import { inExpression } from "./faults.ts";
import type { Model, ModelColumn } from "./model.ts";
import { findColumn, type Path, resolvePath } from "./paths.ts";

export interface CalculatedColumn {
  readonly expression: Expression;
  /** The paths it names, those inside aggregates included. */
  readonly paths: readonly Path[];
  /** Levels and nodes of the expression's tree. */
  readonly depth: number;
  readonly size: number;
  /** The expression contains a window function, so it is computed over all rows of the model. */
  readonly window: boolean;
}

const KNOWN = new WeakMap<ModelColumn, CalculatedColumn>();

/** The calculated `column` of `model`. Throws MANIFEST_EXPRESSION with the column and the position in its text. */
export function calculatedColumnOf(model: Model, column: ModelColumn): CalculatedColumn {
  let known = KNOWN.get(column);
  if (known === undefined) {
    known = inExpression(ownerOf(model, column), () => uncounted(() => analyse(model, column)));
    KNOWN.set(column, known);
  }
  return known;
}

export function ownerOf(model: Model, column: ModelColumn): string {
  return `column "${column.name}" of model "${model.name}"`;
}

function analyse(model: Model, column: ModelColumn): CalculatedColumn {
  if (column.expression === undefined) {
    throw new PlannerError("MANIFEST_EXPRESSION", `${ownerOf(model, column)} is calculated but has no expression`);
  }
  const expression = parseExpression(column.expression, { limits: DEFAULT_LIMITS });
  const paths: Path[] = [];
  const collect = (within: Expression, aggregated: boolean): void => {
    someExpression(within, (each) => {
      if (each.kind === "column" && !isEnumMember(model, each.parts)) {
        paths.push(resolvePath(model, each.parts, { span: each.span, aggregated }));
      }
      return false;
    });
  };
  // Aggregates first, under their own path rule; the remaining expression has no aggregates.
  const rest = replaceAggregates(expression, (call) => {
    collect(call, true);
    return { kind: "null", span: call.span };
  });
  collect(rest, false);
  const window = someExpression(expression, (each) => each.kind === "call" && !!each.over);
  return { expression, paths, depth: depthOf(expression), size: sizeOf(expression), window };
}

function depthOf(expression: Expression): number {
  return 1 + Math.max(0, ...children(expression).map(depthOf));
}

/** `Status.OPEN`, unless `Status` is a relationship of the model. */
function isEnumMember(model: Model, parts: readonly Identifier[]): boolean {
  const [owner] = parts;
  if (parts.length !== 2 || owner === undefined || !model.manifest.enums.has(owner.name)) return false;
  return owner.name !== model.name && findColumn(model, owner)?.kind !== "handle";
}

/**
 * The columns that `column` is computed from, directly or not, itself and the relationships on the way included; those
 * that join conditions compare are not among them. Throws MANIFEST_CYCLE for columns that need each other.
 */
export function dependenciesOf(model: Model, column: ModelColumn): ReadonlyMap<ModelColumn, Model> {
  let known = DEPENDENCIES.get(column);
  if (known === undefined) {
    known = collectDependencies(model, column);
    DEPENDENCIES.set(column, known);
  }
  return known;
}

const DEPENDENCIES = new WeakMap<ModelColumn, ReadonlyMap<ModelColumn, Model>>();

function collectDependencies(model: Model, column: ModelColumn): ReadonlyMap<ModelColumn, Model> {
  const found = new Map<ModelColumn, Model>();
  const trail: string[] = [];
  const follow = (path: Path): void => {
    for (const { handle, from } of path.hops) found.set(handle, from);
    visit(path.model, path.column);
  };
  const visit = (owner: Model, each: ModelColumn): void => {
    const step = `${owner.name}.${each.name}`;
    if (trail.includes(step)) {
      const cycle = [...trail.slice(trail.indexOf(step)), step].join(" → ");
      throw new PlannerError(
        "MANIFEST_CYCLE",
        `cyclic dependency detected: calculated columns need each other: ${cycle}`,
      );
    }
    if (found.has(each)) return;
    if (each.kind === "calculated") {
      if (trail.length > DEFAULT_LIMITS.depth) {
        throw new PlannerError("LIMIT_DEPTH", `calculated columns need each other over ${trail.length} steps`);
      }
      trail.push(step);
      calculatedColumnOf(owner, each).paths.forEach(follow);
      trail.pop();
    } else if (owner.base !== undefined) {
      pathsOverBase(owner, owner.base, each).forEach(follow);
    }
    found.set(each, owner);
  };
  visit(model, column);
  return found;
}

/**
 * Source of a column of a model built on another one: the base's column of the same name, or the column's expression.
 */
function pathsOverBase(model: Model, base: Model, column: ModelColumn): readonly Path[] {
  return column.kind === "plain"
    ? [{ hops: [], model: base, column: columnOfBase(model, base, column) }]
    : calculatedColumnOf(base, column).paths;
}

/** The column of `base` that a column of `model`, which is built on it, is. Throws MANIFEST_EXPRESSION. */
export function columnOfBase(model: Model, base: Model, column: ModelColumn): ModelColumn {
  const found = base.column(column.name);
  if (found !== undefined && found.kind !== "handle") return found;
  throw columnNotInBase(ownerOf(model, column), base.name);
}

export function columnNotInBase(owner: string, base: string): PlannerError {
  return new PlannerError("MANIFEST_EXPRESSION", `${owner} is not in "${base}", which the model is built on`);
}

/** Calculated columns: expressions over the model's own columns and over to-one paths (planner.md §2.4, §2.5). */
import type { BindingContext } from "../binding/context.ts";
import { PlannerError } from "../diagnostics.ts";
import type { Model, ModelColumn } from "../manifest/manifest.ts";
import type { Expression, Identifier, Span } from "../syntax/tree.ts";
import type { SqlType } from "../types.ts";
import { bindManifestExpression, findModelColumn } from "./model-scope.ts";
import { PathNode } from "./path-tree.ts";

/** The bound expression of a calculated column at `node`; throws CYCLE, MANIFEST_EXPRESSION, FANOUT. */
export function calculatedColumn(column: ModelColumn, node: PathNode, context: BindingContext): Expression {
  return lower(column, node, context, []);
}

/** The type of a model column as its expression has it: a rewrite that trusted a wrong declaration would be wrong. */
export function typeOfColumn(model: Model, column: ModelColumn, context: BindingContext): SqlType {
  if (column.kind !== "calculated") return column.type;
  const { type } = calculatedColumn(column, new PathNode(model, "_b", undefined), context);
  return type ?? column.type;
}

function lower(column: ModelColumn, node: PathNode, context: BindingContext, trail: readonly string[]): Expression {
  const step = `${node.model.name}.${column.name}`;
  if (trail.length > context.options.limits.depth) {
    throw new PlannerError("LIMIT_DEPTH", `calculated columns need each other over ${trail.length} steps`);
  }
  if (trail.includes(step)) {
    throw new PlannerError("MANIFEST_CYCLE", `calculated columns need each other: ${[...trail, step].join(" → ")}`);
  }
  context.countExpansion();
  const owner = `column "${column.name}" of model "${node.model.name}"`;
  const resolve = (parts: readonly Identifier[], span: Span): Expression =>
    resolvePath(parts, span, node, context, [...trail, step]);
  const bound = bindManifestExpression(column.expression ?? "", owner, resolve, context);
  if (bound.aggregates)
    throw new PlannerError("NOT_IMPLEMENTED", `${owner}: aggregates over relationships are not available yet`);
  if (bound.windows)
    throw new PlannerError("NOT_IMPLEMENTED", `${owner}: window functions in calculated columns are not available yet`);
  return { ...bound.expression, type: knownType(bound.expression.type, column.type) };
}

/**
 * The declared type is not cast (planner.md §2.4), so the value keeps the type of its expression: `key / 2` declared
 * DOUBLE is an integer, and dividing it again is integer division. The declaration stands where nothing contradicts it.
 */
function knownType(actual: SqlType | undefined, declared: SqlType): SqlType {
  if (actual === undefined || actual.kind === "opaque" || actual.kind === "null") return declared;
  if (actual.kind !== declared.kind) return actual;
  const zonesDiffer = actual.kind === "timestamp" && declared.kind === "timestamp" && actual.zoned !== declared.zoned;
  const sizesDiffer = actual.kind === "float" && declared.kind === "float" && actual.bits !== declared.bits;
  return zonesDiffer || sizesDiffer ? actual : declared;
}

/** `column`, `Model.column`, or `handle.….column`. */
function resolvePath(
  parts: readonly Identifier[],
  span: Span,
  node: PathNode,
  context: BindingContext,
  trail: readonly string[],
): Expression {
  const [first, ...rest] = parts;
  if (first === undefined) throw new RangeError("a path without parts");
  const ownName = rest.length > 0 && first.name === node.model.name && node.model.column(first.name)?.kind !== "handle";
  if (ownName) return resolvePath(rest, span, node, context, trail);
  const column = findModelColumn(node.model, first);
  if (rest.length > 0) {
    if (column.kind !== "handle") {
      throw new PlannerError("COLUMN_NOT_FOUND", `"${first.name}" is a column, not a relationship`, { span });
    }
    return resolvePath(rest, span, node.follow(column), context, trail);
  }
  switch (column.kind) {
    case "handle":
      throw new PlannerError("COLUMN_NOT_FOUND", `"${first.name}" is a relationship: name a column behind it`, {
        span,
        hint: `Write ${first.name}.column.`,
      });
    case "calculated":
      return lower(column, node, context, trail);
    case "plain":
    case "source":
      return node.reference(column);
    default:
      return column.kind satisfies never;
  }
}

/** Calculated columns: expressions over the model's own columns and over to-one paths (planner.md §2.4, §2.5). */
import type { BindingContext } from "../binding/context.ts";
import { PlannerError } from "../diagnostics.ts";
import type { ModelColumn } from "../manifest/manifest.ts";
import type { Expression, Identifier, Span } from "../syntax/tree.ts";
import { bindManifestExpression, findModelColumn } from "./model-scope.ts";
import type { PathNode } from "./path-tree.ts";

/** The bound expression of a calculated column at `node`; throws CYCLE, MANIFEST_EXPRESSION, FANOUT. */
export function calculatedColumn(column: ModelColumn, node: PathNode, context: BindingContext): Expression {
  return lower(column, node, context, []);
}

function lower(column: ModelColumn, node: PathNode, context: BindingContext, trail: readonly string[]): Expression {
  const step = `${node.model.name}.${column.name}`;
  if (trail.includes(step)) {
    throw new PlannerError("MANIFEST_CYCLE", `calculated columns need each other: ${[...trail, step].join(" → ")}`);
  }
  const owner = `column "${column.name}" of model "${node.model.name}"`;
  const resolve = (parts: readonly Identifier[], span: Span): Expression =>
    resolvePath(parts, span, node, context, [...trail, step]);
  const bound = bindManifestExpression(column.expression ?? "", owner, resolve, context);
  if (bound.aggregates)
    throw new PlannerError("NOT_IMPLEMENTED", `${owner}: aggregates over relationships are not available yet`);
  if (bound.windows)
    throw new PlannerError("NOT_IMPLEMENTED", `${owner}: window functions in calculated columns are not available yet`);
  // The declared type is what the modeller promises (planner.md §2.4); it is not cast.
  return { ...bound.expression, type: column.type };
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

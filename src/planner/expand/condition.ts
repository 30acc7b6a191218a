/** Relationship conditions: written over `model.column`, lowered onto the two sides of a hop (planner.md §2.5, §6.4). */
import type { BindingContext } from "../binding/context.ts";
import { PlannerError } from "../diagnostics.ts";
import type { Expression, Identifier, Span } from "../syntax/tree.ts";
import { calculatedColumn } from "./calculated.ts";
import { bindManifestExpression, findModelColumn } from "./model-scope.ts";
import type { PathNode } from "./path-tree.ts";

/** The ON condition that joins `node` to its parent. */
export function joinCondition(node: PathNode, context: BindingContext): Expression {
  const { hop } = node;
  if (hop === undefined) throw new TypeError("the root of a path has no condition");
  const sides = [hop.parent, node];
  const resolve = (parts: readonly Identifier[], span: Span): Expression => {
    const [model, column, ...rest] = parts;
    const side = sides.find((each) => each.model.name === model?.name);
    if (side === undefined || column === undefined || rest.length > 0) {
      throw new PlannerError("MANIFEST_RELATIONSHIP", `a condition names columns as model.column`, {
        span,
        hint: `The models are "${hop.relationship.models.join('" and "')}".`,
      });
    }
    const found = findModelColumn(side.model, column);
    if (found.kind === "calculated") return calculatedColumn(found, side, context);
    return side.reference(found);
  };
  const owner = `condition of relationship "${hop.relationship.name}"`;
  return bindManifestExpression(hop.relationship.condition, owner, resolve, context).expression;
}

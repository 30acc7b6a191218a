/**
 * Denied members of a cube before the query over it is bound: a structured query and a catalogue name members first. For a
 * base that is a view, the view is bound once in a context of its own, so that nothing of it counts as read by the query.
 */
import { MemberDenials } from "../access/cube-members.ts";
import type { Denial } from "../access/policy.ts";
import { PlannerError } from "../diagnostics.ts";
import type { Cube } from "../manifest/cube.ts";
import type { Path } from "../manifest/paths.ts";
import { exactName } from "../syntax/build.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { BindingContext } from "./context.ts";
import { CubeRelation } from "./cube-relation.ts";
import { bindFrom } from "./from.ts";
import { binderIn } from "./query.ts";
import { Scope } from "./scope.ts";

export function denialsBeforeBinding(cube: Cube, context: BindingContext): MemberDenials {
  const { access, manifest } = context;
  let bound: CubeRelation | PlannerError | undefined;
  const pathDenial = (path: Path): Denial | undefined => context.memberOffer.pathDenial(path);
  return new MemberDenials(cube, pathDenial, (parts) => {
    // Nothing can be denied, so the view need not be bound.
    if (!access.restrictsAnything(manifest)) return false;
    bound ??= boundOrFault(cube, context.afresh());
    if (bound instanceof PlannerError) throw bound;
    return bound.isColumnDenied(parts);
  });
}

function boundOrFault(cube: Cube, context: BindingContext): CubeRelation | PlannerError {
  const scope = new Scope(undefined, new Map());
  try {
    const name = [exactName(cube.name, NOWHERE)];
    bindFrom([{ kind: "table", name, alias: undefined, span: NOWHERE }], scope, binderIn(context));
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  const [relation] = scope.namespace.relations;
  if (relation instanceof CubeRelation) return relation;
  throw new TypeError(`"${cube.name}" is no cube in FROM`);
}

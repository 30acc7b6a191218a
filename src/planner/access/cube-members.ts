/** Column rules on members of cubes: what a member is computed from decides (planner.md §2.11). */
import { PlannerError } from "../diagnostics.ts";
import type { Cube, CubeMember } from "../manifest/cube.ts";
import { Model } from "../manifest/manifest.ts";
import { findColumn, resolvePath } from "../manifest/paths.ts";
import { NOWHERE } from "../syntax/spans.ts";
import { someExpression } from "../syntax/walk.ts";
import type { AccessPolicy } from "./policy.ts";

/** Whether `member` needs a column that the caller may not name. Throws SESSION_PROPERTY_… */
export function isMemberDenied(cube: Cube, member: CubeMember, access: AccessPolicy): boolean {
  const base = orFault(() => cube.base());
  const expression = orFault(() => cube.expressionOf(member, NOWHERE).expression);
  // A view is expanded whole: one that names a denied column is refused whichever member asks for it.
  if (!(base instanceof Model) || expression === undefined) return false;
  return someExpression(expression, (each) => {
    if (each.kind !== "column") return false;
    const [name, ...others] = each.parts;
    const isColumn = name === undefined || others.length > 0 || findColumn(base, name) !== undefined;
    const dimension = isColumn ? undefined : cube.dimensionNamed(name);
    if (dimension !== undefined) return isMemberDenied(cube, dimension, access);
    // An enum's member is no path.
    const path = orFault(() => resolvePath(base, each.parts, { span: NOWHERE, aggregated: false }));
    return path !== undefined && access.denial(path.model, path.column) !== undefined;
  });
}

/** Names of members for messages: none that the caller may not name, or may not be sure to. */
export function shownMembers(cube: Cube, access: AccessPolicy): readonly CubeMember[] {
  return cube.members.filter((member) => {
    try {
      return !isMemberDenied(cube, member, access);
    } catch (error) {
      if (error instanceof PlannerError) return false;
      throw error;
    }
  });
}

/** `undefined` where the manifest is wrong: that is for whoever names the member. */
function orFault<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PlannerError) return undefined;
    throw error;
  }
}

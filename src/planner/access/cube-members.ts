/** Column rules on members of cubes: what a member is computed from decides (planner.md §2.11). */
import { PlannerError } from "../diagnostics.ts";
import type { Cube, CubeMember } from "../manifest/cube.ts";
import { Model } from "../manifest/manifest.ts";
import { findColumn, resolvePath } from "../manifest/paths.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Identifier } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import type { AccessPolicy } from "./policy.ts";

/** Of a name in a member's expression: whether the caller may not name that column; `undefined` for no column. */
type IsDenied = (parts: readonly Identifier[]) => boolean | undefined;

/**
 * Whether `member` needs a column that the caller may not name. `ofView` knows the columns of a base that is a view.
 * Throws SESSION_PROPERTY_…
 */
export function isMemberDenied(cube: Cube, member: CubeMember, access: AccessPolicy, ofView: IsDenied): boolean {
  const base = orFault(() => cube.base());
  if (base === undefined) return false;
  return needsDenied(cube, member, base instanceof Model ? (parts) => ofModel(base, parts, access) : ofView);
}

function needsDenied(cube: Cube, member: CubeMember, isDenied: IsDenied): boolean {
  const expression = orFault(() => cube.expressionOf(member, NOWHERE).expression);
  if (expression === undefined) return false;
  return someExpression(expression, (each) => {
    if (each.kind !== "column") return false;
    const denied = isDenied(each.parts);
    if (denied !== undefined) return denied;
    const [name, ...others] = each.parts;
    // Only measures see dimensions.
    if (name === undefined || others.length > 0 || member.kind !== "measure") return false;
    const dimension = cube.dimensionNamed(name);
    return dimension !== undefined && needsDenied(cube, dimension, isDenied);
  });
}

function ofModel(base: Model, parts: readonly Identifier[], access: AccessPolicy): boolean | undefined {
  const [name, ...others] = parts;
  if (name !== undefined && others.length === 0 && findColumn(base, name) === undefined) return undefined;
  // An enum's member is no path.
  const path = orFault(() => resolvePath(base, parts, { span: NOWHERE, aggregated: false }));
  return path !== undefined && access.pathDenial(path) !== undefined;
}

/**
 * Names of members for messages: none that the caller may not name, or may not be sure to. Of a base that is a view and
 * has not been bound, nothing is sure while anything may be withheld.
 */
export function shownMembers(cube: Cube, access: AccessPolicy, isDenied?: IsDenied): readonly CubeMember[] {
  const ofView = isDenied ?? (() => access.restrictsAnything(cube.manifest));
  return cube.members.filter((member) => {
    try {
      return !isMemberDenied(cube, member, access, ofView);
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

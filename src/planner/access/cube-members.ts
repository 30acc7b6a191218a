/** Column rules on members of cubes: what a member is computed from decides (docs/spec/planner.md#column-rules). */
import { PlannerError } from "../diagnostics.ts";
import type { Cube, CubeMember } from "../manifest/cube.ts";
import { Model } from "../manifest/model.ts";
import { findColumn, type Path, resolvePath } from "../manifest/paths.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Identifier } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import type { Denial } from "./policy.ts";

/**
 * Decides for a name in a member's expression whether the caller may not name that column; `undefined` for no column.
 */
export type IsDenied = (parts: readonly Identifier[]) => boolean | undefined;

/** The reason why the caller may not name a column of a base that is a model, which the model's own base may keep from it. */
type PathDenial = (path: Path) => Denial | undefined;

/** Which members of a cube the caller may not name. Each is gone through once, however many measures name it. */
export class MemberDenials {
  readonly #cube: Cube;
  readonly #pathDenial: PathDenial;
  readonly #ofView: IsDenied;
  readonly #known = new Map<CubeMember, boolean | PlannerError>();
  #base: Model | "view" | "wrong" | undefined;

  /**
   * `ofView` knows the columns of a base that is a view (`binding/cube-denials.ts` binds the view). If it throws, no member is shown.
   */
  constructor(cube: Cube, pathDenial: PathDenial, ofView: IsDenied) {
    this.#cube = cube;
    this.#pathDenial = pathDenial;
    this.#ofView = ofView;
  }

  /** Whether `member` needs a column that the caller may not name. Throws SESSION_PROPERTY_… */
  isDenied(member: CubeMember): boolean {
    let known = this.#known.get(member);
    if (known === undefined) {
      known = valueOrFault(() => this.#needsDenied(member));
      this.#known.set(member, known);
    }
    if (known instanceof PlannerError) throw known;
    return known;
  }

  /** The members that messages may name: none that the caller may not name, or may not be sure to. */
  shown(): readonly CubeMember[] {
    return this.#cube.members.filter((member) => this.shows(member));
  }

  /** Whether messages may name the member. */
  shows(member: CubeMember): boolean {
    return valueOrFault(() => this.isDenied(member)) === false;
  }

  #needsDenied(member: CubeMember): boolean {
    const base = this.#baseOfCube();
    if (base === "wrong") return false;
    // A view that cannot be read has no members, not even one that names no column, such as count(*).
    if (base === "view") this.#ofView([]);
    const expression = orNothing(() => this.#cube.expressionOf(member, NOWHERE).expression);
    if (expression === undefined) return false;
    return someExpression(expression, (each) => {
      if (each.kind !== "column") return false;
      const denied = base === "view" ? this.#ofView(each.parts) : this.#ofModel(base, each.parts);
      if (denied !== undefined) return denied;
      const [name, ...others] = each.parts;
      // Only measures see dimensions.
      if (name === undefined || others.length > 0 || member.kind !== "measure") return false;
      const dimension = this.#cube.dimensionNamed(name);
      return dimension !== undefined && this.isDenied(dimension);
    });
  }

  #baseOfCube(): Model | "view" | "wrong" {
    if (this.#base === undefined) {
      const base = orNothing(() => this.#cube.base());
      this.#base = base === undefined ? "wrong" : base instanceof Model ? base : "view";
    }
    return this.#base;
  }

  #ofModel(base: Model, parts: readonly Identifier[]): boolean | undefined {
    const [name, ...others] = parts;
    if (name !== undefined && others.length === 0 && findColumn(base, name) === undefined) return undefined;
    // A member of an enum is not a path.
    const path = orNothing(() => resolvePath(base, parts, { span: NOWHERE, aggregated: false }));
    return path !== undefined && this.#pathDenial(path) !== undefined;
  }
}

function valueOrFault<T>(work: () => T): T | PlannerError {
  try {
    return work();
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
}

/** `undefined` if the manifest is wrong: a query that names the member gets the error. */
function orNothing<T>(work: () => T): T | undefined {
  const value = valueOrFault(work);
  return value instanceof PlannerError ? undefined : value;
}

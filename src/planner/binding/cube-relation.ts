/**
 * A cube in FROM: its members are columns whose values the surrounding query decides
 * (docs/decisions/0045-cubes-in-sql.md#decision).
 */
import { MemberDenials } from "../access/cube-members.ts";
import { PlannerError } from "../diagnostics.ts";
import type { Cube, CubeMember } from "../manifest/cube.ts";
import type { Expression, Identifier, Query, Span, TableExpression } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import { isUnknown } from "../types.ts";
import { type Binder, bindIn, type Findings } from "./binding.ts";
import { typeOf } from "./coercion.ts";
import { asDeclared } from "./declared-types.ts";
import { Grouping } from "./grouping.ts";
import { isNullable } from "./nullability.ts";
import { type Lookup, Relation, type RelationColumn } from "./relation.ts";
import { ExpressionSet } from "./same.ts";
import { Scope } from "./scope.ts";
import { isRandom } from "./volatility.ts";

/** A member as the caller's SQL names it. */
export interface CubeColumn extends RelationColumn {
  readonly relation: CubeRelation;
  readonly member: CubeMember;
  /** The member's expression over the columns of the base; bound when the column is first named. */
  readonly expression: Expression;
}

/** The base of a cube, as an item of FROM. */
export interface CubeBase {
  readonly relation: Relation;
  readonly table: TableExpression;
  readonly binder: Binder;
}

export class CubeRelation extends Relation {
  override readonly grouping = true;
  readonly base: CubeBase;
  readonly cube: Cube;
  readonly #columns = new Map<CubeMember, CubeColumn>();
  readonly #measures = new Map<CubeMember, Expression>();
  readonly denials: MemberDenials;

  constructor(cube: Cube, name: string, path: readonly string[], base: CubeBase) {
    super(name, path);
    this.cube = cube;
    this.base = base;
    this.denials = new MemberDenials(
      cube,
      (path) => base.binder.context.memberOffer.pathDenial(path),
      (parts) => this.isColumnDenied(parts),
    );
    this.printedAlias = base.relation.printedAlias;
  }

  /**
   * Without the members that need a column which the caller may not name, as `*` over a model (docs/spec/planner.md#column-rules).
   */
  override columns(): readonly RelationColumn[] {
    return this.cube.members.filter((member) => !this.denials.isDenied(member)).map((member) => this.#column(member));
  }

  override shownNames(): readonly string[] {
    return this.denials.shown().map(({ name }) => name);
  }

  override find(name: string, quoted: boolean): Lookup {
    const exact = this.cube.member(name);
    if (exact !== undefined && !this.#conceals(exact)) return { kind: "found", column: this.#column(exact) };
    if (quoted) return { kind: "none" };
    const [only, ...others] = this.cube.membersLike(name).filter((member) => !this.#conceals(member));
    if (only === undefined) return { kind: "none" };
    if (others.length === 0) return { kind: "found", column: this.#column(only) };
    return { kind: "several", names: [only, ...others].map((member) => member.name) };
  }

  #conceals(member: CubeMember): boolean {
    return this.base.binder.context.options.conceals === true && !this.denials.shows(member);
  }

  /** Whether the caller may not name a column of the base; `undefined` for no column. */
  isColumnDenied([name, ...others]: readonly Identifier[]): boolean | undefined {
    const lookup =
      name === undefined || others.length > 0 ? undefined : this.base.relation.find(name.name, name.quoted);
    return lookup?.kind === "found" ? lookup.column.denial?.() !== undefined : undefined;
  }

  /** The columns that something names, in the order they were first named. */
  usedColumns(): readonly CubeColumn[] {
    return [...this.#columns.values()].filter((column) => column.used);
  }

  #column(member: CubeMember): CubeColumn {
    const known = this.#columns.get(member);
    if (known !== undefined) return known;
    let bound: Expression | undefined;
    const settled = (span: Span): Expression => {
      const { context } = this.base.binder;
      context.namesMember(this.cube.name, member.name, span);
      if (bound !== undefined) return bound;
      bound = context.inView(this.cube.name, span, () => this.#bind(member, span));
      return bound;
    };
    const settledHere = (): Expression => {
      if (bound === undefined) throw new TypeError(`"${member.name}" is asked for before it is named`);
      return bound;
    };
    const column: CubeColumn = {
      relation: this,
      name: member.name,
      member,
      settle: settled,
      get expression() {
        return settledHere();
      },
      get type() {
        return typeOf(settledHere());
      },
      get notNull() {
        return !isNullable(settledHere());
      },
      get origins() {
        return [settledHere()];
      },
      printedName: member.name,
      used: false,
      modelColumn: undefined,
    };
    this.#columns.set(member, column);
    return column;
  }

  #bind(member: CubeMember, use: Span): Expression {
    const { named, placed, measures, size } = this.cube.expressionOf(member, use);
    const { context } = this.base.binder;
    context.budget.spend(size);
    const told = (error: PlannerError): PlannerError => this.cube.fault(member, error, use);
    const bindPlaced = (): Expression => {
      // An error is reported for the measure that contains it, with the position in its text.
      for (const measure of measures) this.#bind(measure, use);
      try {
        return this.#bindTree(member, placed, use);
      } catch (error) {
        throw error instanceof PlannerError ? told(error) : error;
      }
    };
    return context.bindText(() => this.#bindTree(member, named, use), bindPlaced, told);
  }

  #bindTree(member: CubeMember, tree: Expression, use: Span): Expression {
    const { relation, binder } = this.base;
    const isMeasure = member.kind === "measure";
    const findings: Findings = { aggregates: false, windows: false };
    const scope = new MemberScope(relation, {
      measure: (parts) => {
        const measure = this.cube.measureOf(parts);
        findings.aggregates ||= measure !== undefined;
        return measure && this.#measure(measure, use);
      },
      dimension: (parts) => {
        const [name, ...others] = parts;
        const dimension = isMeasure && name && others.length === 0 ? this.cube.dimensionNamed(name) : undefined;
        return dimension && this.#bind(dimension, use);
      },
    });
    const bound = bindIn(tree, {
      binder: { ...binder, bindQuery: refuseQuery },
      scope,
      clause: { name: `a cube's ${member.kind}`, aggregates: isMeasure, windows: false },
      findings,
    });
    if (isMeasure) checkMeasure(bound, findings, relation);
    else checkDimension(bound);
    const declared = binder.context.manifest.typeOf(member.data.type);
    // A time dimension stays the column that filters find an index by.
    const isKept = member.kind === "time dimension" && !isUnknown(typeOf(bound));
    return isKept || isUnknown(declared) ? bound : asDeclared(bound, declared);
  }

  /** A measure that another one names. */
  #measure(measure: CubeMember, use: Span): Expression {
    let bound = this.#measures.get(measure);
    if (bound === undefined) {
      bound = this.#bind(measure, use);
      this.#measures.set(measure, bound);
    }
    return bound;
  }
}

interface Members {
  measure(parts: readonly Identifier[]): Expression | undefined;
  dimension(parts: readonly Identifier[]): Expression | undefined;
}

/** Names in a member's expression: measures, columns and paths of the base, and inside aggregates dimensions too. */
class MemberScope extends Scope {
  readonly #members: Members;

  constructor(base: Relation, members: Members) {
    super(undefined, new Map());
    this.namespace = { relations: [base], merged: [] };
    this.#members = members;
  }

  override resolve(parts: readonly Identifier[], span: Span): Expression {
    const here =
      this.#members.measure(parts) ??
      this.resolveHere(parts, span) ??
      this.throughHandles(parts, span) ??
      this.#members.dimension(parts);
    if (here !== undefined) return here;
    const name = parts.map((part) => part.name).join(".");
    // No near names: those of hidden columns are among them.
    throw new PlannerError("COLUMN_NOT_FOUND", `"${name}" is not known`, { span });
  }
}

function refuseQuery(query: Query): never {
  throw new PlannerError("INVALID_QUERY", "a subquery is not allowed in a member of a cube", { span: query.span });
}

function checkMeasure(bound: Expression, findings: Findings, base: Relation): void {
  new Grouping([], new ExpressionSet([]), [base]).checked(bound);
  if (findings.aggregates) return;
  throw new PlannerError("INVALID_QUERY", "a measure aggregates: it holds no aggregate function", {
    span: bound.span,
    hint: "Write sum(…), count(*) or another aggregate, or make it a dimension.",
  });
}

function checkDimension(bound: Expression): void {
  const span = bound.span;
  if (!someExpression(bound, (each) => each.kind === "bound")) {
    throw new PlannerError("INVALID_QUERY", "a dimension is computed from columns: it names none", { span });
  }
  if (someExpression(bound, isRandom)) {
    throw new PlannerError("INVALID_QUERY", "a dimension cannot be another value each time it is computed", { span });
  }
}

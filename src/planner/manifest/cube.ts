/**
 * Cubes: named dimensions and measures over a model or a view (docs/spec/planner.md#cubes). Errors in the cube
 * itself are thrown when a query names the cube, errors in a member when a query needs that member.
 */
import { PlannerError } from "../diagnostics.ts";
import { replaceAggregates } from "../functions/calls.ts";
import { DEFAULT_LIMITS, MAX_PLACED_NODES } from "../limits.ts";
import { parseExpression } from "../syntax/parser.ts";
import { expressionsOnly, mapExpression } from "../syntax/rewrite.ts";
import { sizeOf } from "../syntax/size.ts";
import { withoutSpans } from "../syntax/spans.ts";
import type { ColumnReference, Expression, Identifier, Span } from "../syntax/tree.ts";
import type { SqlType } from "../types.ts";
import type { Annotated } from "./annotations.ts";
import type { CubeData, CubeMemberData } from "./data.ts";
import { dividedAsDeclared } from "./declared-division.ts";
import { modellersFault } from "./faults.ts";
import type { Model } from "./model.ts";
import type { View } from "./view.ts";

/** The parts of a manifest that its cubes use. */
export interface CubeManifest {
  model(name: string): Model | undefined;
  view(name: string): View | undefined;
  typeOf(text: string): SqlType;
}

export interface CubeMember {
  readonly name: string;
  readonly kind: "dimension" | "time dimension" | "measure";
  readonly data: CubeMemberData;
}

/** The expression of a cube member: names of the base, with names of measures replaced by their expressions. */
export interface MemberExpression {
  /** `expression` with a name for each measure in it (`Cube.measureOf`): each is bound by itself, as the type it declares. */
  readonly named: Expression;
  /** Has no spans: its text is not part of the caller's SQL. */
  readonly expression: Expression;
  /** `named` with positions in the member's text, for error messages. */
  readonly placed: Expression;
  /** The measures that the text names. */
  readonly measures: readonly CubeMember[];
  /** Nodes, those of the measures in it included. */
  readonly size: number;
}

interface AnalysedMember extends MemberExpression {
  /** Nesting depth of measures. */
  readonly depth: number;
}

export class Cube {
  readonly name: string;
  /** Time dimensions, dimensions, measures: the order of `*` and of structured queries (docs/spec/planner.md#cubes). */
  readonly members: readonly CubeMember[];
  readonly #data: CubeData;
  readonly manifest: CubeManifest;
  readonly #byName: ReadonlyMap<string, CubeMember>;
  readonly #analysed = new Map<CubeMember, AnalysedMember>();
  readonly #measures = new WeakMap<readonly Identifier[], CubeMember>();

  /** Throws MANIFEST_DUPLICATE for names, MANIFEST_SCHEMA for hierarchies. */
  constructor(data: CubeData, manifest: CubeManifest) {
    this.name = data.name;
    this.#data = data;
    this.manifest = manifest;
    const members = (kind: CubeMember["kind"], list: readonly CubeMemberData[]): readonly CubeMember[] =>
      list.map((member) => ({ name: member.name, kind, data: member }));
    this.members = [
      ...members("time dimension", data.timeDimensions),
      ...members("dimension", data.dimensions),
      ...members("measure", data.measures),
    ];
    const byName = new Map<string, CubeMember>();
    for (const member of this.members) {
      if (byName.has(member.name)) {
        throw new PlannerError("MANIFEST_DUPLICATE", `cube "${data.name}" names "${member.name}" more than once`, {
          hint: "Dimensions, time dimensions and measures of a cube share one name space.",
        });
      }
      byName.set(member.name, member);
    }
    this.#byName = byName;
    for (const { name, levels } of data.hierarchies) {
      const wrong = levels.find((level) => (byName.get(level)?.kind ?? "measure") === "measure");
      if (wrong === undefined) continue;
      throw new PlannerError(
        "MANIFEST_SCHEMA",
        `cube "${data.name}": level "${wrong}" of hierarchy "${name}" is neither a dimension nor a time dimension`,
      );
    }
  }

  get annotations(): Annotated | undefined {
    return this.#data.annotations;
  }

  /** The model or view that the cube is computed over. Throws MANIFEST_SOURCE, and errors of the base. */
  base(): Model | View {
    const { baseObject } = this.#data;
    const base = this.manifest.model(baseObject) ?? this.manifest.view(baseObject);
    if (base !== undefined) return base;
    throw new PlannerError(
      "MANIFEST_SOURCE",
      `cube "${this.name}" is based on "${baseObject}", which is neither a model nor a view`,
    );
  }

  /** The member of exactly this name. */
  member(name: string): CubeMember | undefined {
    return this.#byName.get(name);
  }

  /** Members whose names equal `name` without case. */
  membersLike(name: string): readonly CubeMember[] {
    const folded = name.toLowerCase();
    return this.members.filter((member) => member.name.toLowerCase() === folded);
  }

  /** The dimension or time dimension that a name in a measure's expression means. */
  dimensionNamed(name: Identifier): CubeMember | undefined {
    const member = this.#named(name);
    return member?.kind === "measure" ? undefined : member;
  }

  /** The measure that a name in `MemberExpression.named` means: by identity, for a column of the base may have its name. */
  measureOf(parts: readonly Identifier[]): CubeMember | undefined {
    return this.#measures.get(parts);
  }

  /**
   * Throws MANIFEST_EXPRESSION, MANIFEST_CYCLE, LIMIT_SIZE, LIMIT_DEPTH, with member and position; `use` as in `fault`.
   */
  expressionOf(member: CubeMember, use: Span): MemberExpression {
    return this.#expressionOf(member, [], use);
  }

  /** An error in the text of a member, reported at `use`, where the query names the member. */
  fault(member: CubeMember, error: PlannerError, use: Span): PlannerError {
    const place = error.span && `at character ${error.span.start + 1} of its expression`;
    // Members see hidden columns of the base, so suggestions could reveal them to the caller.
    const told = error.reason === "COLUMN_NOT_FOUND" ? new PlannerError(error.reason, error.message) : error;
    return modellersFault(`${member.kind} "${member.name}" of cube "${this.name}"`, told, { place, use });
  }

  #expressionOf(member: CubeMember, trail: readonly CubeMember[], use: Span): AnalysedMember {
    let known = this.#analysed.get(member);
    if (known === undefined) {
      known = this.#analyse(member, trail, use);
      this.#analysed.set(member, known);
    }
    return known;
  }

  #analyse(member: CubeMember, trail: readonly CubeMember[], use: Span): AnalysedMember {
    const steps = [...trail, member];
    if (trail.includes(member)) {
      const cycle = steps.slice(steps.indexOf(member)).map(({ name }) => name);
      throw new PlannerError(
        "MANIFEST_CYCLE",
        `circular dependency detected in measure expressions of cube "${this.name}": ${cycle.join(" → ")}`,
        { span: use },
      );
    }
    if (steps.length > DEFAULT_LIMITS.depth) throw this.#tooDeep(steps.length);
    const parsed = this.#parse(member, use);
    const measures = new Set<CubeMember>();
    let inlined = 0;
    let depth = 1;
    const inline = (name: ColumnReference): Expression => {
      const measure = this.#measureNamed(name);
      if (measure === undefined) return name;
      measures.add(measure);
      const other = this.#expressionOf(measure, steps, use);
      inlined += other.size;
      depth = Math.max(depth, other.depth + 1);
      return other.expression;
    };
    const refer = (name: ColumnReference): Expression => {
      const measure = this.#measureNamed(name);
      if (measure === undefined) return name;
      const parts = [...name.parts];
      this.#measures.set(parts, measure);
      return { ...name, parts };
    };
    const replaced = (expression: Expression, replace: (name: ColumnReference) => Expression): Expression =>
      member.kind === "measure" ? outsideAggregates(expression, replace) : expression;
    const bare = withoutSpans(parsed);
    const expression = replaced(bare, inline);
    const declared = this.manifest.typeOf(member.data.type);
    const named = dividedAsDeclared(replaced(bare, refer), declared);
    const placed = dividedAsDeclared(replaced(parsed, refer), declared);
    const size = sizeOf(parsed) + inlined;
    if (size > MAX_PLACED_NODES) {
      throw new PlannerError("LIMIT_SIZE", `measure "${member.name}" of cube "${this.name}" names too many measures`);
    }
    // The measures below may have been analysed separately before.
    if (depth > DEFAULT_LIMITS.depth) throw this.#tooDeep(depth);
    return { expression, named, placed, measures: [...measures], size, depth };
  }

  #tooDeep(steps: number): PlannerError {
    return new PlannerError("LIMIT_DEPTH", `measures of cube "${this.name}" need each other over ${steps} steps`);
  }

  #parse(member: CubeMember, use: Span): Expression {
    try {
      return parseExpression(member.data.expression, { limits: DEFAULT_LIMITS });
    } catch (error) {
      throw error instanceof PlannerError ? this.fault(member, error, use) : error;
    }
  }

  #measureNamed({ parts }: ColumnReference): CubeMember | undefined {
    const [name, ...others] = parts;
    const member = name === undefined || others.length > 0 ? undefined : this.#named(name);
    return member?.kind === "measure" ? member : undefined;
  }

  /** Exact, else the only one without case for unquoted names (docs/decisions/0017-names-without-case.md). */
  #named(name: Identifier): CubeMember | undefined {
    const exact = this.#byName.get(name.name);
    if (exact !== undefined || name.quoted) return exact;
    const [like, ...others] = this.membersLike(name.name);
    return others.length === 0 ? like : undefined;
  }
}

/**
 * Replaces names outside aggregates. Inside an aggregate a measure has no meaning, so a name is a column's:
 * `SUM(price)` may be called `price` (docs/spec/planner.md#models, 24).
 */
function outsideAggregates(expression: Expression, replace: (name: ColumnReference) => Expression): Expression {
  const aggregates = new Set<Expression>();
  const canonical = replaceAggregates(expression, (call) => {
    aggregates.add(call);
    return call;
  });
  const visit = (node: Expression): Expression =>
    node.kind === "column" ? replace(node) : aggregates.has(node) ? node : mapExpression(node, mapper);
  const mapper = expressionsOnly(visit);
  return visit(canonical);
}

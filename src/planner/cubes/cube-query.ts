/**
 * A structured query over a cube as a tree of the input language (docs/spec/planner.md#cubes): `SELECT … FROM cube WHERE … GROUP
 * BY …` over the cube's members, which binding turns into one over the cube's base. No text is made, so that neither names
 * nor values can mean anything but themselves.
 */

import type { MemberDenials } from "../access/cube-members.ts";
import type { BindingContext } from "../binding/context.ts";
import { denialsBeforeBinding } from "../binding/cube-denials.ts";
import { PlannerError, type PlannerWarning } from "../diagnostics.ts";
import type { Cube, CubeMember } from "../manifest/cube.ts";
import { plainDigits } from "../plain-digits.ts";
import { nearestNames } from "../suggest.ts";
import { all, binary, call, exactName, isNull, queryOf, selectOf, text } from "../syntax/build.ts";
import type { BinaryOperator, Expression, Query, SelectExpression, SortItem, Span } from "../syntax/tree.ts";
import { boundsOf } from "./date-range.ts";
import {
  type Filter,
  readStructuredQuery,
  type Scalar,
  type StructuredQuery,
  type TimeDimension,
} from "./structured-query.ts";

/**
 * Paths in a structured query, for errors. A span of the tree is the index of a path, so that an error of binding maps
 * back to the request.
 */
export class Places {
  readonly #paths: string[] = [];

  at(path: string): Span {
    const start = this.#paths.push(path) - 1;
    return { start, end: start + 1 };
  }

  /** The error, with the path in the request that it is about. */
  placed(error: PlannerError): PlannerError {
    const path = error.span && this.#paths[error.span.start];
    if (path === undefined) return error;
    return new PlannerError(error.reason, `${path}: ${error.message}`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      suggestions: error.suggestions,
      liftedBy: error.liftedBy,
      quotesManifest: error.quotesManifest,
    });
  }

  /** The warning without its span, which has no meaning outside; the message names its subject. */
  unplaced({ span: _, ...warning }: PlannerWarning): PlannerWarning {
    return warning;
  }
}

/** The tree of `json`. Throws CUBE_INVALID_QUERY, CUBE_NOT_FOUND, CUBE_FIELD_NOT_FOUND, and errors of the cube. */
export function cubeQuery(json: unknown, context: BindingContext, places: Places): Query {
  const { manifest, options } = context;
  const structured = readStructuredQuery(json);
  const cube = manifest.cube(structured.cube);
  if (cube === undefined) {
    const suggestions = nearestNames(structured.cube, manifest.cubeNames());
    throw new PlannerError("CUBE_NOT_FOUND", `cube "${structured.cube.slice(0, 200)}" not found`, {
      suggestions,
      ...(suggestions.length === 0 ? {} : { hint: `Did you mean "${suggestions[0]}"?` }),
    });
  }
  const denials = denialsBeforeBinding(cube, context);
  return new CubeQueryBuilder(cube, structured, { places, denials, conceals: options.conceals === true }).query();
}

class CubeQueryBuilder {
  readonly #cube: Cube;
  readonly #query: StructuredQuery;
  readonly #places: Places;
  readonly #denials: MemberDenials;
  readonly #conceals: boolean;
  readonly #span: Span;

  constructor(
    cube: Cube,
    query: StructuredQuery,
    {
      places,
      denials,
      conceals,
    }: { readonly places: Places; readonly denials: MemberDenials; readonly conceals: boolean },
  ) {
    this.#denials = denials;
    this.#conceals = conceals;
    this.#cube = cube;
    this.#query = query;
    this.#places = places;
    this.#span = places.at("cube");
  }

  query(): Query {
    const span = this.#span;
    const { measures, dimensions, timeDimensions, filters, limit, offset } = this.#query;
    const times = timeDimensions.flatMap((time, index) => this.#timeItem(time, index) ?? []);
    const keys = [
      ...times,
      ...dimensions.map((name, index) => this.#item(name, `cube.dimensions[${index}]`, "dimension")),
    ];
    const items = [...keys, ...measures.map((name, index) => this.#item(name, `cube.measures[${index}]`, "measure"))];
    const conditions = [
      ...timeDimensions.flatMap((time, index) => this.#range(time, index)),
      ...filters.map((filter, index) => this.#condition(filter, index)),
    ];
    const body = selectOf(
      {
        items,
        from: [{ kind: "table", name: [exactName(this.#cube.name, span)], alias: undefined, span }],
        where: all(conditions, { span }),
        groupBy:
          keys.length === 0
            ? undefined
            : keys.map((_, index) => ({ kind: "expression", expression: ordinal(index, span) })),
      },
      { span },
    );
    return queryOf(body, {
      orderBy: this.#orderBy(items, times.length),
      limit: limit === undefined ? undefined : { count: number(limit, span), withTies: false, span },
      offset: offset === undefined ? undefined : number(offset, span),
    });
  }

  #item(name: string, path: string, kind: "dimension" | "measure"): SelectExpression {
    const span = this.#places.at(path);
    const member = this.#member(name, path, (each) => (each.kind === "measure") === (kind === "measure"), kind);
    return { kind: "item", expression: column(member, span), alias: exactName(member.name, span), span };
  }

  #timeItem({ dimension, granularity }: TimeDimension, index: number): SelectExpression | undefined {
    const path = `cube.timeDimensions[${index}]`;
    const member = this.#timeDimension(dimension, path);
    if (granularity === undefined) return undefined;
    const span = this.#places.at(path);
    const expression = call("date_trunc", [text(granularity, { span }), column(member, span)], {
      span,
      type: undefined,
    });
    return { kind: "item", expression, alias: exactName(`${member.name}__${granularity}`, span), span };
  }

  #range({ dimension, dateRange }: TimeDimension, index: number): readonly Expression[] {
    if (dateRange === undefined) return [];
    const path = `cube.timeDimensions[${index}]`;
    const member = this.#timeDimension(dimension, path);
    const span = this.#places.at(`${path}.dateRange`);
    const isDate = this.#cube.manifest.typeOf(member.data.type).kind === "date";
    return boundsOf(...dateRange, isDate).map(({ operator, value }) =>
      binary(column(member, span), operator, text(value, { span }), { span, type: undefined }),
    );
  }

  #condition({ dimension, operator, values }: Filter, index: number): Expression {
    const path = `cube.filters[${index}]`;
    const span = this.#places.at(path);
    const operand = column(
      this.#member(dimension, `${path}.dimension`, () => true, "dimension or measure"),
      span,
    );
    const list = values.map((value) => literal(value, span));
    const [first] = list;
    switch (operator) {
      case "is_null":
      case "is_not_null":
        return isNull(operand, operator === "is_not_null");
      case "in":
      case "not_in":
        return { kind: "in-list", negated: operator === "not_in", operand, list, span };
      case "contains":
      case "starts_with": {
        const escaped = String(values[0]).replace(/[\\%_]/g, (each) => `\\${each}`);
        const pattern = text(operator === "contains" ? `%${escaped}%` : `${escaped}%`, { span });
        return { kind: "like", operator: "like", negated: false, operand, pattern, escape: undefined, span };
      }
      case "eq":
      case "neq":
      case "gt":
      case "gte":
      case "lt":
      case "lte":
        return binary(operand, COMPARISONS[operator], first ?? { kind: "null", span }, { span, type: undefined });
      default:
        return operator satisfies never;
    }
  }

  /** The requested order, or the time dimensions. */
  #orderBy(items: readonly SelectExpression[], times: number): readonly SortItem[] {
    const sort = (index: number, direction: SortItem["direction"], span: Span): SortItem => ({
      expression: ordinal(index, span),
      direction,
      nulls: undefined,
      span,
    });
    if (this.#query.orderBy.length === 0) {
      return items.slice(0, times).map((_, index) => sort(index, undefined, this.#span));
    }
    return this.#query.orderBy.map(({ member, direction }, index) => {
      const path = `cube.orderBy[${index}].member`;
      return sort(this.#selected(member, items, path), direction, this.#places.at(path));
    });
  }

  /** `order_date__month`, or `order_date` where it is selected once. */
  #selected(name: string, items: readonly SelectExpression[], path: string): number {
    const byName = items.findIndex((item) => item.alias?.name === name);
    if (byName >= 0) return byName;
    const byTime = items.flatMap(({ alias }, index) =>
      this.#query.timeDimensions.some(
        (time) => time.dimension === name && alias?.name === `${name}__${time.granularity}`,
      )
        ? [index]
        : [],
    );
    const [only, ...others] = byTime;
    if (only !== undefined && others.length === 0) return only;
    const selected = items.flatMap((item) => item.alias?.name ?? []);
    if (others.length === 0) this.#member(name, path, () => true, "member");
    throw new PlannerError(
      "CUBE_INVALID_QUERY",
      `${path}: "${name}" is selected ${others.length > 0 ? "more than once" : "nowhere"}`,
      { hint: `What can be ordered by is ${selected.map((each) => `"${each}"`).join(", ")}.` },
    );
  }

  #timeDimension(name: string, path: string): CubeMember {
    return this.#member(name, `${path}.dimension`, (each) => each.kind === "time dimension", "time dimension");
  }

  #member(name: string, path: string, fits: (member: CubeMember) => boolean, what: string): CubeMember {
    const named = this.#cube.member(name);
    const member = named === undefined || (this.#conceals && !this.#denials.shows(named)) ? undefined : named;
    if (member !== undefined && fits(member)) return member;
    const suggestions = nearestNames(
      name,
      this.#denials
        .shown()
        .filter(fits)
        .map((each) => each.name),
    );
    const shown = name.slice(0, 200);
    throw new PlannerError(
      "CUBE_FIELD_NOT_FOUND",
      member === undefined
        ? `${path}: cube "${this.#cube.name}" has no ${what} "${shown}"`
        : `${path}: "${shown}" is a ${member.kind} of cube "${this.#cube.name}", not a ${what}`,
      { suggestions, ...(suggestions.length === 0 ? {} : { hint: `Did you mean "${suggestions[0]}"?` }) },
    );
  }
}

const COMPARISONS: Readonly<Record<"eq" | "neq" | "gt" | "gte" | "lt" | "lte", BinaryOperator>> = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
};

function column({ name }: CubeMember, span: Span): Expression {
  return { kind: "column", parts: [exactName(name, span)], span };
}

function ordinal(index: number, span: Span): Expression {
  return { kind: "number", text: String(index + 1), span };
}

function number(value: number, span: Span): Expression {
  const digits = String(Math.abs(value));
  const number: Expression = { kind: "number", text: plainDigits(digits) ?? digits, span };
  return value < 0 ? { kind: "unary", operator: "-", operand: number, span } : number;
}

function literal(value: Scalar, span: Span): Expression {
  switch (typeof value) {
    case "string":
      return { kind: "string", value, span };
    case "boolean":
      return { kind: "boolean", value, span };
    case "number":
      return number(value, span);
    default:
      return value satisfies never;
  }
}

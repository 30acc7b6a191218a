/**
 * Binds operands once that a rewrite uses several times, if they are large. `CAST(text AS TIMESTAMP)` repeats its operand four
 * times on DuckDB: six nested ones were a plan of gigabytes. Small operands are repeated, because engines plan that best and
 * readers know it. A large one becomes the only element of an array that a lambda maps or a subquery reads.
 *
 * An operand that cannot be bound is repeated too, and the node budget of the plan limits the result.
 */
import type { BindingContext } from "../binding/context.ts";
import { functionName, isAggregateCall } from "../functions/calls.ts";
import { findFunction } from "../functions/catalogue.ts";
import { call, exactName, inPlaceOf, values } from "../syntax/build.ts";
import { expressionsOnly, mapExpression } from "../syntax/rewrite.ts";
import type { Call, Cast, Expression, Select, Spelled } from "../syntax/tree.ts";
import { children, type SyntaxNode, someChild, someExpression, someNode, walk } from "../syntax/walk.ts";
import { typeOrUnknown } from "../types.ts";
import { LONG_NUMERIC } from "./numbers/long-decimals.ts";
import type { Target } from "./target.ts";
import { holdsQuery } from "./templates/template.ts";

/** Maximum nodes of an operand that is repeated. */
const REPEATED_NODES = 120;

/** Maximum depth below a rewritten node of the parts that its rewrite may have used. */
const DEEPEST_PART = 3;

/** `body`, in which `variable` replaces `operand`; dialects print it. No function of a caller has a blank in its name. */
export const BOUND_ONCE = "bound once";

/**
 * Result types that may be bound, because rewrites of the surrounding nodes only inspect the type. For decimals, intervals, JSON
 * and composite types they inspect the expression, which binding would hide. A decimal is bound below a cast that declares its
 * digits.
 */
const RESULTS: ReadonlySet<string> = new Set([
  "text",
  "boolean",
  "integer",
  "float",
  "date",
  "timestamp",
  "time",
  "uuid",
]);
const OPERANDS: ReadonlySet<string> = new Set([...RESULTS, "decimal"]);

/**
 * Decides where operands are bound. Excluded are places where equal expressions must be found again, such as grouping keys and
 * DISTINCT, and correlated subqueries, because lambdas of some engines cannot access their outer columns.
 */
export class OperandBinding {
  /** The SELECT whose clauses are being lowered, or whose rows are being sorted. */
  select: Select | undefined;
  #isInExpression = false;
  readonly #isOffered: boolean;
  readonly #isBySubquery: boolean;
  readonly #repeats: (node: Spelled) => boolean;
  readonly #access: BindingContext["access"];
  readonly #freshName: () => string;
  readonly #plainSelects = new Map<Select, boolean>();

  constructor({ rewrites }: Target, { drawsByChance, access }: BindingContext, freshName: () => string) {
    // A repeated random number is refused after lowering, wherever it is.
    this.#isOffered = rewrites.bindsOperands !== undefined && !drawsByChance;
    this.#isBySubquery = rewrites.bindsOperands === "by a subquery";
    this.#repeats = () => !rewrites.printsTemplatesBound;
    this.#access = access;
    this.#freshName = freshName;
  }

  /** Runs `work` for a query within the one that is being lowered. */
  inQuery<T>(work: () => T): T {
    const outer = this.select;
    try {
      return work();
    } finally {
      this.select = outer;
    }
  }

  /** Runs `work` for a query within an expression. */
  inExpression<T>(work: () => T): T {
    const outer = this.#isInExpression;
    this.#isInExpression = true;
    try {
      return work();
    } finally {
      this.#isInExpression = outer;
    }
  }

  /** Runs `work` for the condition of a join, where a subquery hides an equality that the engine joins by. */
  inCondition<T>(work: () => T): T {
    return this.#isBySubquery ? this.inExpression(work) : work();
  }

  /** The result of rewriting `node`, with its repeated large operands bound. */
  bound(node: Expression, made: Expression): Expression {
    return made === node || !this.#mayBind() ? made : this.#withBoundOperands(node, made);
  }

  /**
   * A tree over the arguments of a call, those of `places` repeated. Large ones of these are bound first, so that the rewrites of the tree
   * do not walk them.
   */
  overBound(node: Call, places: readonly number[], make: (parts: readonly Expression[]) => Expression): Expression {
    const parts = values(node);
    const isBound = (part: Expression, place: number): boolean =>
      places.includes(place) &&
      OPERANDS.has(typeOrUnknown(part).kind) &&
      isLarge(part, this.#repeats) &&
      isBindable(part);
    if (!this.#mayBind() || !parts.some(isBound)) return make(parts);
    const variables = parts.map((part, place) => (isBound(part, place) ? variableFor(part, this.#freshName()) : part));
    const made = make(variables);
    if (!RESULTS.has(typeOrUnknown(made).kind) || !isBindable(made)) return make(parts);
    return parts.reduce((body, part, place) => {
      const variable = variables[place] ?? part;
      return variable === part ? body : call(BOUND_ONCE, [part, variable, body], inPlaceOf(made));
    }, made);
  }

  /** Whether an argument of a call is too large to be repeated, and cannot be bound. */
  repeatsLarge(node: Call): boolean {
    return !this.#mayBind() && values(node).some((part) => isLarge(part, this.#repeats));
  }

  #mayBind(): boolean {
    if (!this.#isOffered || this.#isInExpression) return false;
    // BigQuery does not document when it computes a subquery's array: no value that an access rule excludes may raise there.
    return !(this.#isBySubquery && this.#access.restricts) && this.#isPlainSelect();
  }

  #withBoundOperands(node: Expression, made: Expression): Expression {
    if (made.kind === "cast" && isDeclared(made)) {
      const operand = this.#withRepeatedBound(node, made.operand);
      return operand === made.operand ? made : { ...made, operand };
    }
    if (RESULTS.has(typeOrUnknown(made).kind)) return this.#withRepeatedBound(node, made);
    // A cast around the subquery tells rewrites the digits of its decimals.
    if (!this.#isBySubquery || node.kind !== "cast" || !isDeclared(node)) return made;
    const operand = this.#withRepeatedBound(node, made);
    return operand === made ? made : { ...node, operand };
  }

  #withRepeatedBound(node: Expression, made: Expression): Expression {
    const parts = new Set<Expression>();
    this.#collectLargeParts(node, DEEPEST_PART, parts);
    if (parts.size === 0) return made;
    const bindable = repeated(made, parts).filter((part) => !this.#isBySubquery || isBindable(part));
    return bindable.reduce((body, part) => bound(part, body, this.#freshName), made);
  }

  /** Innermost last: where a part is bound, its own parts occur once. */
  #collectLargeParts(node: Expression, depth: number, parts: Set<Expression>): void {
    for (const child of computedParts(node)) {
      if (isSingle(child) || !isLarge(child, this.#repeats)) continue;
      parts.add(child);
      if (depth > 1 && LOOKED_THROUGH.has(child.kind)) this.#collectLargeParts(child, depth - 1, parts);
    }
  }

  #isPlainSelect(): boolean {
    const { select } = this;
    if (select === undefined) return true;
    let isPlain = this.#plainSelects.get(select);
    if (isPlain === undefined) {
      const { groupBy, having, distinct, items } = select;
      const isGrouped = groupBy !== undefined || having !== undefined || distinct !== undefined;
      isPlain =
        !isGrouped && !items.some((item) => item.kind === "item" && someExpression(item.expression, isAggregate));
      this.#plainSelects.set(select, isPlain);
    }
    return isPlain;
  }
}

const isAggregate = (node: Expression): boolean =>
  node.kind === "call" && isAggregateCall(node, findFunction(functionName(node)));

/** Rewrites that inspect such a cast do not inspect its operand. */
const isDeclared = ({ typeName: { name, parameters } }: Cast): boolean =>
  parameters.length > 0 || name === LONG_NUMERIC;

/** The parts of a call to `BOUND_ONCE`, for the printers. */
export function boundOnce({ arguments: [operand, variable, body] }: Call): {
  readonly operand: Expression;
  readonly variable: Expression;
  readonly body: Expression;
} {
  if (!operand || !variable || !body) throw new TypeError("an operand is bound in a body");
  return { operand: operand.value, variable: variable.value, body: body.value };
}

/**
 * A rewrite may use the operand of one of these nodes. Below other nodes it is unknown which parts are computed conditionally.
 */
const LOOKED_THROUGH: ReadonlySet<Expression["kind"]> = new Set([
  "cast",
  "unary",
  "extract",
  "collate",
  "at-time-zone",
]);

/**
 * The parts that are computed whenever the node is. A bound operand is always computed, and a part that a condition guards may
 * raise.
 */
function computedParts(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "case":
    case "logical":
    case "in-list":
    case "quantified":
      return children(node).slice(0, 1);
    case "between":
      return [node.operand, node.low];
    case "call":
      if (CHOOSING.has(functionName(node))) return children(node).slice(0, 1);
      return node.over === undefined ? children(node) : [];
    default:
      return children(node);
  }
}

/** Functions that compute later arguments only if the first is NULL, or by a condition. */
const CHOOSING: ReadonlySet<string> = new Set(["coalesce", "ifnull", "nullif", "nvl", "if", "iff"]);

const isSingle = ({ kind }: Expression): boolean => kind === "bound" || kind === "number" || kind === "string";

/** Whether a node is too large to be repeated. Parts of the templates that `repeats` accepts count as often as they occur. */
export function isLarge(node: SyntaxNode, repeats: (node: Spelled) => boolean): boolean {
  let nodes = 0;
  const see = (each: SyntaxNode): boolean => {
    if (++nodes > REPEATED_NODES || someChild(each, see)) return true;
    return each.kind === "spelled" && repeats(each) && repeatedParts(each).some(see);
  };
  return see(node);
}

const repeatedParts = ({ template, parts }: Spelled): readonly Expression[] =>
  template.repeated.flatMap((place) => parts[place] ?? []);

/** The parts that occur in `made` more than once, and not only because a larger one does. */
function repeated(made: Expression, parts: ReadonlySet<Expression>): readonly Expression[] {
  const counts = new Map<SyntaxNode, number>();
  const visits = new Map<SyntaxNode, number>();
  const visit = (each: SyntaxNode): boolean => {
    if (each.kind === "spelled") {
      // After two visits everything inside is counted twice: more would multiply with the nesting.
      const visited = visits.get(each) ?? 0;
      if (visited === 2) return false;
      visits.set(each, visited + 1);
      for (const part of repeatedParts(each)) walk(part, visit);
    }
    if (each.kind === "query" || !parts.has(each as Expression)) return true;
    const count = (counts.get(each) ?? 0) + 1;
    counts.set(each, count);
    // Its own parts count once, however often it stands there.
    return count === 1;
  };
  walk(made, visit);
  return [...parts].filter((part) => (counts.get(part) ?? 0) > 1);
}

function bound(operand: Expression, made: Expression, freshName: () => string): Expression {
  if (!OPERANDS.has(typeOrUnknown(operand).kind)) return made;
  const variable = variableFor(operand, freshName());
  const replaced = (each: Expression): Expression => (each === operand ? variable : mapExpression(each, mapper));
  const mapper = expressionsOnly(replaced);
  const body = replaced(made);
  return isBindable(body) ? call(BOUND_ONCE, [operand, variable, body], inPlaceOf(made)) : made;
}

const variableFor = ({ span, type }: Expression, name: string): Expression => ({
  kind: "column",
  parts: [exactName(name, span)],
  span,
  ...(type !== undefined && { type }),
});

/** Lambdas and binding subqueries contain neither queries nor windows. If the operand also occurs in a query, the body contains one. */
function isBindable(body: Expression): boolean {
  return !someNode(
    body,
    (each) => each.kind === "query" || holdsQuery(each) || (each.kind === "call" && each.over !== undefined),
  );
}

/**
 * Differences of timestamps for targets without intervals: numbers of microseconds. PostgreSQL's difference has days of 24 hours and the
 * rest as a time, so the number alone says what an answer shows; `connectors/time-lengths.ts` makes intervals of it. Sums and averages
 * add days and times apart and are shown by their parts, so only their comparison and their epoch become numbers, also where a subquery
 * selects them. Everything else about intervals stays, and is refused where it is lowered.
 */
import type { BindingContext } from "../../binding/context.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { intervalParts } from "../../intervals.ts";
import { countStep } from "../../plan-budget.ts";
import { binary, call, cast, decimal, inPlaceOf, integer, typed, values, withArguments } from "../../syntax/build.ts";
import { expressionsOnly, mapExpression } from "../../syntax/rewrite.ts";
import type { Binary, Call, Expression, Extract, Query, QueryBody, SelectItem } from "../../syntax/tree.ts";
import { children } from "../../syntax/walk.ts";
import { BIGINT, NUMERIC, typeOrUnknown } from "../../types.ts";
import { isDateOrTimestamp } from "./time-arithmetic.ts";

const MICROSECONDS_OF_DAY = 86_400_000_000n;

/** Functions that return one of their arguments, or NULL. */
const CHOOSING: ReadonlySet<string> = new Set(
  "min max any_value lag lead first_value last_value nth_value coalesce ifnull greatest least nullif".split(" "),
);

const isInterval = (node: Expression): boolean => typeOrUnknown(node).kind === "interval";
const isNull = (node: Expression): boolean => typeOrUnknown(node).kind === "null";

/** The difference of two timestamps, dates or times of day as it is written. */
const isWritten = (node: Expression): node is Binary =>
  node.kind === "binary" &&
  node.operator === "-" &&
  isInterval(node) &&
  ((isDateOrTimestamp(node.left) && isDateOrTimestamp(node.right)) ||
    (typeOrUnknown(node.left).kind === "time" && typeOrUnknown(node.right).kind === "time"));

export class TimeLengths {
  /** Intervals below nodes that have no form for numbers. */
  readonly #kept = new Set<Expression>();
  readonly #columns = new Map<unknown, boolean>();
  readonly #totals = new Map<unknown, boolean>();
  readonly #query: Query;
  readonly #occurs: Pick<BindingContext, "hasIntervals">;
  #areTotalsNumbers: boolean | undefined;

  /** `query`: the statement. `occurs`: says whether any interval has been bound. */
  constructor(query: Query, occurs: Pick<BindingContext, "hasIntervals">) {
    this.#query = query;
    this.#occurs = occurs;
  }

  /** Whether sums and averages become numbers where a subquery selects them: no column of the answer is one. */
  #numbersTotals(): boolean {
    this.#areTotalsNumbers ??= itemsOf(this.#query.body).every(
      (item) => item.kind === "item" && (!isInterval(item.expression) || this.#isLength(item.expression)),
    );
    return this.#areTotalsNumbers;
  }

  /** The bound node, before its children are lowered, with the lengths in it as numbers where it has a form for these. */
  rewritten(node: Expression): Expression {
    if (!this.#occurs.hasIntervals) return node;
    if (this.#kept.has(node)) {
      // The query that makes the column already has a number for it.
      if ((node.kind === "bound" || node.kind === "scalar-query") && (this.#isLength(node) || this.#isTotal(node))) {
        throw unsupported(
          "an interval as a value",
          node.span,
          "Use extract(epoch FROM a - b), and compute with seconds.",
        );
      }
      this.#keep(node);
      return node;
    }
    if (isInterval(node)) {
      const number = this.#lengthOf(node) ?? (this.#isTotal(node) ? this.#total(node) : undefined);
      if (number === undefined) this.#keep(node);
      return number ?? node;
    }
    if (!hasInterval(node)) return node;
    const made = this.#ofNode(node);
    if (made === node && !this.#takesAny(node)) this.#keep(node);
    return made;
  }

  #keep(node: Expression): void {
    for (const child of operandsOf(node)) if (isInterval(child)) this.#kept.add(child);
  }

  /** Whether a node means the same over numbers. */
  #takesAny(node: Expression): boolean {
    if (node.kind === "is") return true;
    if (node.kind !== "call") return false;
    return node.over?.frame === undefined && functionName(node) === "count";
  }

  #ofNode(node: Expression): Expression {
    switch (node.kind) {
      case "binary":
      case "between":
      case "in-list": {
        const sides = children(node);
        if (typeOrUnknown(node).kind !== "boolean" || !sides.every((each) => isInterval(each) || isNull(each)))
          return node;
        const compared = new Map(sides.map((each) => [each, isNull(each) ? each : this.#comparable(each)]));
        if ([...compared.values()].includes(undefined)) return node;
        return mapExpression(
          node,
          expressionsOnly((each) => compared.get(each) ?? each),
        );
      }
      case "extract":
        return this.#part(node);
      default:
        return node;
    }
  }

  /** A side of a comparison: a month of a literal has thirty days, as in PostgreSQL. */
  #comparable(node: Expression): Expression | undefined {
    if (node.kind !== "interval") return this.#lengthOf(node) ?? this.#total(node);
    const parts = intervalParts(node);
    if (parts === undefined) return undefined;
    return microseconds(BigInt(parts.months * 30 + parts.days) * MICROSECONDS_OF_DAY + parts.microseconds, node);
  }

  /** Whether the node is a sum or an average of lengths that becomes a number wherever it is selected. */
  #isTotal(node: Expression): boolean {
    countStep();
    if (!this.#numbersTotals() || !isInterval(node)) return false;
    switch (node.kind) {
      case "call":
        return this.#aggregated(node) !== undefined;
      case "bound": {
        const { column } = node;
        const known = this.#totals.get(column);
        if (known !== undefined) return known;
        this.#totals.set(column, false);
        const { origins = [] } = column;
        const isTotal = origins.length > 0 && origins.every((each) => this.#isTotal(each));
        this.#totals.set(column, isTotal);
        return isTotal;
      }
      case "scalar-query": {
        const item = itemOf(node.query);
        return item !== undefined && this.#isTotal(item);
      }
      default:
        return false;
    }
  }

  /** The number of microseconds of a sum or an average of lengths. */
  #total(node: Expression): Expression | undefined {
    if (node.kind === "call") return this.#aggregated(node);
    return this.#isTotal(node) ? ({ ...node, type: NUMERIC } as Expression) : undefined;
  }

  #aggregated(node: Call): Expression | undefined {
    if (!/^(sum|avg)$/.test(functionName(node))) return undefined;
    const [value, ...others] = values(node);
    const length = value && this.#lengthOf(value);
    if (length === undefined || others.length > 0) return undefined;
    const total = { ...withArguments(node, [length]), type: NUMERIC };
    return functionName(node) === "sum" ? total : call("round", [total], typed(NUMERIC, node));
  }

  /** Fields of a length: days, and the hours, minutes and seconds beyond them. */
  #part(node: Extract): Expression {
    const { operand, field } = node;
    if (isWritten(operand) && (field === "epoch" || field === "day")) return this.#partOfWritten(node);
    const sum = field === "epoch" ? this.#total(operand) : undefined;
    const length = sum ?? this.#lengthOf(operand);
    if (length === undefined) return node;
    const place = typed(BIGINT, node);
    const whole = (value: Expression, operator: "/" | "%", by: bigint): Expression =>
      binary(value, operator, microseconds(by, node), place);
    const fraction = (value: Expression, unit: string): Expression =>
      binary(value, "*", decimal(unit, node), inPlaceOf(node));
    switch (field) {
      case "epoch":
        return fraction(length, "0.000001");
      case "day":
        return cast(whole(length, "/", MICROSECONDS_OF_DAY), "bigint", inPlaceOf(node));
      case "hour":
        return cast(whole(whole(length, "%", MICROSECONDS_OF_DAY), "/", 3_600_000_000n), "bigint", inPlaceOf(node));
      case "minute":
        return cast(whole(whole(length, "%", 3_600_000_000n), "/", 60_000_000n), "bigint", inPlaceOf(node));
      case "second":
        return fraction(whole(length, "%", 60_000_000n), "0.000001");
      default:
        return node;
    }
  }

  /** Every target extracts the epoch and the days of a written difference. */
  #partOfWritten(node: Extract): Expression {
    // The node of the difference may have other places, where it is a number.
    const operand = { ...node.operand };
    this.#kept.add(operand);
    return { ...node, operand };
  }

  #lengthOf(node: Expression): Expression | undefined {
    if (!this.#isLength(node)) return undefined;
    return this.#number(node);
  }

  /** Works on bound nodes. */
  #isLength(node: Expression): boolean {
    countStep();
    if (!isInterval(node)) return false;
    switch (node.kind) {
      case "binary":
        return isWritten(node);
      case "bound": {
        const { column } = node;
        const known = this.#columns.get(column);
        if (known !== undefined) return known;
        // A column of a table has no expressions; one of a recursive table has itself among them.
        this.#columns.set(column, false);
        const { origins = [] } = column;
        const isLength = origins.length > 0 && origins.every((each) => this.#isLength(each));
        this.#columns.set(column, isLength);
        return isLength;
      }
      case "case": {
        const results = node.branches.map(({ then }) => then);
        return this.#areLengths(node.otherwise === undefined ? results : [...results, node.otherwise]);
      }
      case "call":
        return CHOOSING.has(functionName(node)) && this.#areLengths(chosenOf(node));
      case "scalar-query": {
        const item = itemOf(node.query);
        return item !== undefined && this.#isLength(item);
      }
      default:
        return false;
    }
  }

  #areLengths(nodes: readonly Expression[]): boolean {
    return nodes.some((each) => this.#isLength(each)) && nodes.every((each) => this.#isPart(each));
  }

  /** An alternative to a length. A literal is shown by its own parts: those that a difference would have. */
  #isPart(node: Expression): boolean {
    if (isNull(node)) return true;
    if (node.kind !== "interval") return this.#isLength(node);
    const parts = intervalParts(node);
    if (parts === undefined || parts.months !== 0) return false;
    const { days, microseconds: rest } = parts;
    const isShort = rest < MICROSECONDS_OF_DAY && rest > -MICROSECONDS_OF_DAY;
    return isShort && (days === 0 || rest === 0n || days > 0 === rest > 0n);
  }

  #number(node: Expression): Expression {
    const place = typed(BIGINT, node);
    switch (node.kind) {
      case "interval":
        return this.#comparable(node) ?? node;
      case "binary": {
        const at = { span: node.span, type: NUMERIC };
        const epoch = this.#partOfWritten({ kind: "extract", field: "epoch", operand: node, ...at });
        return cast(binary(epoch, "*", integer(1_000_000, node), typed(NUMERIC, node)), "bigint", place);
      }
      case "case": {
        const { branches, otherwise } = node;
        return {
          ...node,
          branches: branches.map((branch) => ({ ...branch, then: this.#number(branch.then) })),
          otherwise: otherwise && this.#number(otherwise),
          type: BIGINT,
        };
      }
      case "call": {
        const chosen = new Set(chosenOf(node));
        const numbers = values(node).map((each) => (chosen.has(each) ? this.#number(each) : each));
        return { ...withArguments(node, numbers), type: BIGINT };
      }
      case "null":
        return node;
      default:
        return { ...node, type: BIGINT } as Expression;
    }
  }
}

/** The items of a query's columns, of every branch of a set operation. */
function itemsOf(body: QueryBody): readonly SelectItem[] {
  if (body.kind === "set") return [...itemsOf(body.left), ...itemsOf(body.right)];
  if (body.kind === "nested") return itemsOf(body.query.body);
  return body.kind === "select" ? body.items : [];
}

/** The only column of a subquery. */
function itemOf({ body }: Query): Expression | undefined {
  const item = body.kind === "select" && body.items.length === 1 ? body.items[0] : undefined;
  return item?.kind === "item" ? item.expression : undefined;
}

/** Whether an operand is an interval: asked of every node, so without a list of the operands where there are few. */
function hasInterval(node: Expression): boolean {
  switch (node.kind) {
    case "number":
    case "string":
    case "bound":
    case "null":
      return false;
    case "binary":
      return isInterval(node.left) || isInterval(node.right);
    default:
      return operandsOf(node).some(isInterval);
  }
}

/** The parts that a node computes with. The sort keys and the window of a call take numbers as they take intervals. */
function operandsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "number":
    case "string":
    case "bound":
    case "null":
      return [];
    case "binary":
      return [node.left, node.right];
    case "call": {
      const { withinGroup, over } = node;
      const sorted = over?.frame?.unit === "range" ? over.orderBy : [];
      return [...values(node), ...[...withinGroup, ...sorted].map(({ expression }) => expression)];
    }
    default:
      return children(node);
  }
}

/** Arguments after an interval may be numbers of rows. */
const chosenOf = (node: Call): readonly Expression[] => values(node).filter((each) => isInterval(each) || isNull(each));

function microseconds(count: bigint, at: Expression): Expression {
  const digits: Expression = {
    kind: "number",
    text: String(count < 0n ? -count : count),
    span: at.span,
    type: BIGINT,
  };
  return count < 0n ? { kind: "unary", operator: "-", operand: digits, span: at.span, type: BIGINT } : digits;
}

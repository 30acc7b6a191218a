/**
 * Clauses where texts are ordered (docs/spec/language.md): ORDER BY, `<`, `min`. The order is that of the source's collation, which
 * is reported by a warning; or, for callers who want the same order on every source, that of code points.
 */
import type { BindingContext } from "../../binding/context.ts";
import { sameExpression } from "../../binding/same.ts";
import { functionName } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { columnOf, exactName, inPlaceOf, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import { NOWHERE } from "../../syntax/spans.ts";
import type {
  Call,
  DerivedTable,
  Expression,
  Query,
  QueryBody,
  SortItem,
  Span,
  TableAlias,
  Window,
} from "../../syntax/tree.ts";
import { isUnknown, type SqlType } from "../../types.ts";
import { outputColumnsOf } from "../queries/output-columns.ts";

/** The collations of a source's texts: the names of the one that compares code points, and of the default one. */
export interface Collations {
  readonly codePoints: string;
  readonly usual: string;
}

/**
 * `warn`: one warning per kind of comparison. `code points`: each comparison gets that order; where that is impossible, a
 * warning.
 */
export type TextOrderMode = "warn" | "code points";

/** Alias of the derived table around a query that can sort only by its own columns. */
const ALIAS = "_s";

const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

export class TextOrder {
  readonly #collations: Collations;
  readonly #mode: TextOrderMode;
  readonly #context: BindingContext;

  constructor(collations: Collations, mode: TextOrderMode, context: BindingContext) {
    this.#collations = collations;
    this.#mode = mode;
    this.#context = context;
  }

  /** The lowered expression with its comparisons in the requested order. */
  inside(node: Expression): Expression {
    switch (node.kind) {
      case "binary": {
        if (!COMPARISONS.has(node.operator)) return node;
        const [left = node.left, right = node.right] = this.#compared([node.left, node.right], node.operator, node);
        return { ...node, left, right };
      }
      case "between": {
        const sides = [node.operand, node.low, node.high];
        const [operand = node.operand, low = node.low, high = node.high] = this.#compared(sides, "BETWEEN", node);
        return { ...node, operand, low, high };
      }
      case "quantified": {
        if (!COMPARISONS.has(node.operator)) return node;
        const sides = node.array === undefined ? [node.operand] : [node.operand, node.array];
        const [operand = node.operand, array] = this.#compared(sides, node.operator, node);
        return { ...node, operand, array };
      }
      case "call":
        return this.#call(node);
      default:
        return node;
    }
  }

  /** The result of a call returns to the default collation: `lower(min(x))` would otherwise fold only ASCII letters. */
  outside(node: Expression): Expression {
    if (node.kind !== "call") return node;
    const given = node.arguments.map(({ value }) => value);
    const isValue = isTextual(node.type) || findFunction(functionName(node))?.orderedSet === "chosen";
    const parts = [...given, ...node.withinGroup.map((item) => item.expression)];
    return isValue && parts.some((part) => this.#isByCodePoints(part)) ? collated(node, this.#collations.usual) : node;
  }

  window(window: Window): Window {
    return { ...window, orderBy: window.orderBy.map((item) => this.#sortItem(item)) };
  }

  /** The lowered query with its ORDER BY, and DISTINCT ON, in the requested order. */
  query(query: Query): Query {
    const { body, orderBy } = query;
    if (!orderBy.some(({ expression }) => isTextual(expression.type) || mayBeText(expression.type))) return query;
    const plain = body.kind === "select" && (body.distinct === undefined || body.distinct.length > 0);
    if (!plain || orderBy.some(isPosition)) return this.#sortedOutside(query);
    const sorted = orderBy.map((item) => this.#sortItem(item));
    // DISTINCT ON requires ORDER BY to begin with exactly the same keys.
    const distinct = body.distinct?.map((key) => sorted[orderBy.findIndex(isOver(key))]?.expression ?? key);
    return { ...query, body: { ...body, distinct }, orderBy: sorted };
  }

  /**
   * DISTINCT and set operations sort by their own columns, and positions have no expression, so the order moves to an outer
   * query.
   */
  #sortedOutside(query: Query): Query {
    const { body, orderBy } = query;
    const columns = outputColumnsOf(body);
    const outer = orderBy.map((item): SortItem | undefined => {
      const own = columns[positionOf(item, body)];
      return own === undefined
        ? undefined
        : { ...item, expression: columnOf(ALIAS, own.name, inPlaceOf(item.expression)) };
    });
    if (outer.some((item) => item === undefined)) {
      for (const { expression } of orderBy) if (isTextual(expression.type)) this.#warn("ORDER BY", expression);
      return query;
    }
    const sorted = outer.flatMap((item) => (item === undefined ? [] : [this.#sortItem(item)]));
    if (!sorted.some(({ expression }) => this.#isByCodePoints(expression))) return query;
    const { span } = body;
    const alias: TableAlias = { name: exactName(ALIAS, span), columns: [] };
    const table: DerivedTable = { kind: "derived", query: queryOf(body), lateral: false, alias, span };
    const items = columns.map(({ name, type }) =>
      selectItem(columnOf(ALIAS, name, { span, type }), undefined, { span }),
    );
    return { ...query, body: selectOf({ items, from: [table] }, { span }), orderBy: sorted };
  }

  #sortItem(item: SortItem): SortItem {
    const [expression = item.expression] = this.#compared([item.expression], "ORDER BY", item.expression);
    return { ...item, expression };
  }

  #call(node: Call): Call {
    const name = functionName(node);
    const given = node.arguments.map(({ value }) => value);
    const compared = findFunction(name)?.compares === true ? this.#compared(given, name, node) : given;
    const orderBy = node.orderBy.map((item) => this.#sortItem(item));
    // DISTINCT requires exactly its argument as the sort key.
    const alike = (value: Expression): Expression =>
      (node.distinct ? orderBy[node.orderBy.findIndex(isOver(value))]?.expression : undefined) ?? value;
    return {
      ...node,
      arguments: node.arguments.map((argument, index) => ({
        ...argument,
        value: alike(compared[index] ?? argument.value),
      })),
      orderBy,
      withinGroup: node.withinGroup.map((item) => this.#sortItem(item)),
      over: node.over && this.window(node.over),
    };
  }

  /** `sides` of one comparison at `at`, collated if they are text. */
  #compared(sides: readonly Expression[], what: string, at: { readonly span: Span }): readonly Expression[] {
    const parts = sides.flatMap((side) => (side.kind === "row" ? side.elements : [side]));
    if (!parts.some(({ type }) => isTextual(type))) {
      if (parts.some(({ type }) => mayBeText(type))) this.#warn(what, at, UNKNOWN_TYPE);
      return sides;
    }
    if (!this.#canForce(at.span) || parts.some(({ type }) => type?.kind === "row")) {
      this.#warn(what, at);
      return sides;
    }
    const onlyLiterals = parts.every((part) => part.kind === "string");
    const inOrder = (side: Expression): Expression => {
      if (side.kind === "row") return { ...side, elements: side.elements.map(inOrder) };
      if (!isTextual(side.type) || (side.kind === "string" && !onlyLiterals)) return side;
      return collated(side, this.#collations.codePoints);
    };
    return sides.map(inOrder);
  }

  /**
   * A rule has the meaning that its author's source gives it, whatever the caller requests; so do the modeller's expressions,
   * because rules may use them.
   */
  #canForce(span: Span): boolean {
    return this.#mode === "code points" && (span !== NOWHERE || !this.#context.access.restricts);
  }

  #warn(what: string, { span }: { readonly span: Span }, hint?: string): void {
    const isManifests = span === NOWHERE;
    const subject = isManifests ? "an expression of the manifest" : what;
    const doubt = hint === UNKNOWN_TYPE ? "may put texts" : "puts texts";
    const message = `${subject} ${doubt} in the order of the source's collation`;
    const way = hint ?? (this.#mode === "warn" ? ASK : isManifests ? KEPT : WRITE_OUT);
    this.#context.warn("COLLATION_DEPENDENT", message, span, way);
  }

  #isByCodePoints(expression: Expression): boolean {
    return expression.kind === "collate" && expression.collation[0]?.name === this.#collations.codePoints;
  }
}

const ASK = "Send x-strict: true to have texts in the order of their code points.";
const UNKNOWN_TYPE = "Declare the type of the column, or write CAST(… AS text).";
const KEPT = "While access rules are active, what the manifest computes keeps the order of the source.";
const WRITE_OUT = "Sort by columns of a subquery, and compare texts one by one.";

function isTextual(type: SqlType | undefined): boolean {
  if (type?.kind === "array") return isTextual(type.element);
  return type?.kind === "text" || (type?.kind === "row" && type.fields.some((field) => isTextual(field.type)));
}

function mayBeText(type: SqlType | undefined): boolean {
  return type === undefined || isUnknown(type);
}

function collated(operand: Expression, collation: string): Expression {
  // The outermost COLLATE counts; an inner one is kept, because a GROUP BY key is matched with it.
  if (operand.kind === "collate" && operand.collation[0]?.name === collation) return operand;
  const { span, type } = operand;
  return { kind: "collate", operand, collation: [exactName(collation, span)], span, ...(type && { type }) };
}

function isOver(expression: Expression): (item: SortItem) => boolean {
  return (item) => sameExpression(item.expression, expression);
}

function isPosition({ expression }: SortItem): boolean {
  return expression.kind === "number" && isTextual(expression.type);
}

/** The position of a sort key among the body's columns; -1 if it is not one of them. */
function positionOf({ expression }: SortItem, body: QueryBody): number {
  if (expression.kind === "number") return Number(expression.text) - 1;
  if (body.kind !== "select") return -1;
  return body.items.findIndex((item) => item.kind === "item" && sameExpression(item.expression, expression));
}

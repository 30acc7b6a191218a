/** Predicates other than plain comparison operators: IS, LIKE, BETWEEN, IN, ANY, ALL, OVERLAPS. */
import type { Cursor } from "./cursor.ts";
import { parseParenthesised } from "./parentheses.ts";
import { LEVEL } from "./precedence.ts";
import type { TokenKind } from "./tokens.ts";
import type { Expression, Is, Like, Quantified, Row, Span } from "./tree.ts";

export function isQuantifier(kind: TokenKind): boolean {
  return kind === "any" || kind === "some" || kind === "all";
}

/** `IS [NOT] …` behind an operand; `undefined` (and nothing read) where a restricted expression ends before IS NULL. */
export function parseIs(
  cursor: Cursor,
  start: number,
  operand: Expression,
  restricted: boolean,
): Expression | undefined {
  const negated = cursor.peek(1) === "not";
  const kind = cursor.peek(negated ? 2 : 1);
  if (restricted && kind !== "distinct") {
    return undefined;
  }
  cursor.advance();
  if (negated) {
    cursor.advance();
  }
  if (cursor.accept("distinct")) {
    cursor.expect("from", "FROM after IS DISTINCT");
    const right = cursor.grammar.parseOperators(cursor, LEVEL.is + 1, restricted);
    const operator = negated ? "is not distinct from" : "is distinct from";
    return { kind: "binary", span: cursor.spanFrom(start), operator, left: operand, right };
  }
  const test: Is["test"] | undefined =
    kind === "null" || kind === "true" || kind === "false" || kind === "unknown" ? kind : undefined;
  if (test === undefined) {
    cursor.expected(
      `NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS${negated ? " NOT" : ""}`,
      negated ? "Write <> for inequality." : "Write = for equality.",
    );
  }
  cursor.advance();
  return { kind: "is", span: cursor.spanFrom(start), negated, operand, test };
}

/** LIKE, ILIKE, SIMILAR TO, BETWEEN or IN behind an operand; NOT has been read. */
export function parseRange(cursor: Cursor, start: number, operand: Expression, negated: boolean): Expression {
  const kind = cursor.kind;
  cursor.advance();
  switch (kind) {
    case "between":
      return parseBetween(cursor, start, operand, negated);
    case "in":
      return parseIn(cursor, start, operand, negated);
    case "similar":
      cursor.expect("to", "TO after SIMILAR");
      return parseLike(cursor, start, operand, negated, "similar");
    default:
      return parseLike(cursor, start, operand, negated, kind === "ilike" ? "ilike" : "like");
  }
}

function parseLike(
  cursor: Cursor,
  start: number,
  operand: Expression,
  negated: boolean,
  operator: Like["operator"],
): Expression {
  if (isQuantifier(cursor.kind)) {
    if (operator !== "similar") return parseQuantified(cursor, start, operand, negated ? `not ${operator}` : operator);
    cursor.fail(
      `SIMILAR TO ${cursor.word.toUpperCase()} is not part of the language`,
      "Write one SIMILAR TO per pattern, joined with OR or AND.",
    );
  }
  const pattern = cursor.grammar.parseOperators(cursor, LEVEL.range + 1, false);
  const escapeCharacter = cursor.accept("escape")
    ? cursor.grammar.parseOperators(cursor, LEVEL.range + 1, false)
    : undefined;
  const span = cursor.spanFrom(start);
  return { kind: "like", span, operator, negated, operand, pattern, escape: escapeCharacter };
}

function parseBetween(cursor: Cursor, start: number, operand: Expression, negated: boolean): Expression {
  const symmetric = cursor.accept("symmetric");
  if (!symmetric) {
    cursor.accept("asymmetric");
  }
  const low = cursor.grammar.parseRestricted(cursor);
  cursor.expect("and", "AND after the lower bound of BETWEEN", "Write BETWEEN low AND high.");
  const high = cursor.grammar.parseOperators(cursor, LEVEL.range + 1, false);
  return { kind: "between", span: cursor.spanFrom(start), negated, symmetric, operand, low, high };
}

function parseIn(cursor: Cursor, start: number, operand: Expression, negated: boolean): Expression {
  if (cursor.kind === "$session") {
    // The property is a whole list (`IN @keys`); binding replaces it with its elements.
    const list = [cursor.grammar.parsePrimary(cursor)];
    return { kind: "in-list", span: cursor.spanFrom(start), negated, operand, list };
  }
  if (cursor.kind !== "(") {
    cursor.expected(
      "'(' after IN",
      cursor.isName() ? "A list of values needs parentheses; for an array write = ANY (array)." : undefined,
    );
  }
  if (cursor.peek(1) === ")") {
    cursor.advance();
    cursor.fail("IN needs at least one value", "An empty list is never true: write FALSE.");
  }
  const content = parseParenthesised(cursor);
  const span = cursor.spanFrom(start);
  return Array.isArray(content)
    ? { kind: "in-list", span, negated, operand, list: content }
    : { kind: "in-query", span, negated, operand, query: content };
}

/** `ANY (…)`, `SOME (…)` or `ALL (…)` behind a comparison operator. */
export function parseQuantified(
  cursor: Cursor,
  start: number,
  operand: Expression,
  operator: Quantified["operator"],
): Expression {
  const quantifier = cursor.kind === "all" ? "all" : "any";
  cursor.advance();
  if (cursor.kind !== "(") {
    cursor.expected(`'(' after ${quantifier.toUpperCase()}`);
  }
  const open: Span = cursor.tokenSpan();
  const content = parseParenthesised(cursor);
  const span = cursor.spanFrom(start);
  if (!Array.isArray(content)) {
    return { kind: "quantified", span, operator, quantifier, operand, query: content, array: undefined };
  }
  const [array, ...others] = content;
  if (array === undefined || others.length > 0) {
    cursor.fail(
      `${quantifier.toUpperCase()} takes one array or one query`,
      `Write ${quantifier.toUpperCase()} (ARRAY[…]).`,
      open,
    );
  }
  return { kind: "quantified", span, operator, quantifier, operand, query: undefined, array };
}

/** `(start, end) OVERLAPS (start, end)`. */
export function parseOverlaps(cursor: Cursor, start: number, left: Expression): Expression {
  const at = cursor.tokenSpan();
  cursor.advance();
  const right = cursor.grammar.parseOperators(cursor, LEVEL.range + 1, false);
  if (!isPair(left) || !isPair(right)) {
    cursor.fail("OVERLAPS compares two pairs", "Write (start1, end1) OVERLAPS (start2, end2).", at);
  }
  return { kind: "binary", span: cursor.spanFrom(start), operator: "overlaps", left, right };
}

function isPair(expression: Expression): expression is Row {
  return expression.kind === "row" && expression.elements.length === 2;
}

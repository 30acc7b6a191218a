/**
 * `(…)` in an expression: a query, one expression, or a list.
 *
 * `((SELECT 1))` is a query, `((SELECT 1) + 1)` an expression and `((SELECT 1) UNION SELECT 2)` a query again. Only the
 * tokens after the inner parentheses decide which, and nothing is read twice.
 */
import type { Cursor } from "./cursor.ts";
import type { TokenKind } from "./tokens.ts";
import type { Expression, Query } from "./tree.ts";

/** True when a query begins at the token at `distance`, parentheses aside. */
export function beginsQuery(cursor: Cursor, distance = 0): boolean {
  const kind = distance === 0 ? cursor.kind : cursor.peek(distance);
  return (
    kind === "select" || kind === "with" || kind === "table" || (kind === "values" && cursor.peek(distance + 1) === "(")
  );
}

/** True when the current token continues a query in parentheses before it. */
export function continuesQuery(cursor: Cursor): boolean {
  switch (cursor.kind) {
    case "union":
    case "intersect":
    case "except":
    case "order":
    case "limit":
    case "offset":
    case "fetch":
    case "for":
      return true;
    case "minus":
      return isSetMinus(cursor);
    default:
      return false;
  }
}

/** MINUS is an ordinary name unless a query follows it. */
export function isSetMinus(cursor: Cursor): boolean {
  const next: TokenKind = cursor.peek(1);
  const distance = next === "all" || next === "distinct" ? 2 : 1;
  return cursor.kind === "minus" && beginsQuery(cursor, skipOpening(cursor, distance));
}

/** From "(" through ")": a query, or the expressions between the commas. */
export function parseParenthesised(cursor: Cursor): Query | Expression[] {
  cursor.advance();
  const content = parseContent(cursor);
  cursor.expect(")", Array.isArray(content) ? "',' or ')' after the expression" : "')' after the query");
  return content;
}

function parseContent(cursor: Cursor): Query | Expression[] {
  if (beginsQuery(cursor)) {
    return cursor.grammar.parseQuery(cursor);
  }
  if (cursor.kind === "(" && beginsQueryInside(cursor)) {
    const outer = cursor.enter();
    const content = parseInnerParentheses(cursor);
    cursor.leave(outer);
    return content;
  }
  return parseList(cursor, cursor.grammar.parseExpression(cursor));
}

/** Parses from a second "(", with a query somewhere inside. */
function parseInnerParentheses(cursor: Cursor): Query | Expression[] {
  const start = cursor.start;
  const inner = parseParenthesised(cursor);
  if (!Array.isArray(inner)) {
    if (cursor.kind === ")") {
      return inner;
    }
    if (continuesQuery(cursor)) {
      return cursor.grammar.continueQuery(cursor, start, inner);
    }
  }
  return parseList(cursor, cursor.grammar.continueExpression(cursor, start, inner));
}

function parseList(cursor: Cursor, first: Expression): Expression[] {
  const list = [first];
  while (cursor.accept(",")) {
    list.push(cursor.grammar.parseExpression(cursor));
  }
  return list;
}

/** Whether a query keyword follows the opening parentheses from the token at `distance` on. */
export function beginsQueryInside(cursor: Cursor, distance = 0): boolean {
  return beginsQuery(cursor, skipOpening(cursor, distance));
}

/** More nested parentheses than any text may have: a longer look-ahead would make the parser quadratic. */
const MOST_PARENTHESES = 1000;

function skipOpening(cursor: Cursor, from: number): number {
  let distance = from;
  while (cursor.peek(distance) === "(" && distance < MOST_PARENTHESES) {
    distance++;
  }
  return distance;
}

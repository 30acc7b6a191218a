/** Operands: literals, names, calls, CASE, arrays, rows, sub-queries, and the subscripts after them. */
import { parseCall, parseNamelessCall } from "./calls.ts";
import { beginsTypedLiteral, parseInterval, parseTypedLiteral } from "./constants.ts";
import type { Cursor } from "./cursor.ts";
import { keywordFacts } from "./keywords.ts";
import { parseParenthesised } from "./parentheses.ts";
import { parseCast, parseExtract, parseOverlay, parsePosition, parseSubstring, parseTrim } from "./special-forms.ts";
import type { CaseBranch, Expression, Identifier, Query } from "./tree.ts";

export function parsePrimary(cursor: Cursor): Expression {
  const start = cursor.start;
  // A reserved word before a dot can only be a name: existing manifests write `order.id`
  // (docs/decisions/0017-names-without-case.md).
  if (cursor.peek(1) === "." && keywordFacts(cursor.kind) !== undefined) {
    return parseNamed(cursor, start);
  }
  switch (cursor.kind) {
    case "$identifier":
    case "$quoted":
      return parseNamed(cursor, start);
    case "$number": {
      const text = cursor.value;
      cursor.advance();
      return { kind: "number", span: cursor.spanFrom(start), text };
    }
    case "$string": {
      const value = cursor.value;
      cursor.advance();
      return { kind: "string", span: cursor.spanFrom(start), value };
    }
    case "$binary":
    case "$hexadecimal": {
      const base = cursor.kind === "$binary" ? 2 : 16;
      const digits = cursor.value;
      cursor.advance();
      return { kind: "bits", span: cursor.spanFrom(start), base, digits };
    }
    case "true":
    case "false": {
      const value = cursor.kind === "true";
      cursor.advance();
      return { kind: "boolean", span: cursor.spanFrom(start), value };
    }
    case "null":
      cursor.advance();
      return { kind: "null", span: cursor.spanFrom(start) };
    case "$parameter":
      return parseParameter(cursor);
    case "$session": {
      const name = cursor.value;
      cursor.advance();
      return { kind: "session", span: cursor.spanFrom(start), name };
    }
    case "(":
      return parseOperandInParentheses(cursor, start, parseParenthesised(cursor));
    case "case":
      return parseCase(cursor, start);
    case "array":
      return parseArray(cursor, start);
    case "[":
      return parseBareArray(cursor, start);
    case "cast":
      return parseCast(cursor, start, false);
    case "current_date":
    case "current_time":
    case "current_timestamp":
    case "localtime":
    case "localtimestamp":
    case "current_user":
    case "current_role":
    case "current_catalog":
    case "session_user":
    case "system_user":
    case "user":
      return parseNamelessCall(cursor, start);
    default:
      return parseWord(cursor, start);
  }
}

/** `$1`, where the request has parameters. */
function parseParameter(cursor: Cursor): Expression {
  const { parameters, word } = cursor;
  const isApart = cursor.isApart || !/^(?:\$identifier|\$quoted|\$string|\$number|\$parameter)$/.test(cursor.peek(1));
  if (parameters === undefined || !/^\$[1-9]\d{0,5}$/.test(word) || !isApart) cursor.expected("an expression");
  const span = cursor.tokenSpan();
  cursor.advance();
  return parameters.literal(Number(word.slice(1)), span);
}

/** A keyword that may begin an operand; any other keyword is an error. */
function parseWord(cursor: Cursor, start: number): Expression {
  const kind = cursor.kind;
  const keywordClass = keywordFacts(kind)?.keywordClass;
  if (keywordClass === undefined || keywordClass === "reserved") {
    cursor.expected("an expression");
  }
  if (cursor.peek(1) === "(") {
    switch (kind) {
      case "exists":
        return parseExists(cursor, start);
      case "extract":
        return parseExtract(cursor, start);
      case "substring":
        return parseSubstring(cursor, start);
      case "position":
        return parsePosition(cursor, start);
      case "overlay":
        return parseOverlay(cursor, start);
      case "trim":
        return parseTrim(cursor, start);
      case "row":
        return parseRow(cursor, start);
      case "xmlelement":
      case "xmlexists":
      case "xmlparse":
      case "xmlpi":
      case "xmlroot":
      case "xmlserialize":
      case "xmltable":
        cursor.fail(
          `${cursor.word.toUpperCase()} is not part of the language`,
          "Write JSON: json_build_object('name', x).",
        );
        break;
      case "try_cast":
      case "safe_cast":
        return parseCast(cursor, start, true);
      default:
    }
  }
  if (kind === "interval") {
    const interval = parseInterval(cursor, start);
    if (interval !== undefined) {
      return interval;
    }
  }
  if (keywordClass === "type" && cursor.peek(1) !== "(") {
    if (kind === "current_schema") {
      return parseNamelessCall(cursor, start);
    }
    cursor.expected("an expression");
  }
  return parseNamed(cursor, start);
}

/** A column, a call, or a typed literal: all begin with a name. */
function parseNamed(cursor: Cursor, start: number): Expression {
  switch (cursor.peek(1)) {
    case "(":
    case "$string":
    case "with":
    case "without":
    case "precision":
    case "varying":
      if (beginsTypedLiteral(cursor)) {
        return parseTypedLiteral(cursor, start);
      }
      break;
    default:
  }
  const parts: Identifier[] = [cursor.readIdentifier()];
  while (cursor.accept(".")) {
    if (cursor.accept("*")) return { kind: "column", span: cursor.spanFrom(start), parts, wholeRow: true };
    parts.push(cursor.label("a name after '.'"));
    cursor.refuseLongerThanDepth(parts.length);
  }
  if (cursor.kind === "(") {
    const call = parseCall(cursor, start, parts);
    return parsePostfix(cursor, start, call, false);
  }
  return parsePostfix(cursor, start, { kind: "column", span: cursor.spanFrom(start), parts }, false);
}

/** An operand in parentheses: a scalar sub-query, an expression, or a row. */
export function parseOperandInParentheses(cursor: Cursor, start: number, content: Query | Expression[]): Expression {
  if (!Array.isArray(content)) {
    return parsePostfix(cursor, start, { kind: "scalar-query", span: cursor.spanFrom(start), query: content }, true);
  }
  const [only, ...others] = content;
  const operand: Expression =
    only !== undefined && others.length === 0 ? only : { kind: "row", span: cursor.spanFrom(start), elements: content };
  return parsePostfix(cursor, start, operand, true);
}

/** Subscripts, slices and member names. A member name may only follow a bracket: elsewhere a dot belongs to a name. */
function parsePostfix(cursor: Cursor, start: number, operand: Expression, inParentheses: boolean): Expression {
  let result = operand;
  let membersAllowed = inParentheses;
  for (;;) {
    if (cursor.kind === "[") {
      cursor.wrap();
      result = parseSubscript(cursor, start, result);
      membersAllowed = true;
    } else if (cursor.kind === "." && membersAllowed) {
      cursor.wrap();
      cursor.advance();
      if (cursor.at("*")) {
        cursor.fail("the members of a row cannot be selected with '*'", "Name the members.");
      }
      const field = cursor.label("a member name after '.'");
      result = { kind: "field", span: cursor.spanFrom(start), operand: result, field };
    } else {
      return result;
    }
  }
}

function parseSubscript(cursor: Cursor, start: number, operand: Expression): Expression {
  cursor.advance();
  const from = cursor.kind === ":" ? undefined : cursor.grammar.parseExpression(cursor);
  if (from !== undefined && cursor.accept("]")) {
    return { kind: "subscript", span: cursor.spanFrom(start), operand, index: from };
  }
  cursor.expect(":", "']' or ':' in the subscript");
  const to = cursor.kind === "]" ? undefined : cursor.grammar.parseExpression(cursor);
  cursor.expect("]", "']' after the slice");
  return { kind: "slice", span: cursor.spanFrom(start), operand, from, to };
}

function parseExists(cursor: Cursor, start: number): Expression {
  cursor.advance();
  const open = cursor.tokenSpan();
  const content = parseParenthesised(cursor);
  if (Array.isArray(content)) {
    cursor.fail("EXISTS takes a query", "Write EXISTS (SELECT …).", open);
  }
  return { kind: "exists", span: cursor.spanFrom(start), query: content };
}

function parseRow(cursor: Cursor, start: number): Expression {
  cursor.advance();
  cursor.advance();
  const elements = parseElements(cursor, ")", cursor.grammar.parseExpression);
  return parsePostfix(cursor, start, { kind: "row", span: cursor.spanFrom(start), elements }, false);
}

function parseCase(cursor: Cursor, start: number): Expression {
  cursor.advance();
  const operand = cursor.kind === "when" ? undefined : cursor.grammar.parseExpression(cursor);
  const branches: CaseBranch[] = [];
  while (cursor.accept("when")) {
    const when = cursor.grammar.parseExpression(cursor);
    cursor.expect("then", "THEN after the condition of WHEN");
    branches.push({ when, then: cursor.grammar.parseExpression(cursor) });
  }
  if (branches.length === 0) {
    cursor.expected("WHEN after CASE");
  }
  const otherwise = cursor.accept("else") ? cursor.grammar.parseExpression(cursor) : undefined;
  cursor.expect("end", otherwise === undefined ? "WHEN, ELSE or END" : "END", "Every CASE ends with END.");
  return parsePostfix(
    cursor,
    start,
    { kind: "case", span: cursor.spanFrom(start), operand, branches, otherwise },
    false,
  );
}

/** `ARRAY[…]` and `ARRAY(SELECT …)`. */
function parseArray(cursor: Cursor, start: number): Expression {
  cursor.advance();
  if (cursor.kind === "(") {
    const open = cursor.tokenSpan();
    const content = parseParenthesised(cursor);
    if (Array.isArray(content)) {
      cursor.fail("ARRAY (…) takes a query", "Write ARRAY[…] for a list of elements.", open);
    }
    return parsePostfix(cursor, start, { kind: "array-query", span: cursor.spanFrom(start), query: content }, false);
  }
  if (cursor.kind !== "[") {
    cursor.expected("'[' or '(' after ARRAY");
  }
  return parseElementsOfArray(cursor, start);
}

/** `[1, 2]` without ARRAY. A single name in brackets is T-SQL's quoting and is rejected. */
function parseBareArray(cursor: Cursor, start: number): Expression {
  const twoWords = cursor.isLabel(1) && cursor.peek(1) !== "not" && cursor.peek(2) === "$identifier";
  if (twoWords || (cursor.peek(2) === "]" && cursor.isName(1))) {
    cursor.expected("an expression");
  }
  return parseElementsOfArray(cursor, start);
}

function parseElementsOfArray(cursor: Cursor, start: number): Expression {
  cursor.advance();
  const elements = parseElements(cursor, "]", parseElement);
  return parsePostfix(cursor, start, { kind: "array", span: cursor.spanFrom(start), elements }, false);
}

/** Inside an array, inner arrays need no ARRAY of their own: `ARRAY[[a], [b]]`. */
function parseElement(cursor: Cursor): Expression {
  if (cursor.kind !== "[") {
    return cursor.grammar.parseExpression(cursor);
  }
  const outer = cursor.enter();
  const element = parseElementsOfArray(cursor, cursor.start);
  cursor.leave(outer);
  return element;
}

function parseElements(cursor: Cursor, close: ")" | "]", parse: (cursor: Cursor) => Expression): Expression[] {
  const elements: Expression[] = [];
  if (cursor.accept(close)) {
    return elements;
  }
  do {
    elements.push(parse(cursor));
  } while (cursor.accept(","));
  cursor.expect(close, `',' or '${close}' after the element`);
  return elements;
}

/** Operator expressions: climbs PostgreSQL's precedence table (`precedence.ts`). */
import { call, cast, unbound } from "./build.ts";
import type { Cursor } from "./cursor.ts";
import { BINARY_LEVELS, isNonAssociative, LEVEL } from "./precedence.ts";
import { isQuantifier, parseIs, parseOverlaps, parseQuantified, parseRange } from "./predicates.ts";
import { parseOperandInParentheses, parsePrimary } from "./primaries.ts";
import type { TokenKind } from "./tokens.ts";
import type { BinaryOperator, Expression, Identifier, Query, UnaryOperator } from "./tree.ts";

/** The level of the operator that a token begins when it follows an operand. */
const INFIX_LEVELS: ReadonlyMap<TokenKind, number> = new Map<TokenKind, number>([
  ...(Object.entries(BINARY_LEVELS) as [BinaryOperator, number][]).flatMap(([operator, level]) =>
    operator === "is distinct from" || operator === "is not distinct from" ? [] : [[operator, level] as const],
  ),
  ["or", LEVEL.or],
  ["and", LEVEL.and],
  ["is", LEVEL.is],
  ["isnull", LEVEL.is],
  ["notnull", LEVEL.is],
  ["not", LEVEL.range],
  ["like", LEVEL.range],
  ["ilike", LEVEL.range],
  ["similar", LEVEL.range],
  ["between", LEVEL.range],
  ["in", LEVEL.range],
  // PostgreSQL's operators for LIKE and ILIKE; they bind like any other operator.
  ["~~", LEVEL.operator],
  ["~~*", LEVEL.operator],
  ["!~~", LEVEL.operator],
  ["!~~*", LEVEL.operator],
  ["at", LEVEL.atTimeZone],
  ["collate", LEVEL.collate],
  ["::", LEVEL.cast],
]);

/** A whole expression. */
export function parseExpression(cursor: Cursor): Expression {
  return parseOperators(cursor, LEVEL.or, false);
}

/** An expression that ends before AND or IN. */
export function parseRestricted(cursor: Cursor): Expression {
  return parseOperators(cursor, LEVEL.is, true);
}

/** The rest of an expression whose first operand was in parentheses and has been read. */
export function continueExpression(cursor: Cursor, start: number, content: Query | Expression[]): Expression {
  return climb(cursor, start, parseOperandInParentheses(cursor, start, content), LEVEL.or, false);
}

/**
 * An expression of operators that bind at least as tightly as `level`. `restricted` is PostgreSQL's `b_expr`, for places
 * where AND or IN mean something else (`BETWEEN low AND`, `POSITION(x IN y)`): it has no AND, OR, NOT, IS NULL, IN, LIKE, BETWEEN.
 */
export function parseOperators(cursor: Cursor, level: number, restricted: boolean): Expression {
  const outer = cursor.enter();
  const start = cursor.start;
  const result = climb(cursor, start, parseOperand(cursor, restricted), level, restricted);
  cursor.leave(outer);
  return result;
}

function parseOperand(cursor: Cursor, restricted: boolean): Expression {
  switch (cursor.kind) {
    case "not":
      return restricted ? parsePrimary(cursor) : parsePrefix(cursor, "not", LEVEL.not, restricted);
    case "-":
    case "+":
      return parsePrefix(cursor, cursor.kind, LEVEL.sign, restricted);
    case "~":
      return parsePrefix(cursor, "~", LEVEL.operator + 1, restricted);
    case "|/":
      return parseFunctionSign(cursor, "sqrt", restricted);
    case "||/":
      return parseFunctionSign(cursor, "cbrt", restricted);
    case "@":
      // Other services write values to fill in as `@name`: reading it as abs(name) would silently compare the wrong
      // value.
      if (!cursor.isApart) cursor.expected("an expression", SESSION_PROPERTIES);
      return parseFunctionSign(cursor, "abs", restricted);
    default:
      return parsePrimary(cursor);
  }
}

const SESSION_PROPERTIES =
  "Session properties stand only in row rules; the absolute value is abs(x), or @ x with a blank.";

/** `|/ x` and similar; roots have type double. */
function parseFunctionSign(cursor: Cursor, name: "sqrt" | "cbrt" | "abs", restricted: boolean): Expression {
  const start = cursor.start;
  cursor.advance();
  const operand = parseOperators(cursor, LEVEL.operator + 1, restricted);
  const at = { span: cursor.spanFrom(start) };
  return call(name, [name === "abs" ? operand : cast(operand, "double precision", unbound(at))], unbound(at));
}

function parsePrefix(cursor: Cursor, operator: UnaryOperator, level: number, restricted: boolean): Expression {
  const start = cursor.start;
  cursor.advance();
  const operand = parseOperators(cursor, level, restricted);
  return { kind: "unary", span: cursor.spanFrom(start), operator, operand };
}

/** Reads the operators that follow an operand which began at `start`. */
function climb(cursor: Cursor, start: number, operand: Expression, minimum: number, restricted: boolean): Expression {
  let left = operand;
  // The level of the non-associative operator whose right operand was read last: another of its level cannot follow.
  // Forms that end in a bracket or keyword of their own (IS NULL, IN (…), = ANY (…)) set none, as in PostgreSQL.
  let open = 0;
  for (;;) {
    const kind = cursor.kind;
    const level = INFIX_LEVELS.get(kind);
    if (level === undefined || level < minimum) {
      return left;
    }
    if (restricted && (level < LEVEL.is || (level === LEVEL.range && kind !== "overlaps"))) {
      return left;
    }
    if (level === open && isNonAssociative(level)) {
      if (kind === "not" && !beginsNegated(cursor.peek(1))) {
        return left;
      }
      cursor.fail(`'${cursor.word}' cannot follow another operator of its kind`, chainHint(left, level));
    }
    open = 0;
    cursor.wrap();
    switch (kind) {
      case "or":
      case "and":
        left = parseLogical(cursor, start, left, kind, level);
        break;
      case "is": {
        const test = parseIs(cursor, start, left, restricted);
        if (test === undefined) {
          return left;
        }
        left = test;
        open = test.kind === "binary" ? level : 0;
        break;
      }
      case "isnull":
      case "notnull":
        if (restricted) {
          return left;
        }
        cursor.advance();
        left = { kind: "is", span: cursor.spanFrom(start), negated: kind === "notnull", operand: left, test: "null" };
        break;
      case "not":
        if (!beginsNegated(cursor.peek(1))) {
          return left;
        }
        cursor.advance();
        open = closesItself(cursor.kind) ? 0 : level;
        left = parseRange(cursor, start, left, true);
        break;
      case "like":
      case "ilike":
      case "similar":
      case "between":
      case "in":
        open = closesItself(kind) ? 0 : level;
        left = parseRange(cursor, start, left, false);
        break;
      case "overlaps":
        left = parseOverlaps(cursor, start, left);
        break;
      case "~~":
      case "~~*":
      case "!~~":
      case "!~~*": {
        cursor.advance();
        const pattern = parseOperators(cursor, level + 1, restricted);
        left = {
          kind: "like",
          span: cursor.spanFrom(start),
          operator: kind.endsWith("*") ? "ilike" : "like",
          negated: kind.startsWith("!"),
          operand: left,
          pattern,
          escape: undefined,
        };
        break;
      }
      case "at": {
        if (cursor.peek(1) !== "time" || cursor.peek(2) !== "zone") {
          return left;
        }
        cursor.advance();
        cursor.advance();
        cursor.advance();
        const zone = parseOperators(cursor, level + 1, restricted);
        left = { kind: "at-time-zone", span: cursor.spanFrom(start), operand: left, zone };
        break;
      }
      case "collate": {
        cursor.advance();
        const collation = parseCollation(cursor);
        left = { kind: "collate", span: cursor.spanFrom(start), operand: left, collation };
        break;
      }
      case "::": {
        cursor.advance();
        const typeName = cursor.grammar.parseTypeName(cursor);
        left = { kind: "cast", span: cursor.spanFrom(start), operand: left, typeName, safe: false };
        break;
      }
      case "=":
      case "<>":
      case "<":
      case "<=":
      case ">":
      case ">=":
        cursor.advance();
        if (isQuantifier(cursor.kind)) {
          left = parseQuantified(cursor, start, left, kind);
        } else {
          const right = parseOperators(cursor, level + 1, restricted);
          left = { kind: "binary", span: cursor.spanFrom(start), operator: kind, left, right };
          open = level;
        }
        break;
      default: {
        cursor.advance();
        if (isQuantifier(cursor.kind)) {
          if (kind === "~" || kind === "~*" || kind === "!~" || kind === "!~*") {
            left = parseQuantified(cursor, start, left, kind);
            break;
          }
          cursor.fail("ANY and ALL follow a comparison or a pattern operator only: = <> < <= > >= LIKE ILIKE ~");
        }
        const right = parseOperators(cursor, level + 1, restricted);
        left = { kind: "binary", span: cursor.spanFrom(start), operator: kind as BinaryOperator, left, right };
      }
    }
  }
}

/** `a = b && c = d` was meant as a conjunction; `a < b < c` as two comparisons. */
function chainHint(left: Expression, level: number): string {
  if (left.kind === "binary" && left.right.kind === "binary") {
    if (left.right.operator === "&&") {
      return "The logical operator is written AND; && compares arrays.";
    }
    if (left.right.operator === "||") {
      return "The logical operator is written OR; || joins strings.";
    }
  }
  return level === LEVEL.comparison
    ? "Combine comparisons with AND: a < b AND b < c."
    : "Put one of them in parentheses.";
}

function beginsNegated(kind: TokenKind): boolean {
  return kind === "like" || kind === "ilike" || kind === "similar" || kind === "between" || kind === "in";
}

function closesItself(kind: TokenKind): boolean {
  return kind === "in";
}

/** AND / OR chains are one flat node; a chain in parentheses stays a separate node. */
function parseLogical(
  cursor: Cursor,
  start: number,
  first: Expression,
  operator: "and" | "or",
  level: number,
): Expression {
  const operands = [first];
  while (cursor.accept(operator)) {
    operands.push(parseOperators(cursor, level + 1, false));
  }
  return { kind: "logical", span: cursor.spanFrom(start), operator, operands };
}

function parseCollation(cursor: Cursor): Identifier[] {
  const names = [cursor.name("a collation")];
  if (cursor.accept(".")) {
    names.push(cursor.label("a collation"));
  }
  return names;
}

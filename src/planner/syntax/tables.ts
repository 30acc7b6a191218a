/** FROM: tables, derived tables, table functions and joins. */
import type { Cursor } from "./cursor.ts";
import { beginsQuery, beginsQueryInside, continuesQuery, isSetMinus } from "./parentheses.ts";
import { beginsQualify } from "./qualify.ts";
import { parseRecords } from "./record-functions.ts";
import { refuseClause } from "./statements.ts";
import type { Identifier, Join, Query, TableAlias, TableExpression } from "./tree.ts";

/** One item of FROM with the joins behind it. */
export function parseTableExpression(cursor: Cursor): TableExpression {
  const outer = cursor.enter();
  const start = cursor.start;
  const result = parseJoins(cursor, start, parseTablePrimary(cursor));
  cursor.leave(outer);
  return result;
}

function parseJoins(cursor: Cursor, start: number, first: TableExpression): TableExpression {
  let left = first;
  while (beginsJoin(cursor)) {
    cursor.wrap();
    left = parseJoin(cursor, start, left);
  }
  return left;
}

function beginsJoin(cursor: Cursor): boolean {
  switch (cursor.kind) {
    case "join":
    case "inner":
    case "left":
    case "right":
    case "full":
    case "cross":
    case "natural":
      return true;
    default:
      return false;
  }
}

function parseJoin(cursor: Cursor, start: number, left: TableExpression): Join {
  const natural = cursor.accept("natural");
  const join = parseJoinType(cursor, natural);
  const rightStart = cursor.start;
  const outer = cursor.enter();
  let right = parseTablePrimary(cursor);
  if (natural || join === "cross") {
    cursor.leave(outer);
    if (cursor.kind === "on" || cursor.kind === "using") {
      cursor.fail(
        `${natural ? "NATURAL" : "CROSS"} JOIN takes no ${cursor.word.toUpperCase()}`,
        natural ? "Remove NATURAL." : "Write JOIN.",
      );
    }
    return { kind: "join", span: cursor.spanFrom(start), join, natural, left, right, on: undefined, using: [] };
  }
  // `a JOIN b JOIN c ON … ON …`: the join whose condition has not been read yet is the right side of the first.
  while (beginsJoin(cursor)) {
    cursor.wrap();
    right = parseJoin(cursor, rightStart, right);
  }
  cursor.leave(outer);
  if (cursor.accept("on")) {
    const on = cursor.grammar.parseExpression(cursor);
    return { kind: "join", span: cursor.spanFrom(start), join, natural, left, right, on, using: [] };
  }
  if (cursor.accept("using")) {
    const using = cursor.nameList("a column name");
    if (cursor.kind === "as") {
      cursor.fail(
        "an alias behind USING is not part of the language",
        "Put the join in parentheses and give it the alias behind them.",
      );
    }
    return { kind: "join", span: cursor.spanFrom(start), join, natural, left, right, on: undefined, using };
  }
  return cursor.expected("ON or USING after the joined table", missingConditionHint(cursor));
}

function missingConditionHint(cursor: Cursor): string | undefined {
  switch (cursor.kind) {
    case "$end":
    case "where":
    case "group":
    case "order":
    case "limit":
    case ",":
    case ")":
      return "Every join but CROSS JOIN needs a condition.";
    default:
      return undefined;
  }
}

/** Parses from the join's first word (NATURAL has been read) through JOIN. */
function parseJoinType(cursor: Cursor, natural: boolean): Join["join"] {
  let join: Join["join"] = "inner";
  switch (cursor.kind) {
    case "left":
    case "right":
    case "full":
      join = cursor.kind;
      cursor.advance();
      cursor.accept("outer");
      break;
    case "cross":
      if (natural) {
        cursor.expected("JOIN after NATURAL");
      }
      join = "cross";
      cursor.advance();
      break;
    case "inner":
      cursor.advance();
      break;
    default:
  }
  cursor.expect(
    "join",
    natural ? "JOIN after NATURAL" : `JOIN after ${cursor.wordAt(-1).toUpperCase()}`,
    unknownJoinHint(cursor),
  );
  return join;
}

function unknownJoinHint(cursor: Cursor): string | undefined {
  switch (cursor.kind) {
    case "apply":
      return cursor.peek(-1) === "cross" ? "Write CROSS JOIN LATERAL." : "Write LEFT JOIN LATERAL … ON TRUE.";
    case "semi":
      return "Write WHERE EXISTS (SELECT …).";
    case "anti":
      return "Write WHERE NOT EXISTS (SELECT …).";
    default:
      return cursor.isName() ? "Write JOIN in front of the table." : undefined;
  }
}

function parseTablePrimary(cursor: Cursor): TableExpression {
  const start = cursor.start;
  const lateral = cursor.accept("lateral");
  if (cursor.kind === "(") {
    if (lateral && !beginsQueryInside(cursor)) {
      cursor.expected("a query or a function after LATERAL");
    }
    return finishParentheses(cursor, start, lateral, parseTableParentheses(cursor));
  }
  if (!cursor.isName() && !(cursor.isFunctionName() && cursor.peek(1) === "(")) {
    refuseForeignTable(cursor);
    cursor.name("a table name");
  }
  const name: Identifier[] = [cursor.readIdentifier()];
  while (cursor.accept(".")) {
    name.push(cursor.label("a name after '.'"));
    if (name.length > 3) {
      cursor.fail("a table name has at most three parts: catalog.schema.table", undefined, cursor.spanFrom(start));
    }
  }
  if (cursor.at("(")) {
    return parseTableFunction(cursor, start, lateral, name);
  }
  if (lateral) {
    cursor.expected("a query or a function after LATERAL");
  }
  const alias = parseTableAlias(cursor);
  refuseAfterTable(cursor);
  return { kind: "table", span: cursor.spanFrom(start), name, alias };
}

function refuseForeignTable(cursor: Cursor): void {
  if (cursor.kind === "$string") {
    cursor.expected("a table name", "Names are quoted with double quotes; files are not read by name.");
  }
  if (beginsQuery(cursor)) {
    cursor.expected("a table name", "A query in FROM needs parentheses: FROM (SELECT …) AS t.");
  }
}

function refuseAfterTable(cursor: Cursor): void {
  if (cursor.kind === "tablesample") {
    cursor.fail("TABLESAMPLE is not part of the language", "Filter by a row number or a hash of a key.");
  }
  if (cursor.kind === "for") {
    refuseClause(cursor);
    cursor.expected(
      "a join, a clause or the end of the query",
      "Reading a table as of a time is not part of the language.",
    );
  }
}

function parseTableFunction(
  cursor: Cursor,
  start: number,
  lateral: boolean,
  name: readonly Identifier[],
): TableExpression {
  const call = cursor.grammar.parseCall(cursor, name[0]?.span.start ?? start, name);
  const records = parseRecords(cursor, start, call);
  if (records !== undefined) return records;
  let ordinality = false;
  if (cursor.kind === "with" && cursor.peek(1) === "ordinality") {
    cursor.advance();
    cursor.advance();
    ordinality = true;
  }
  const alias = parseTableAlias(cursor);
  return { kind: "function", span: cursor.spanFrom(start), call, lateral, ordinality, alias };
}

/** Content of parentheses in FROM: a query, or a table expression. */
function parseTableParentheses(cursor: Cursor): Query | TableExpression {
  const outer = cursor.enter();
  cursor.advance();
  const content = parseTableContent(cursor);
  cursor.expect(")", content.kind === "query" ? "')' after the query" : "a join or ')' in the parentheses");
  cursor.leave(outer);
  return content;
}

function parseTableContent(cursor: Cursor): Query | TableExpression {
  if (beginsQuery(cursor)) {
    return cursor.grammar.parseQuery(cursor);
  }
  if (cursor.kind !== "(") {
    return parseTableExpression(cursor);
  }
  const start = cursor.start;
  const inner = parseTableParentheses(cursor);
  if (inner.kind === "query") {
    if (cursor.at(")")) {
      return inner;
    }
    if (continuesQuery(cursor)) {
      return cursor.grammar.continueQuery(cursor, start, inner);
    }
  }
  return parseJoins(cursor, start, finishParentheses(cursor, start, false, inner));
}

function finishParentheses(
  cursor: Cursor,
  start: number,
  lateral: boolean,
  content: Query | TableExpression,
): TableExpression {
  if (content.kind === "query") {
    const alias = parseTableAlias(cursor);
    return { kind: "derived", span: cursor.spanFrom(start), query: content, lateral, alias };
  }
  if (content.kind !== "join") {
    return content;
  }
  const alias = parseTableAlias(cursor);
  return alias === undefined ? content : { kind: "aliased-join", span: cursor.spanFrom(start), join: content, alias };
}

/** `AS t`, `t`, `AS t(a, b)`, or nothing. */
function parseTableAlias(cursor: Cursor): TableAlias | undefined {
  if (!cursor.accept("as")) {
    if (!cursor.isName() || !mayBeAlias(cursor)) {
      return undefined;
    }
  }
  const name = cursor.name("a table alias");
  if (cursor.kind !== "(") {
    return { name, columns: [] };
  }
  if (cursor.peek(1) !== "(" && cursor.isName(1) && cursor.isLabel(2)) {
    cursor.advance();
    cursor.advance();
    cursor.expected(
      "',' or ')' after the column name",
      "A column list holds names only; cast the columns where they are used.",
    );
  }
  return { name, columns: cursor.nameList("a column name") };
}

/**
 * Words that begin a clause or a join in some dialect are not aliases without AS: that reading would change the
 * meaning.
 */
function mayBeAlias(cursor: Cursor): boolean {
  switch (cursor.kind) {
    case "qualify":
      return !beginsQualify(cursor);
    case "minus":
      return !isSetMinus(cursor);
    case "semi":
    case "anti":
    case "asof":
    case "positional":
      if (cursor.peek(1) === "join") {
        cursor.fail(
          `${cursor.word.toUpperCase()} JOIN is not part of the language`,
          cursor.kind === "semi"
            ? "Write WHERE EXISTS (SELECT …)."
            : cursor.kind === "anti"
              ? "Write WHERE NOT EXISTS (SELECT …)."
              : `As an alias it needs AS: AS ${cursor.word}.`,
        );
      }
      return true;
    case "pivot":
    case "unpivot":
      return cursor.peek(1) !== "(";
    default:
      return true;
  }
}

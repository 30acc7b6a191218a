/** SELECT … FROM … WHERE … GROUP BY … HAVING … WINDOW … QUALIFY. */
import type { Cursor } from "./cursor.ts";
import { keywordFacts } from "./keywords.ts";
import { beginsQueryInside, isSetMinus } from "./parentheses.ts";
import { beginsQualify } from "./qualify.ts";
import { refuseClause } from "./statements.ts";
import type { Expression, GroupingElement, Identifier, Select, SelectItem, Star, TableExpression } from "./tree.ts";
import { parseNamedWindows } from "./windows.ts";

export function parseSelect(cursor: Cursor): Select {
  const start = cursor.start;
  cursor.advance();
  const distinct = parseDistinct(cursor);
  refuseTop(cursor);
  const items = [isEmptyList(cursor) ? nothing(cursor) : parseSelectItem(cursor)];
  while (cursor.accept(",")) {
    items.push(parseSelectItem(cursor));
  }
  if (cursor.kind === "into") {
    refuseClause(cursor);
  }
  const from: TableExpression[] = [];
  if (cursor.accept("from")) {
    do {
      from.push(cursor.grammar.parseTableExpression(cursor));
    } while (cursor.accept(","));
  }
  const where = cursor.accept("where") ? cursor.grammar.parseExpression(cursor) : undefined;
  const groupBy = cursor.kind === "group" ? parseGroupBy(cursor) : undefined;
  const having = cursor.accept("having") ? cursor.grammar.parseExpression(cursor) : undefined;
  // Dialects with QUALIFY disagree whether it precedes or follows WINDOW.
  let qualify = parseQualify(cursor);
  const windows = parseNamedWindows(cursor);
  qualify ??= parseQualify(cursor);
  refuseMisplaced(cursor, from.length > 0);
  return {
    kind: "select",
    span: cursor.spanFrom(start),
    distinct,
    items,
    from,
    where,
    groupBy,
    having,
    windows,
    qualify,
  };
}

/** `EXISTS (SELECT FROM t)`: EXISTS ignores the select list. */
function isEmptyList(cursor: Cursor): boolean {
  return (
    cursor.kind === "from" && cursor.peek(-1) === "select" && cursor.peek(-2) === "(" && cursor.peek(-3) === "exists"
  );
}

function nothing(cursor: Cursor): SelectItem {
  const span = cursor.tokenSpan();
  return { kind: "item", expression: { kind: "number", text: "1", span }, alias: undefined, span };
}

function parseDistinct(cursor: Cursor): Expression[] | undefined {
  if (!cursor.accept("distinct")) {
    cursor.accept("all");
    return undefined;
  }
  if (cursor.kind !== "on") {
    return [];
  }
  cursor.advance();
  cursor.expect("(", "'(' after DISTINCT ON");
  const keys = [cursor.grammar.parseExpression(cursor)];
  while (cursor.accept(",")) {
    keys.push(cursor.grammar.parseExpression(cursor));
  }
  cursor.expect(")", "',' or ')' after the key of DISTINCT ON");
  return keys;
}

/** `TOP 10 a` and `TOP (10) a`, which would otherwise read as a column or a function named top. */
function refuseTop(cursor: Cursor): void {
  if (cursor.kind !== "top") {
    return;
  }
  const inParentheses = cursor.peek(1) === "(" && cursor.peek(2) === "$number" && cursor.peek(3) === ")";
  const next = inParentheses ? cursor.peek(4) : cursor.peek(1) === "$number" ? "*" : undefined;
  if (next === "*" || next === "$identifier" || next === "$quoted" || next === "$string") {
    cursor.fail("TOP is not part of the language", "Write LIMIT n at the end of the query.");
  }
}

function parseSelectItem(cursor: Cursor): SelectItem {
  const start = cursor.start;
  if (cursor.kind === "*") {
    cursor.advance();
    return parseStar(cursor, start, []);
  }
  if (cursor.peek(1) === "." && isQualifiedStar(cursor)) {
    const qualifier: Identifier[] = [cursor.name("a table name")];
    cursor.advance();
    while (!cursor.accept("*")) {
      qualifier.push(cursor.label("a name after '.'"));
      cursor.advance();
    }
    return parseStar(cursor, start, qualifier);
  }
  const expression = cursor.grammar.parseExpression(cursor);
  const alias = parseColumnAlias(cursor);
  return { kind: "item", span: cursor.spanFrom(start), expression, alias };
}

/** Looks along `a.b.c.` for a star at its end. */
function isQualifiedStar(cursor: Cursor): boolean {
  let distance = 1;
  while (cursor.peek(distance) === "." && distance < 20) {
    if (cursor.peek(distance + 1) === "*") {
      return cursor.isName();
    }
    distance += 2;
  }
  return false;
}

/** `AS name`, or a name that may stand without AS. */
function parseColumnAlias(cursor: Cursor): Identifier | undefined {
  if (cursor.accept("as")) {
    return cursor.label("a column alias after AS");
  }
  const kind = cursor.kind;
  if (kind === "$identifier" || kind === "$quoted") {
    return cursor.readIdentifier();
  }
  const facts = keywordFacts(kind);
  if (facts === undefined || !facts.bareLabel) {
    return undefined;
  }
  if ((kind === "minus" && isSetMinus(cursor)) || (kind === "qualify" && beginsQualify(cursor))) {
    return undefined;
  }
  return cursor.readIdentifier();
}

/** Clauses after `*`: EXCEPT or EXCLUDE, REPLACE, RENAME, each once and in any order. */
function parseStar(cursor: Cursor, start: number, qualifier: readonly Identifier[]): Star {
  let except: Identifier[] | undefined;
  let replace: Star["replace"] | undefined;
  let rename: Star["rename"] | undefined;
  for (;;) {
    const kind = cursor.kind;
    if (except === undefined && (kind === "exclude" || (kind === "except" && isStarExcept(cursor)))) {
      cursor.advance();
      except = cursor.kind === "(" ? cursor.nameList("a column name") : [cursor.name("'(' and column names")];
    } else if (replace === undefined && kind === "replace" && cursor.peek(1) === "(") {
      cursor.advance();
      replace = parseReplacements(cursor);
    } else if (rename === undefined && kind === "rename") {
      cursor.advance();
      rename = parseRenamings(cursor);
    } else {
      break;
    }
  }
  return {
    kind: "star",
    span: cursor.spanFrom(start),
    qualifier,
    except: except ?? [],
    replace: replace ?? [],
    rename: rename ?? [],
  };
}

/** After a star, EXCEPT begins a column list unless a query follows, which makes it the set operation. */
function isStarExcept(cursor: Cursor): boolean {
  return cursor.peek(1) !== "all" && cursor.peek(1) !== "distinct" && !beginsQueryInside(cursor, 1);
}

function parseReplacements(cursor: Cursor): Star["replace"] {
  cursor.expect("(", "'(' after REPLACE");
  const replacements: { expression: Expression; name: Identifier }[] = [];
  do {
    const expression = cursor.grammar.parseExpression(cursor);
    cursor.expect("as", "AS and the column to replace");
    replacements.push({ expression, name: cursor.label("a column name after AS") });
  } while (cursor.accept(","));
  cursor.expect(")", "',' or ')' in REPLACE");
  return replacements;
}

/** `RENAME a AS b` and `RENAME (a AS b, c AS d)`. */
function parseRenamings(cursor: Cursor): Star["rename"] {
  const inParentheses = cursor.accept("(");
  const renamings: { from: Identifier; to: Identifier }[] = [];
  do {
    const from = cursor.name("a column name");
    cursor.expect("as", "AS and the new name");
    renamings.push({ from, to: cursor.label("a column name after AS") });
  } while (inParentheses && cursor.accept(","));
  if (inParentheses) {
    cursor.expect(")", "',' or ')' in RENAME");
  }
  return renamings;
}

function parseQualify(cursor: Cursor): Expression | undefined {
  return cursor.accept("qualify") ? cursor.grammar.parseExpression(cursor) : undefined;
}

function parseGroupBy(cursor: Cursor): GroupingElement[] {
  cursor.advance();
  cursor.expect("by", "BY after GROUP");
  if (cursor.kind === "all" || cursor.kind === "distinct") {
    cursor.fail(`GROUP BY ${cursor.word.toUpperCase()} is not part of the language`, "Name the grouping keys.");
  }
  const elements: GroupingElement[] = [];
  do {
    const element = parseGroupingElement(cursor);
    if (element.kind === "keys") {
      // Outside grouping sets the parentheses of `GROUP BY (a, b)` have no meaning.
      for (const expression of element.expressions) {
        elements.push({ kind: "expression", expression });
      }
    } else {
      elements.push(element);
    }
  } while (cursor.accept(","));
  if (cursor.kind === "with" && (cursor.peek(1) === "rollup" || cursor.peek(1) === "cube")) {
    // MySQL's `GROUP BY a, b WITH ROLLUP`.
    cursor.advance();
    const kind = cursor.at("cube") ? "cube" : "rollup";
    cursor.advance();
    return [{ kind, elements }];
  }
  return elements;
}

function parseGroupingElement(cursor: Cursor): GroupingElement {
  switch (cursor.kind) {
    case "(":
      if (cursor.peek(1) === ")") {
        cursor.advance();
        cursor.advance();
        return { kind: "empty" };
      }
      break;
    case "rollup":
    case "cube":
      if (cursor.peek(1) === "(") {
        const kind = cursor.kind;
        cursor.advance();
        return { kind, elements: parseGroupingElements(cursor) };
      }
      break;
    case "grouping":
      if (cursor.peek(1) === "sets") {
        cursor.advance();
        cursor.advance();
        return { kind: "sets", elements: parseGroupingElements(cursor) };
      }
      break;
    default:
  }
  const expression = cursor.grammar.parseExpression(cursor);
  // `(a, b)` is a list of keys, `ROW(a, b)` one key, with or without more parentheses around either.
  return expression.kind === "row" && cursor.tokens.text.charAt(expression.span.start) === "("
    ? { kind: "keys", expressions: expression.elements }
    : { kind: "expression", expression };
}

function parseGroupingElements(cursor: Cursor): GroupingElement[] {
  const outer = cursor.enter();
  cursor.expect("(", "'(' before the grouping sets");
  const elements: GroupingElement[] = [];
  do {
    elements.push(parseGroupingElement(cursor));
  } while (cursor.accept(","));
  cursor.expect(")", "',' or ')' after the grouping set");
  cursor.leave(outer);
  return elements;
}

/** Reports what is missing when a clause is in the wrong position or a comma was forgotten. */
function refuseMisplaced(cursor: Cursor, hasFrom: boolean): void {
  switch (cursor.kind) {
    case "from":
    case "where":
    case "group":
    case "having":
    case "window":
      cursor.fail(
        `${cursor.word.toUpperCase()} is not allowed at this position`,
        "The clauses of a query follow in this order: SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT.",
      );
      break;
    default:
      if (!hasFrom && !mayFollow(cursor)) {
        cursor.expected("FROM or ',' after the select list");
      }
  }
}

function mayFollow(cursor: Cursor): boolean {
  switch (cursor.kind) {
    case "$end":
    case ";":
    case ")":
    case "order":
    case "limit":
    case "offset":
    case "fetch":
    case "union":
    case "intersect":
    case "except":
    case "minus":
    case "for":
      return true;
    default:
      return false;
  }
}

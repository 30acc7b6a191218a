/** Function calls: arguments, DISTINCT, ORDER BY, WITHIN GROUP, FILTER, IGNORE NULLS, OVER. */
import type { Cursor } from "./cursor.ts";
import { parseOrderBy } from "./sorting.ts";
import type { Argument, Call, Expression, Identifier, SortItem, Window } from "./tree.ts";
import { parseOver } from "./windows.ts";

/** Parses the call of `name`, starting at "(". */
export function parseCall(cursor: Cursor, start: number, parts: readonly Identifier[]): Call {
  if (parts.length > 2) {
    cursor.fail("a function has at most a schema in front of its name", undefined, cursor.tokenSpan(-1));
  }
  if (cursor.peek(1) === "+" && cursor.peek(2) === ")") {
    cursor.fail("'(+)' is not part of the language", "Write a LEFT JOIN with an ON condition.");
  }
  const name = parts.map((part) => (part.quoted ? part : { ...part, name: part.name.toLowerCase() }));
  cursor.advance();
  let distinct = false;
  let star = false;
  let nulls: Call["nulls"];
  let orderBy: readonly SortItem[] = [];
  const operands: Argument[] = [];
  if (cursor.kind === "*") {
    cursor.advance();
    star = true;
  } else if (cursor.kind !== ")") {
    distinct = cursor.accept("distinct");
    if (!distinct) {
      cursor.accept("all");
    }
    do {
      operands.push(parseArgument(cursor));
    } while (cursor.accept(","));
    nulls = parseNulls(cursor);
    orderBy = parseOrderBy(cursor);
    nulls ??= parseNulls(cursor);
    if (cursor.accept("separator")) {
      // `group_concat(x ORDER BY y SEPARATOR ', ')`: the separator is the second argument of every other spelling.
      operands.push({ name: undefined, value: cursor.grammar.parseExpression(cursor) });
    }
  }
  cursor.expect(")", star ? "')' after '*'" : "',' or ')' after the argument", unclosedHint(cursor));
  const withinGroup = parseWithinGroup(cursor);
  const filter = parseFilter(cursor);
  nulls ??= parseNulls(cursor);
  const over: Window | undefined = cursor.accept("over") ? parseOver(cursor) : undefined;
  return {
    kind: "call",
    span: cursor.spanFrom(start),
    name,
    arguments: operands,
    star,
    distinct,
    orderBy,
    withinGroup,
    filter,
    nulls,
    over,
  };
}

function unclosedHint(cursor: Cursor): string | undefined {
  switch (cursor.kind) {
    case "as":
      return "Only CAST(x AS type) takes AS.";
    case "limit":
      return "An aggregate takes no LIMIT: slice its array, or limit a sub-query.";
    default:
      return undefined;
  }
}

/** `value`, `name => value` or `name := value`. */
function parseArgument(cursor: Cursor): Argument {
  const next = cursor.peek(1);
  if ((next === "=>" || next === ":=") && cursor.isFunctionName()) {
    const name = cursor.label("an argument name");
    cursor.advance();
    return { name, value: cursor.grammar.parseExpression(cursor) };
  }
  return { name: undefined, value: cursor.grammar.parseExpression(cursor) };
}

function parseNulls(cursor: Cursor): Call["nulls"] {
  const kind = cursor.kind;
  if ((kind === "ignore" || kind === "respect") && cursor.peek(1) === "nulls") {
    cursor.advance();
    cursor.advance();
    return kind;
  }
  return undefined;
}

function parseWithinGroup(cursor: Cursor): readonly SortItem[] {
  if (cursor.kind !== "within" || cursor.peek(1) !== "group") {
    return [];
  }
  cursor.advance();
  cursor.advance();
  cursor.expect("(", "'(' after WITHIN GROUP");
  const sort = parseOrderBy(cursor);
  if (sort.length === 0) {
    cursor.expected("ORDER BY in WITHIN GROUP");
  }
  cursor.expect(")", "',' or ')' after the sort key");
  return sort;
}

function parseFilter(cursor: Cursor): Expression | undefined {
  if (cursor.kind !== "filter" || cursor.peek(1) !== "(") {
    return undefined;
  }
  cursor.advance();
  cursor.advance();
  cursor.expect("where", "WHERE in FILTER");
  const condition = cursor.grammar.parseExpression(cursor);
  cursor.expect(")", "')' after the condition of FILTER");
  return condition;
}

/** CURRENT_DATE and similar: calls without parentheses, with an optional precision or empty parentheses. */
export function parseNamelessCall(cursor: Cursor, start: number): Call {
  const name: Identifier = cursor.readIdentifier();
  const operands: Argument[] = [];
  if (cursor.accept("(")) {
    if (cursor.kind === "$number") {
      if (!/^[0-6]$/.test(cursor.value)) {
        cursor.fail("a precision of time is an integer from 0 to 6", "Write current_timestamp(3).");
      }
      operands.push({ name: undefined, value: cursor.grammar.parsePrimary(cursor) });
    }
    cursor.expect(")", `')' after ${name.name.toUpperCase()}(`);
  }
  return {
    kind: "call",
    span: cursor.spanFrom(start),
    name: [{ ...name, name: name.name.toLowerCase() }],
    arguments: operands,
    star: false,
    distinct: false,
    orderBy: [],
    withinGroup: [],
    filter: undefined,
    nulls: undefined,
    over: undefined,
  };
}

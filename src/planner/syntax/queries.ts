/** Queries: WITH, set operations, ORDER BY, LIMIT. */
import { selectOf } from "./build.ts";
import type { Cursor } from "./cursor.ts";
import { continuesQuery, isSetMinus } from "./parentheses.ts";
import { parseSelect } from "./select.ts";
import { parseOrderBy } from "./sorting.ts";
import { refuseClause, refuseStatement } from "./statements.ts";
import type {
  CommonTable,
  Expression,
  Identifier,
  Query,
  QueryBody,
  RowLimit,
  Select,
  SelectItem,
  SetOperation,
  Span,
  TableExpression,
  With,
} from "./tree.ts";

export function parseQuery(cursor: Cursor): Query {
  const outer = cursor.enter();
  const start = cursor.start;
  const common = cursor.kind === "with" ? parseWith(cursor) : undefined;
  const body = parseSetOperations(cursor, start, undefined);
  const query = finishQuery(cursor, start, common, body);
  cursor.leave(outer);
  return query;
}

/** The rest of a query whose first operand was in parentheses and has been read. */
export function continueQuery(cursor: Cursor, start: number, left: Query): Query {
  const operand = operandOf(left, cursor.spanFrom(start));
  return finishQuery(cursor, start, undefined, parseSetOperations(cursor, start, operand));
}

/** Parentheses without an ORDER BY, LIMIT or WITH of their own add nothing to the tree. */
function operandOf(query: Query, span: Span): QueryBody {
  const plain =
    query.with === undefined && query.orderBy.length === 0 && query.limit === undefined && query.offset === undefined;
  return plain ? query.body : { kind: "nested", span, query };
}

function parseWith(cursor: Cursor): With {
  cursor.advance();
  const recursive = cursor.accept("recursive");
  const tables = [parseCommonTable(cursor)];
  while (cursor.accept(",")) {
    tables.push(parseCommonTable(cursor));
  }
  return { recursive, tables };
}

function parseCommonTable(cursor: Cursor): CommonTable {
  const start = cursor.start;
  const name = cursor.name("a name after WITH");
  const columns: readonly Identifier[] = cursor.kind === "(" ? cursor.nameList("a column name") : [];
  cursor.expect("as", "AS after the name of the common table");
  let materialized: boolean | undefined;
  if (cursor.accept("materialized")) {
    materialized = true;
  } else if (cursor.kind === "not") {
    cursor.advance();
    cursor.expect("materialized", "MATERIALIZED after NOT");
    materialized = false;
  }
  cursor.expect("(", "'(' before the query of the common table");
  refuseStatement(cursor);
  const query = parseQuery(cursor);
  cursor.expect(")", "')' after the query of the common table");
  return { span: cursor.spanFrom(start), name, columns, materialized, query };
}

/** UNION and EXCEPT from left to right; INTERSECT binds tighter. */
function parseSetOperations(cursor: Cursor, start: number, first: QueryBody | undefined): QueryBody {
  let left = parseIntersections(cursor, start, first);
  for (;;) {
    const operator = cursor.kind;
    if (operator !== "union" && operator !== "except" && !(operator === "minus" && isSetMinus(cursor))) {
      return left;
    }
    cursor.wrap();
    cursor.advance();
    const all = parseAll(cursor);
    const right = parseIntersections(cursor, cursor.start, undefined);
    left = setOperation(cursor, start, operator === "union" ? "union" : "except", all, left, right);
  }
}

function parseIntersections(cursor: Cursor, start: number, first: QueryBody | undefined): QueryBody {
  const outer = cursor.enter();
  let left = first ?? parseQueryPrimary(cursor);
  while (cursor.kind === "intersect") {
    cursor.wrap();
    cursor.advance();
    const all = parseAll(cursor);
    left = setOperation(cursor, start, "intersect", all, left, parseQueryPrimary(cursor));
  }
  cursor.leave(outer);
  return left;
}

function setOperation(
  cursor: Cursor,
  start: number,
  operator: SetOperation["operator"],
  all: boolean,
  left: QueryBody,
  right: QueryBody,
): SetOperation {
  return { kind: "set", span: cursor.spanFrom(start), operator, all, left, right };
}

function parseAll(cursor: Cursor): boolean {
  if (cursor.accept("all")) {
    return true;
  }
  cursor.accept("distinct");
  return false;
}

function parseQueryPrimary(cursor: Cursor): QueryBody {
  const start = cursor.start;
  switch (cursor.kind) {
    case "select":
      return parseSelect(cursor);
    case "values":
      return parseValues(cursor, start);
    case "table":
      return parseTable(cursor, start);
    case "(": {
      cursor.advance();
      const query = parseQuery(cursor);
      cursor.expect(")", "')' after the query");
      return operandOf(query, cursor.spanFrom(start));
    }
    case "with":
      return cursor.fail("WITH belongs in front of the whole query", "Put this query in parentheses.");
    default:
      refuseStatement(cursor);
      return cursor.expected("SELECT, VALUES or '('");
  }
}

function parseValues(cursor: Cursor, start: number): QueryBody {
  cursor.advance();
  const rows: Expression[][] = [];
  do {
    const rowStart = cursor.start;
    cursor.expect("(", "'(' before the values of a row");
    const row = [cursor.grammar.parseExpression(cursor)];
    while (cursor.accept(",")) {
      row.push(cursor.grammar.parseExpression(cursor));
    }
    cursor.expect(")", "',' or ')' after the value");
    const width = rows[0]?.length ?? row.length;
    if (row.length !== width) {
      cursor.fail(
        `the row has ${row.length} values, the first row has ${width}`,
        "All rows of VALUES have the same number of values.",
        cursor.spanFrom(rowStart),
      );
    }
    rows.push(row);
  } while (cursor.accept(","));
  return { kind: "values", span: cursor.spanFrom(start), rows };
}

/** `TABLE t` is `SELECT * FROM t`. */
function parseTable(cursor: Cursor, start: number): Select {
  cursor.advance();
  const nameStart = cursor.start;
  const name = [cursor.name("a table name after TABLE")];
  while (cursor.accept(".")) {
    name.push(cursor.label("a name after '.'"));
  }
  const span = cursor.spanFrom(start);
  const star: SelectItem = {
    kind: "star",
    span: { start: span.end, end: span.end },
    qualifier: [],
    except: [],
    replace: [],
    rename: [],
  };
  const from: TableExpression = { kind: "table", span: cursor.spanFrom(nameStart), name, alias: undefined };
  return selectOf({ items: [star], from: [from] }, { span });
}

/** ORDER BY and the row limits, which may stand in any order. */
function finishQuery(cursor: Cursor, start: number, common: With | undefined, body: QueryBody): Query {
  const orderBy = parseOrderBy(cursor);
  let limit: RowLimit | undefined;
  let offset: Expression | undefined;
  let limited = false;
  for (;;) {
    const clauseStart = cursor.start;
    if (!limited && cursor.accept("limit")) {
      limited = true;
      if (cursor.accept("all")) {
        continue;
      }
      let count = cursor.grammar.parseExpression(cursor);
      if (offset === undefined && cursor.accept(",")) {
        // MySQL's `LIMIT offset, count`.
        offset = count;
        count = cursor.grammar.parseExpression(cursor);
      }
      limit = { span: cursor.spanFrom(clauseStart), count, withTies: false };
    } else if (!limited && cursor.accept("fetch")) {
      limited = true;
      limit = parseFetch(cursor, clauseStart);
    } else if (offset === undefined && cursor.accept("offset")) {
      offset = cursor.grammar.parseExpression(cursor);
      if (!cursor.accept("rows")) {
        cursor.accept("row");
      }
    } else {
      break;
    }
  }
  refuseClause(cursor);
  const trailing = orderBy.length > 0 || limited || offset !== undefined;
  if (trailing && continuesQuery(cursor) && cursor.kind !== "order") {
    cursor.expected(
      "the end of the query",
      cursor.kind === "union" || cursor.kind === "intersect" || cursor.kind === "except" || cursor.kind === "minus"
        ? "ORDER BY and LIMIT belong to the whole query: put the first part in parentheses."
        : undefined,
    );
  }
  if (body.kind === "nested" && common === undefined && !trailing) {
    return body.query;
  }
  return { kind: "query", span: cursor.spanFrom(start), with: common, body, orderBy, limit, offset };
}

/** `FETCH {FIRST | NEXT} [n] {ROW | ROWS} {ONLY | WITH TIES}`, after FETCH. */
function parseFetch(cursor: Cursor, start: number): RowLimit {
  if (!cursor.accept("first")) {
    cursor.expect("next", "FIRST or NEXT after FETCH");
  }
  const countStart = cursor.start;
  const next = cursor.peek(1);
  const count: Expression =
    (cursor.kind === "row" || cursor.kind === "rows") && (next === "only" || next === "with")
      ? { kind: "number", span: { start: countStart, end: countStart }, text: "1" }
      : cursor.grammar.parseExpression(cursor);
  if (!cursor.accept("rows")) {
    cursor.expect("row", "ROWS after the count of FETCH");
  }
  let withTies = false;
  if (cursor.accept("with")) {
    cursor.expect("ties", "TIES after WITH");
    withTies = true;
  } else {
    cursor.expect("only", "ONLY or WITH TIES");
  }
  return { span: cursor.spanFrom(start), count, withTies };
}

/** OVER, WINDOW and frames. */
import type { Cursor } from "./cursor.ts";
import { parseOrderBy } from "./sorting.ts";
import type { Expression, Frame, FrameBound, NamedWindow, Window } from "./tree.ts";

/** The window after OVER: a name, or a window in parentheses. */
export function parseOver(cursor: Cursor): Window {
  const start = cursor.start;
  if (cursor.kind === "(") {
    return parseWindow(cursor);
  }
  const base = cursor.name("a window name or '(' after OVER");
  return { span: cursor.spanFrom(start), base, named: true, partitionBy: [], orderBy: [], frame: undefined };
}

/** `WINDOW name AS (…), …`, or nothing. */
export function parseNamedWindows(cursor: Cursor): NamedWindow[] {
  const windows: NamedWindow[] = [];
  if (!cursor.accept("window")) {
    return windows;
  }
  do {
    const name = cursor.name("a window name");
    cursor.expect("as", "AS after the window name");
    if (cursor.kind !== "(") {
      cursor.expected("'(' before the window");
    }
    windows.push({ name, window: parseWindow(cursor) });
  } while (cursor.accept(","));
  return windows;
}

function parseWindow(cursor: Cursor): Window {
  const start = cursor.start;
  const outer = cursor.enter();
  cursor.advance();
  const base = beginsClause(cursor) || !cursor.isName() ? undefined : cursor.name("a window name");
  const partitionBy: Expression[] = [];
  if (cursor.accept("partition")) {
    cursor.expect("by", "BY after PARTITION");
    do {
      partitionBy.push(cursor.grammar.parseExpression(cursor));
    } while (cursor.accept(","));
  }
  const orderBy = parseOrderBy(cursor);
  const frame = parseFrame(cursor);
  cursor.expect(")", "PARTITION BY, ORDER BY, a frame or ')' in the window");
  cursor.leave(outer);
  return { span: cursor.spanFrom(start), base, named: false, partitionBy, orderBy, frame };
}

/**
 * PARTITION, ROWS, RANGE and GROUPS are ordinary names elsewhere; at the start of a window they are clauses, as in
 * PostgreSQL.
 */
function beginsClause(cursor: Cursor): boolean {
  const kind = cursor.kind;
  return kind === "partition" || kind === "rows" || kind === "range" || kind === "groups";
}

function parseFrame(cursor: Cursor): Frame | undefined {
  const start = cursor.start;
  const unit = cursor.kind;
  if (unit !== "rows" && unit !== "range" && unit !== "groups") {
    return undefined;
  }
  cursor.advance();
  const between = cursor.accept("between");
  const first = parseBound(cursor);
  let last: FrameBound | undefined;
  if (between) {
    cursor.expect("and", "AND between the bounds of the frame");
    last = parseBound(cursor);
  }
  if (
    RANKS[first.kind] > RANKS[(last ?? CURRENT_ROW).kind] ||
    RANKS[first.kind] === 4 ||
    RANKS[last?.kind ?? "current-row"] === 0
  ) {
    cursor.fail("the frame begins behind its end", "Put the earlier bound first.", cursor.spanFrom(start));
  }
  return { span: cursor.spanFrom(start), unit, start: first, end: last, exclude: parseExclusion(cursor) };
}

const CURRENT_ROW: FrameBound = { kind: "current-row" };

/** Bounds from the beginning of the partition to its end. */
const RANKS: { readonly [kind in FrameBound["kind"]]: number } = {
  "unbounded-preceding": 0,
  preceding: 1,
  "current-row": 2,
  following: 3,
  "unbounded-following": 4,
};

function parseBound(cursor: Cursor): FrameBound {
  if (cursor.kind === "current" && cursor.peek(1) === "row") {
    cursor.advance();
    cursor.advance();
    return CURRENT_ROW;
  }
  if (cursor.accept("unbounded")) {
    return parseDirection(cursor) ? { kind: "unbounded-preceding" } : { kind: "unbounded-following" };
  }
  const offset = cursor.grammar.parseExpression(cursor);
  return { kind: parseDirection(cursor) ? "preceding" : "following", offset };
}

/** True for PRECEDING, false for FOLLOWING. */
function parseDirection(cursor: Cursor): boolean {
  if (cursor.accept("preceding")) {
    return true;
  }
  cursor.expect("following", "PRECEDING or FOLLOWING");
  return false;
}

function parseExclusion(cursor: Cursor): Frame["exclude"] {
  if (!cursor.accept("exclude")) {
    return undefined;
  }
  switch (cursor.kind) {
    case "current":
      cursor.advance();
      cursor.expect("row", "ROW after EXCLUDE CURRENT");
      return "current row";
    case "group":
    case "ties": {
      const exclusion = cursor.kind;
      cursor.advance();
      return exclusion;
    }
    case "no":
      cursor.advance();
      cursor.expect("others", "OTHERS after EXCLUDE NO");
      return undefined;
    default:
      return cursor.expected("CURRENT ROW, GROUP, TIES or NO OTHERS after EXCLUDE");
  }
}

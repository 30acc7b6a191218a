/** ORDER BY, in every position. */
import type { Cursor } from "./cursor.ts";
import type { SortItem } from "./tree.ts";

/** `ORDER BY …`, or nothing. */
export function parseOrderBy(cursor: Cursor): readonly SortItem[] {
  if (cursor.kind !== "order") {
    return NONE;
  }
  cursor.advance();
  cursor.expect("by", "BY after ORDER");
  const items = [parseSortItem(cursor)];
  while (cursor.accept(",")) {
    items.push(parseSortItem(cursor));
  }
  return items;
}

const NONE: readonly SortItem[] = [];

function parseSortItem(cursor: Cursor): SortItem {
  const start = cursor.start;
  const expression = cursor.grammar.parseExpression(cursor);
  const direction = parseDirection(cursor);
  let nulls: SortItem["nulls"];
  if (cursor.kind === "nulls" && (cursor.peek(1) === "first" || cursor.peek(1) === "last")) {
    cursor.advance();
    nulls = cursor.at("first") ? "first" : "last";
    cursor.advance();
  }
  return { span: cursor.spanFrom(start), expression, direction, nulls };
}

/** ASC, DESC, and PostgreSQL's operator forms. */
function parseDirection(cursor: Cursor): SortItem["direction"] {
  if (cursor.accept("asc")) return "asc";
  if (cursor.accept("desc")) return "desc";
  if (!cursor.accept("using")) return undefined;
  if (cursor.accept("<")) return "asc";
  if (cursor.accept(">")) return "desc";
  cursor.expected("< or > after USING", "Write ASC or DESC.");
}

/** WITH in front of a query: which names it gives, and the queries in it. */

import type { LexicalRules } from "../syntax/lexical-rules.ts";
import { syntaxFault } from "../syntax/syntax-fault.ts";
import { type CommonTables, foldName } from "./names.ts";
import type { TokenCursor } from "./token-cursor.ts";

/**
 * Reads the list after WITH; the cursor ends before the query. `readLevel` reads one level of brackets whose opening
 * one has been read. A name is visible after its definition, and inside it where the source allows recursion: `WITH
 * orders AS (SELECT * FROM orders)` reads the table. @throws PlannerError SYNTAX
 */
export function readCommonTables(
  cursor: TokenCursor,
  rules: LexicalRules,
  names: CommonTables,
  readLevel: () => void,
): void {
  const recursive = cursor.word() === "recursive" && cursor.word(cursor.index + 1) !== "as";
  if (recursive) {
    cursor.take();
    for (const name of upcomingNames(cursor)) names.add(foldName(cursor.part(name), rules.folding));
  }
  for (;;) {
    const name = cursor.index;
    const body = bodyOf(cursor, name);
    if (body === undefined) {
      if (!rules.scalarWith) {
        const token = cursor.at();
        throw syntaxFault("expected name AS (…) behind WITH", token?.start ?? 0, token?.end ?? 0);
      }
      skipExpression(cursor, readLevel);
    } else {
      const key = foldName(cursor.part(name), rules.folding);
      if (rules.recursesUnasked) names.add(key);
      cursor.index = body + 1;
      readLevel();
      names.add(key);
      skipSearchAndCycle(cursor);
    }
    if (cursor.sign() !== ",") return;
    cursor.take();
  }
}

/** Index of the bracket that opens the query of `name [(columns)] AS [[NOT] MATERIALIZED] (`; `undefined` for anything else. */
function bodyOf(cursor: TokenCursor, name: number): number | undefined {
  if (!cursor.isName(name)) return undefined;
  let at = cursor.behindBrackets(name + 1);
  if (cursor.word(at) !== "as") return undefined;
  at++;
  if (cursor.word(at) === "not") at++;
  if (cursor.word(at) === "materialized") at++;
  return cursor.sign(at) === "(" ? at : undefined;
}

/** Indexes of all names that the list gives. */
function upcomingNames(cursor: TokenCursor): readonly number[] {
  const found: number[] = [];
  let at = cursor.index;
  for (let body = bodyOf(cursor, at); body !== undefined; body = bodyOf(cursor, at)) {
    found.push(at);
    at = cursor.behindBrackets(body);
    while (cursor.at(at) !== undefined && !beginsCommonTable(cursor, at)) at++;
    at++;
  }
  return found;
}

/** Whether the comma at `at` precedes another common table. */
function beginsCommonTable(cursor: TokenCursor, at: number): boolean {
  return cursor.sign(at) === "," && bodyOf(cursor, at + 1) !== undefined;
}

/** SEARCH … SET …, CYCLE … SET …: names of columns, with commas of their own. */
function skipSearchAndCycle(cursor: TokenCursor): void {
  if (cursor.word() !== "search" && cursor.word() !== "cycle") return;
  while (!cursor.atEnd() && !beginsCommonTable(cursor, cursor.index)) {
    if (cursor.sign() === "(" || cursor.word() === "select" || cursor.word() === "values") return;
    cursor.take();
  }
}

/** ClickHouse: `WITH expression AS name`. */
function skipExpression(cursor: TokenCursor, readLevel: () => void): void {
  while (!cursor.atEnd() && cursor.sign() !== "," && cursor.word() !== "select") {
    const bracket = cursor.behindBrackets() !== cursor.index;
    cursor.take();
    if (bracket) readLevel();
  }
}

/**
 * That a statement is a query, and only reads. The server runs one statement at a time and takes nothing for a query that does
 * not begin as one, so what is left to look for are words inside: locks, and functions that are written into it, which can do
 * anything. https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";

const FIRST: ReadonlySet<string> = new Set(["SELECT", "WITH"]);

/** Reserved: names that are these have to stand in quotes. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "UPDATE",
  "INTO",
  "INSERT",
  "DELETE",
  "LOCK",
  "ALTER",
  "CREATE",
  "DROP",
]);

/** Texts, with q'[…]' among them, names in quotes, comments, which do not nest, words, and what else stands for itself. */
const PARTS =
  /n?q'(?:\[[\s\S]*?\]|\{[\s\S]*?\}|\([\s\S]*?\)|<[\s\S]*?>|([^\s[{(<])[\s\S]*?\1)'|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\p{L}[\p{L}\p{N}_$#]*|\p{N}[\p{L}\p{N}_$#.]*|[\s\S]/giu;

/** Throws `SOURCE_INVALID_SQL` for anything else. */
export function checkSingleQuery(sql: string): void {
  let isFirst = true;
  let isAfterWith = false;
  for (const [part] of sql.matchAll(PARTS)) {
    if (/^(?:\s|--|\/\*.)/s.test(part)) continue;
    // A text or a comment without an end: what is in it cannot be told.
    if (part === "'" || part === '"' || part === ";") throw refused();
    const word = part.toUpperCase();
    if (isFirst && part !== "(" && !FIRST.has(word)) throw refused();
    if (part !== "(") isFirst = false;
    if (FORBIDDEN.has(word) || (isAfterWith && (word === "FUNCTION" || word === "PROCEDURE"))) throw refused();
    isAfterWith = word === "WITH";
  }
  if (isFirst) throw refused();
}

function refused(): ConnectorFailure {
  return new ConnectorFailure(
    "SOURCE_INVALID_SQL",
    "Only queries are run, one at a time, which lock and write nothing.",
    {
      hint: "Send one SELECT.",
    },
  );
}

/**
 * Checks that a statement is a query and only reads. The server runs one statement at a time and accepts as a query
 * only text that begins like one, so only words inside it must be checked: locks, and inline functions, which can do
 * anything. https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";

const FIRST: ReadonlySet<string> = new Set(["SELECT", "WITH"]);

/** Reserved words: as names they must be quoted. */
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

/**
 * Texts and quoted names, starts of texts like q'[…]' and of comments, line comments, words, and single other
 * characters.
 */
const PARTS =
  /n?q'[\s\S]?|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*|\p{L}[\p{L}\p{N}_$#]*|\p{N}[\p{L}\p{N}_$#.]*|[\s\S]/giuy;

/** Signs that another one closes behind q'. */
const CLOSES: ReadonlyMap<string, string> = new Map([
  ["[", "]"],
  ["{", "}"],
  ["(", ")"],
  ["<", ">"],
]);

/** Throws `SOURCE_INVALID_SQL` for anything else. */
export function checkSingleQuery(sql: string): void {
  let isFirst = true;
  let isAfterWith = false;
  for (let at = 0; at < sql.length; ) {
    PARTS.lastIndex = at;
    const [part = ""] = PARTS.exec(sql) ?? [];
    at += part.length;
    const close = closeOf(part);
    if (close !== undefined) {
      const end = sql.indexOf(close, at);
      if (end < 0) throw refused();
      at = end + close.length;
    }
    if (/^(?:\s|--|\/\*)/.test(part)) continue;
    // A text or a comment without an end: its content is unknown.
    if (part === "'" || part === '"' || part === ";") throw refused();
    const word = part.toUpperCase();
    if (isFirst && part !== "(" && !FIRST.has(word)) throw refused();
    if (part !== "(") isFirst = false;
    if (FORBIDDEN.has(word) || (isAfterWith && (word === "FUNCTION" || word === "PROCEDURE"))) throw refused();
    isAfterWith = word === "WITH";
  }
  if (isFirst) throw refused();
}

/** The end of a comment or of a text like q'[…]'; undefined for parts that are whole. */
function closeOf(part: string): string | undefined {
  if (part === "/*") return "*/";
  const [, sign] = /^n?q'([\s\S]?)$/i.exec(part) ?? [];
  if (sign === undefined) return undefined;
  if (sign === "" || /\s/.test(sign)) throw refused();
  return `${CLOSES.get(sign) ?? sign}'`;
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

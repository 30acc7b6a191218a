/**
 * Checks that a statement is one query. A batch of SQL Server's takes any number of statements, with nothing between them, and no
 * setting of a session keeps it from writing. What begins another statement, or writes what a query finds, is a reserved word
 * that can be no name without quotes: https://learn.microsoft.com/en-us/sql/t-sql/language-elements/reserved-keywords-transact-sql
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";

const FIRST: ReadonlySet<string> = new Set(["SELECT", "WITH"]);

const FORBIDDEN: ReadonlySet<string> = new Set([
  ...["ADD", "ALTER", "BACKUP", "BEGIN", "BREAK", "BULK", "CHECKPOINT", "CLOSE", "COMMIT", "CONTINUE", "CREATE"],
  ...["DBCC", "DEALLOCATE", "DECLARE", "DELETE", "DENY", "DROP", "DUMP", "EXEC", "EXECUTE", "GOTO", "GRANT", "IF"],
  ...["INSERT", "INTO", "KILL", "LINENO", "LOAD", "OPEN", "OPENDATASOURCE", "OPENQUERY", "OPENROWSET", "PRINT"],
  ...["RAISERROR", "READTEXT", "RECONFIGURE", "RESTORE", "RETURN", "REVERT", "REVOKE", "ROLLBACK", "SAVE", "SET"],
  ...["SETUSER", "SHUTDOWN", "TRUNCATE", "UPDATE", "UPDATETEXT", "WAITFOR", "WHILE", "WRITETEXT"],
]);

/** Reserved as well, and words of joins and hints of a query in these places. */
const IN_HINTS: ReadonlyMap<string, RegExp> = new Map([
  ["MERGE", /^\s*(?:JOIN|UNION)\b/i],
  ["USE", /^\s*(?:HINT|PLAN)\b/i],
]);

/** Texts, quoted names, comments (whose nesting is counted), words, and single other characters. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*(\])?|--[^\n]*|\/\*|[\p{L}_@#][\p{L}\p{N}_@#$]*|[\s\S]/gu;

/** Throws `SOURCE_INVALID_SQL` for anything else. */
export function checkSingleQuery(sql: string): void {
  let isFirst = true;
  let isOver = false;
  for (let at = 0; at < sql.length; ) {
    PARTS.lastIndex = at;
    const [part = "", close] = PARTS.exec(sql) ?? [];
    at += part.length;
    // The server does not accept an unclosed name either.
    if (part.startsWith("[") && close === undefined) throw refused();
    if (part === "/*") {
      at = endOfComment(sql, at);
      continue;
    }
    if (part.startsWith("--") || /^\s$/.test(part)) continue;
    if (isOver) throw refused();
    if (part === ";") {
      isOver = true;
      continue;
    }
    const word = part.toUpperCase();
    if (isFirst && part !== "(" && !FIRST.has(word)) throw refused();
    if (part !== "(") isFirst = false;
    const asHint = IN_HINTS.get(word);
    if (FORBIDDEN.has(word) || (asHint !== undefined && !asHint.test(sql.slice(at, at + 40)))) throw refused();
  }
  if (isFirst) throw refused();
}

function endOfComment(sql: string, from: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  for (let depth = 1; depth > 0; ) {
    const found = mark.exec(sql);
    if (found === null) throw refused();
    depth += found[0] === "/*" ? 1 : -1;
  }
  return mark.lastIndex;
}

function refused(): ConnectorFailure {
  return new ConnectorFailure("SOURCE_INVALID_SQL", "Only queries are run, one at a time.", {
    hint: "Send one SELECT.",
  });
}

/** PostgreSQL has no word QUALIFY: it is a clause only where it cannot be a name. */
import type { Cursor } from "./cursor.ts";
import { keywordFacts } from "./keywords.ts";

/**
 * True when the word `qualify` at the cursor, which might also be an alias, begins the clause: an expression follows.
 * `FROM t qualify WHERE` and `FROM t qualify LEFT JOIN u` keep it as an alias.
 */
export function beginsQualify(cursor: Cursor): boolean {
  const next = cursor.peek(1);
  switch (next) {
    case "$number":
    case "$string":
    case "$identifier":
    case "$quoted":
    case "$session":
    case "$hexadecimal":
    case "$binary":
    case "(":
    case "[":
    case "-":
    case "+":
    case "~":
    case "not":
    case "case":
    case "cast":
    case "true":
    case "false":
    case "null":
    case "array":
    case "current_date":
    case "current_time":
    case "current_timestamp":
    case "localtime":
    case "localtimestamp":
    case "current_user":
    case "session_user":
    case "user":
      return true;
    default: {
      const found = keywordFacts(next)?.keywordClass;
      return found === "unreserved" || found === "column" || (found === "type" && cursor.peek(2) === "(");
    }
  }
}

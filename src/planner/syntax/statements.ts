/** Statements and clauses that do more than read; the error names them. */
import { PlannerError } from "../diagnostics.ts";
import type { Cursor } from "./cursor.ts";

/** First words of statements that are not queries. */
const STATEMENTS = new Set(
  (
    "insert update delete merge upsert create drop alter truncate copy call exec execute do set reset show explain describe " +
    "desc pragma attach detach grant revoke deny begin start commit rollback savepoint release abort lock unlock vacuum " +
    "analyze analyse cluster reindex refresh comment use declare fetch close open move prepare deallocate listen notify " +
    "unlisten load install import export checkpoint kill optimize put get unload replace rename summarize handler " +
    "discard reassign security"
  ).split(" "),
);

/** Throws UNSUPPORTED_STATEMENT when a query is expected and the cursor is at another statement. */
export function refuseStatement(cursor: Cursor): void {
  if (cursor.kind === "from") {
    cursor.expected("SELECT", "A query begins with SELECT; FROM follows the select list.");
  }
  if (cursor.kind !== "$quoted" && cursor.kind !== "$string" && STATEMENTS.has(cursor.word.toLowerCase())) {
    throw refusal(cursor.word.toUpperCase(), cursor, "Only a query is accepted: SELECT, WITH … SELECT or VALUES.");
  }
}

/** Throws UNSUPPORTED_STATEMENT at the clauses that make a query write or lock: INTO, FOR UPDATE, FOR SHARE. */
export function refuseClause(cursor: Cursor): void {
  if (cursor.kind === "into") {
    throw refusal("SELECT … INTO", cursor, "Queries only read: remove INTO.");
  }
  if (cursor.kind === "for") {
    const lock = cursor.wordAt(1).toUpperCase();
    if (lock === "UPDATE" || lock === "SHARE" || lock === "NO" || lock === "KEY") {
      throw refusal(`SELECT … FOR ${lock}`, cursor, "Queries take no locks: remove FOR.");
    }
  }
}

function refusal(statement: string, cursor: Cursor, hint: string): PlannerError {
  return new PlannerError("UNSUPPORTED_STATEMENT", `${statement} is not supported`, { span: cursor.tokenSpan(), hint });
}

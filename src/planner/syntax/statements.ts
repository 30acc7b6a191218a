/** Statements and clauses that do more than read: named in the refusal. */
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

const ONLY_QUERIES = "only a query is accepted: SELECT, WITH … SELECT or VALUES";

/** Throws UNSUPPORTED_STATEMENT when the cursor stands at a statement or clause that is not part of a query. */
export function refuseStatement(cursor: Cursor): void {
  switch (cursor.kind) {
    case "into":
      throw refusal("SELECT … INTO", cursor, "queries only read: remove INTO");
    case "for": {
      const lock = cursor.wordAt(1).toUpperCase();
      if (lock === "UPDATE" || lock === "SHARE" || lock === "NO" || lock === "KEY") {
        throw refusal(`SELECT … FOR ${lock}`, cursor, "queries take no locks: remove FOR");
      }
      return;
    }
    case "from":
      cursor.expected("SELECT", "a query begins with SELECT: SELECT * FROM …");
      break;
    case "$quoted":
    case "$string":
      return;
    default: {
      const word = cursor.word.toLowerCase();
      if (STATEMENTS.has(word)) {
        throw refusal(word.toUpperCase(), cursor, ONLY_QUERIES);
      }
    }
  }
}

function refusal(statement: string, cursor: Cursor, hint: string): PlannerError {
  return new PlannerError("UNSUPPORTED_STATEMENT", `${statement} is not supported`, { span: cursor.tokenSpan(), hint });
}

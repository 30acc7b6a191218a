/**
 * Failures of a source while access rules are active. The source's message may quote an excluded row. If several values raise
 * errors, the plan decides which error comes first, and the estimates behind the plan include excluded rows. So all errors over
 * values have one reason, one message and no code, on every source.
 */
import { ConnectorFailure, type FailureReason } from "../connectors/failure.ts";

/**
 * Codes that a source reports before it reads a row, or for a time-out: names, syntax, permissions. Any other code may depend on
 * a value.
 */
const BEFORE_ROWS: ReadonlySet<string> = new Set(
  [
    // PostgreSQL, Redshift, Canner (https://www.postgresql.org/docs/current/errcodes-appendix.html); Spark reports some of them
    "42P01 42703 42883 42601 42501 3D000 3F000 57014 25P03 25P04",
    // MySQL and MariaDB (https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html)
    "1044 1049 1054 1064 1142 1143 1146 1227 1305 1317 1370 1969 3024",
    // DuckDB
    "Catalog Binder Parser",
    // Trino, Athena
    "SYNTAX_ERROR CATALOG_NOT_FOUND SCHEMA_NOT_FOUND TABLE_NOT_FOUND COLUMN_NOT_FOUND FUNCTION_NOT_FOUND PERMISSION_DENIED",
    "EXCEEDED_TIME_LIMIT",
    // ClickHouse: UNKNOWN_FUNCTION, UNKNOWN_IDENTIFIER, UNKNOWN_TABLE, SYNTAX_ERROR, UNKNOWN_DATABASE, TIMEOUT_EXCEEDED, READONLY,
    // ACCESS_DENIED
    "46 47 60 62 81 159 164 497",
    // Spark, Databricks
    "PARSE_SYNTAX_ERROR TABLE_OR_VIEW_NOT_FOUND UNRESOLVED_ROUTINE INSUFFICIENT_PERMISSIONS",
    // BigQuery
    "notFound accessDenied",
    // Oracle
    "ORA-00904 ORA-00942 ORA-01031",
  ].flatMap((codes) => codes.split(" ")),
);

/** The failure as the caller may see it: reason and message are the same for all errors over values. */
export function failureUnderRules({ reason, engineCode, retryAfter }: ConnectorFailure): ConnectorFailure {
  const isShown = engineCode !== undefined && BEFORE_ROWS.has(engineCode);
  const shown = isShown || engineCode === undefined ? reason : reasonOverValues(reason);
  return new ConnectorFailure(shown, messageOf(shown, isShown ? ` (${engineCode})` : ""), {
    hint: "Access rules are active, so what the source says about it is not shown.",
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Any error of a source over a statement with a barrier that is not proven: a code may tell of an excluded row, too. */
export function failureUnprovenly({ retryAfter }: ConnectorFailure): ConnectorFailure {
  return new ConnectorFailure("SOURCE_ERROR", messageOf("SOURCE_ERROR", ""), {
    hint: "Access rules are active, so what the source says about it is not shown.",
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

function messageOf(reason: FailureReason, code: string): string {
  if (reason === "STATEMENT_TIMEOUT") return `the statement took too long${code}`;
  return `The data source ${reason === "SOURCE_INVALID_SQL" ? "does not accept" : "failed to run"} the statement${code}.`;
}

/** Some sources detect errors over values only at execution, and report them like syntax errors. */
function reasonOverValues(reason: FailureReason): FailureReason {
  return reason === "SOURCE_INVALID_SQL" ? "SOURCE_ERROR" : reason;
}

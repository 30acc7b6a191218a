/**
 * Plans for SQL Server, which cannot be run in tests: sqlglot parses each statement as T-SQL and writes it for DuckDB.
 * Expected rows are those of the analyst queries, and otherwise those of DuckDB's own plan, which other suites compare
 * with PostgreSQL's. This finds structural errors, but not facts that only the server knows (collations, lengths of
 * decimals, rejected statements).
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { MSSQL_READ_BACK } from "./own.ts";

describeReadBack(MSSQL_READ_BACK);

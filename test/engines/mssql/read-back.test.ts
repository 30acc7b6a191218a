/**
 * What is planned for SQL Server, on which nothing can be run here: sqlglot reads each statement as T-SQL and says it for
 * DuckDB. The rows are those of the analyst queries, and elsewhere those that DuckDB gives to its own plan, which other suites
 * compare with PostgreSQL's. That shows slips of structure, and not what only the server knows (collations, lengths of
 * decimals, what it refuses).
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { MSSQL_READ_BACK } from "./own.ts";

describeReadBack(MSSQL_READ_BACK);

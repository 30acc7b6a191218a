/**
 * Plans for Oracle, which cannot be run in tests: sqlglot parses each statement as Oracle SQL and writes it for DuckDB.
 * Expected rows are those of the analyst queries, and otherwise those of DuckDB's own plan, which other suites compare
 * with PostgreSQL's. The empty text is converted to NULL, as in Oracle.
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { ORACLE_SAMPLE } from "./own.ts";

describeReadBack(ORACLE_SAMPLE);

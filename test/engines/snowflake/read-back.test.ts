/**
 * Plans for Snowflake, which cannot be run in tests: sqlglot parses each statement as Snowflake SQL and writes it for
 * DuckDB. Expected rows are those of the analyst queries, and otherwise those of DuckDB's own plan, which other suites
 * compare with PostgreSQL's. This finds structural errors, but not facts that only an account knows (lengths of
 * decimals, rejected statements).
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { SNOWFLAKE_READ_BACK } from "./own.ts";

describeReadBack(SNOWFLAKE_READ_BACK);

/**
 * What is planned for Snowflake, on which nothing can be run here: sqlglot reads each statement as Snowflake's and says it for DuckDB. The
 * rows are those of the analyst queries, and elsewhere those that DuckDB gives to its own plan, which other suites compare with
 * PostgreSQL's. That shows slips of structure, and not what only an account knows (lengths of decimals, what it refuses).
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { SNOWFLAKE_READ_BACK } from "./own.ts";

describeReadBack(SNOWFLAKE_READ_BACK);

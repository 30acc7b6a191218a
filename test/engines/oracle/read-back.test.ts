/**
 * What is planned for Oracle, on which nothing can be run here: sqlglot reads each statement as Oracle's and says it for DuckDB. The
 * rows are those of the analyst queries, and elsewhere those that DuckDB gives to its own plan, which other suites compare with
 * PostgreSQL's. The empty text is made NULL on the way, as Oracle has it.
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { ORACLE_SAMPLE } from "./own.ts";

describeReadBack(ORACLE_SAMPLE);

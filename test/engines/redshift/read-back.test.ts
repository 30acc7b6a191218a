/**
 * What is planned for Redshift, on which nothing can be run here: sqlglot reads each statement as Redshift's and says it for DuckDB.
 * The rows are those of the analyst queries, and elsewhere those that DuckDB gives to its own plan, which other suites compare with
 * PostgreSQL's. That shows slips of structure, and not what only a cluster knows (blanks at the end of texts, lengths of decimals,
 * what it refuses).
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { REDSHIFT_READ_BACK } from "./own.ts";

describeReadBack(REDSHIFT_READ_BACK);

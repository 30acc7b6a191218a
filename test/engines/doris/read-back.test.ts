/**
 * What is planned for Doris, on which nothing can be run here: sqlglot reads each statement as Doris' and says it for DuckDB. The rows are
 * those of the analyst queries, and elsewhere those that DuckDB gives to its own plan, which other suites compare with PostgreSQL's.
 * That shows slips of structure, and not what only a cluster knows (lengths of decimals, casts that fail, what it refuses).
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { DORIS_READ_BACK } from "./own.ts";

describeReadBack(DORIS_READ_BACK);

/**
 * Plans for Doris, which cannot be run in tests: sqlglot parses each statement as Doris SQL and writes it for DuckDB.
 * Expected rows are those of the analyst queries, and otherwise those of DuckDB's own plan, which other suites compare
 * with PostgreSQL's. This finds structural errors, but not facts that only a cluster knows (lengths of decimals,
 * failing casts, rejected statements).
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { DORIS_READ_BACK } from "./own.ts";

describeReadBack(DORIS_READ_BACK);

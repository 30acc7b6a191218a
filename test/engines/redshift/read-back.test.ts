/**
 * Plans for Redshift, which cannot be run in tests: sqlglot parses each statement as Redshift SQL and writes it for
 * DuckDB. Expected rows are those of the analyst queries, and otherwise those of DuckDB's own plan, which other suites
 * compare with PostgreSQL's. This finds structural errors, but not facts that only a cluster knows (trailing blanks of
 * texts, lengths of decimals, rejected statements).
 */
import { describeReadBack } from "../unexecuted/describe.ts";
import { REDSHIFT_READ_BACK } from "./own.ts";

describeReadBack(REDSHIFT_READ_BACK);

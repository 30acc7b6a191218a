/** What Redshift, a fork of PostgreSQL 8.0, writes differently. */
import type { LexicalRules } from "../../../syntax/lexical-rules.ts";
import { POSTGRES_LEXICAL } from "../lexical.ts";

export const REDSHIFT_LEXICAL: LexicalRules = {
  ...POSTGRES_LEXICAL,
  name: "redshift",
  // PostgreSQL 8.0 read backslashes in every string.
  backslashEscapes: true,
  // https://docs.aws.amazon.com/redshift/latest/dg/query-super.html
  correlatedPaths: true,
};

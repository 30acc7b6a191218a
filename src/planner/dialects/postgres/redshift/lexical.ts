/** Lexical differences of Redshift, a fork of PostgreSQL 8.0. */
import type { LexicalRules } from "../../../syntax/lexical-rules.ts";
import { POSTGRES_LEXICAL } from "../lexical.ts";

/** https://docs.aws.amazon.com/redshift/latest/dg/r_pg_keywords.html, without those that PostgreSQL reserves as well. */
const RESERVED = [
  "aes128 aes256 allowoverwrite az64 backup blanksasnull bytedict bzip2 credentials defaultrole deflate defrag delta delta32k",
  "disable emptyasnull enable encode encrypt encryption explicit globaldict256 globaldict64k gzip identity ignore interval lun",
  "luns lzo lzop minus mostly16 mostly32 mostly8 new nulls off offline oid old open parallel partition percent permissions",
  "pivot raw readratio recover rejectlog resort respect restore snapshot sysdate system tag tdes text255 text32k timestamp top",
  "truncatecolumns unnest unpivot wallet without",
];

export const REDSHIFT_LEXICAL: LexicalRules = {
  ...POSTGRES_LEXICAL,
  name: "redshift",
  reserved: new Set(RESERVED.flatMap((line) => line.split(" "))),
  // PostgreSQL 8.0 read backslashes in every string.
  backslashEscapes: true,
  // https://docs.aws.amazon.com/redshift/latest/dg/query-super.html
  correlatedPaths: true,
};

import type { ReasonedRefusals } from "./refusals.ts";
import { CORPUS_REFUSED_BY_SPARK } from "./spark-corpus.ts";
/**
 * Casts and corpus queries, and constructs and functions (`matrix.ts`), that the planner rejects on Spark: those
 * without an exact form (intervals, times of day, JSON as results, recursion), and features not implemented yet.
 */
export const REFUSED_BY_SPARK: ReasonedRefusals = {
  corpus: CORPUS_REFUSED_BY_SPARK,
  acceptance: [],
  casts: {
    integer: "char(3) bytea bit(3)",
    bigint: "char(3) bytea bit(3)",
    decimal: "char(3)",
    float: "char(3)",
    real: "text varchar(2) char(3)",
    word: "char(3) bytea",
    "text of integers": "char(3) interval bytea json jsonb",
    "text of decimals": "char(3) interval bytea json jsonb",
    "text of booleans": "char(3) bytea",
    "text of a date": "char(3) timestamp(0) bytea",
    "text of a timestamp": "char(3) timetz timestamp(0) bytea",
    "text of a time": "char(3) timetz interval bytea",
    "text of a uuid": "char(3) bytea",
    "text of json": "char(3) bytea json jsonb",
    "text of an interval": "char(3) interval bytea",
    date: "timestamp(0)",
    time: "char(3) timetz interval",
    timestamp: "timestamp(0)",
    instant: "timetz timestamp(0)",
    interval: "text varchar(2) char(3) time interval",
    bytes: "smallint integer bigint text varchar(2) char(3)",
    json: "text varchar(2) char(3)",
    "number in json": "smallint integer bigint numeric numeric(10,1) real float8 text varchar(2) char(3) json jsonb",
    "boolean in json": "boolean text varchar(2) char(3) json jsonb",
    array: "text varchar(2) char(3) text[]",
    "array of texts": "text varchar(2) char(3) integer[]",
    row: "text varchar(2) char(3)",
    bits: "integer bigint text varchar(2) char(3) bit(3)",
  },
  raisingCasts: { "text of a timestamp": "date time" },
};

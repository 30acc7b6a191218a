import { CORPUS_REFUSED_BY_CLICKHOUSE } from "./clickhouse-corpus.ts";
import { type EngineRefusals, NO_REFUSALS } from "./refusals.ts";
/** By the numbers of the benchmarks' queries. */
export const REFUSED_BENCHMARKS: Readonly<Record<"TPC-H" | "TPC-DS", readonly number[]>> = {
  "TPC-H": [],
  "TPC-DS": [],
};

/**
 * Casts and corpus queries, and constructs and functions (`matrix.ts`), that the planner rejects on ClickHouse:
 * features not implemented yet, mostly functions, and unsupported ones (correlated subqueries, intervals as values).
 */
export const REFUSED_BY_CLICKHOUSE: EngineRefusals = {
  ...NO_REFUSALS,
  corpus: CORPUS_REFUSED_BY_CLICKHOUSE,

  casts: {
    integer: "char(3) bytea bit(3)",
    bigint: "char(3) bytea bit(3)",
    decimal: "char(3)",
    float: "char(3)",
    real: "char(3)",
    word: "char(3) bytea",
    "text of integers": "char(3) interval bytea json jsonb",
    "text of decimals": "char(3) interval bytea json jsonb",
    "text of booleans": "char(3) bytea",
    "text of a date": "char(3) timestamp(0) bytea",
    "text of a timestamp": "char(3) time timetz timestamp(0) bytea",
    "text of a time": "char(3) time timetz interval bytea",
    "text of a uuid": "char(3) bytea uuid",
    "text of json": "char(3) bytea json jsonb",
    "text of an interval": "char(3) interval bytea",
    date: "text varchar(2) char(3) date timestamp timestamp(0) timestamptz",
    time: "timetz interval",
    timestamp: "timestamp(0)",
    instant: "timetz timestamp(0)",
    interval: "text varchar(2) char(3) time interval",
    bytes: "smallint integer bigint text varchar(2) char(3) bytea",
    json: "text varchar(2) char(3) json jsonb",
    "number in json": "smallint integer bigint numeric numeric(10,1) real float8 text varchar(2) char(3) json jsonb",
    "boolean in json": "boolean text varchar(2) char(3) json jsonb",
    array: "text varchar(2) char(3) integer[] text[]",
    "array of texts": "text varchar(2) char(3) integer[] text[]",
    row: "text varchar(2) char(3)",
    bits: "integer bigint text varchar(2) char(3) bit(3)",
  },
  raisingCasts: { "text of a timestamp": "date" },
};

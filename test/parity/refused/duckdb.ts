import { type EngineRefusals, NO_REFUSALS, type Refusal } from "./refusals.ts";

const unsupported = (why: string): Refusal => ({ reason: "UNSUPPORTED_ON_SOURCE", why });

const JSON_EQUALITY = "JSON is text on DuckDB, so that equal documents may be written differently: no exact comparison";

export const REFUSED_BY_DUCKDB: EngineRefusals = {
  ...NO_REFUSALS,
  corpus: {
    "events/reports/json-without-key": unsupported(JSON_EQUALITY),
    "events/traffic/exact-duplicates": unsupported(JSON_EQUALITY),
    "events/users/last-item": unsupported(JSON_EQUALITY),
    "school/reports/codes-by-pattern": unsupported("DuckDB's regular expressions have no back references"),
  },
  // Blanks behind a text, bytes and bits, texts of lists and rows.
  casts: {
    integer: "char(3) bytea bit(3)",
    bigint: "char(3) bytea bit(3)",
    decimal: "char(3)",
    float: "char(3)",
    real: "char(3)",
    word: "char(3) bytea",
    "text of integers": "char(3) bytea",
    "text of decimals": "char(3) bytea",
    "text of booleans": "char(3) bytea",
    "text of a date": "char(3) bytea",
    "text of a timestamp": "char(3) bytea",
    "text of a time": "char(3) bytea",
    "text of a uuid": "char(3) bytea",
    "text of json": "char(3) bytea",
    "text of an interval": "char(3) bytea",
    time: "interval",
    interval: "char(3) time",
    bytes: "smallint integer bigint text varchar(2) char(3)",
    json: "char(3)",
    "number in json": "numeric char(3)",
    "boolean in json": "char(3)",
    array: "text varchar(2) char(3)",
    "array of texts": "text varchar(2) char(3)",
    row: "text varchar(2) char(3)",
    bits: "char(3) bit(3)",
  },
  raisingCasts: { "text of integers": "interval" },
};

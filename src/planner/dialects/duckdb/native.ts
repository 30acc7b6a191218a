/** How a modeller's own text is read for DuckDB: its notations, and names of the input language that it lacks. */
import type { NativeFlavour } from "../../syntax/lexical-rules.ts";
import type { NativeSpellings } from "../../syntax/native-spellings.ts";
import { DUCKDB_LEXICAL } from "./lexical.ts";

const SPELLINGS: NativeSpellings = {
  types: {
    float64: "double",
    float32: "real",
    clob: "text",
    varchar2: "varchar",
    mediumint: "integer",
    bytes: "blob",
    jsonb: "json",
  },
  functions: {
    nvl: { as: "coalesce" },
    mid: { as: "substr" },
    btrim: { as: "trim" },
    startswith: { as: "starts_with" },
    truncate: { as: "trunc" },
    rand: { as: "random" },
  },
};

export const DUCKDB_FLAVOUR: NativeFlavour = { ...DUCKDB_LEXICAL, spellings: SPELLINGS };

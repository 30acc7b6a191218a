/** How a modeller's own text is read for PostgreSQL: its notations, and names of the input language that it lacks. */
import type { NativeFlavour } from "../../syntax/lexical-rules.ts";
import type { NativeSpellings } from "../../syntax/native-spellings.ts";
import { POSTGRES_LEXICAL } from "./lexical.ts";

const SPELLINGS: NativeSpellings = {
  types: {
    double: "double precision",
    float64: "double precision",
    float32: "real",
    string: "text",
    clob: "text",
    nvarchar: "varchar",
    varchar2: "varchar",
    datetime: "timestamp",
    tinyint: "smallint",
    mediumint: "integer",
    int16: "smallint",
    int32: "integer",
    int64: "bigint",
    number: "numeric",
    blob: "bytea",
    bytes: "bytea",
    varbinary: "bytea",
  },
  functions: {
    nvl: { as: "coalesce" },
    ifnull: { as: "coalesce" },
    // With three or four arguments it is that of an extension.
    instr: { as: "strpos", arguments: 2 },
    len: { as: "length" },
    ucase: { as: "upper" },
    lcase: { as: "lower" },
    mid: { as: "substr" },
    startswith: { as: "starts_with" },
    truncate: { as: "trunc" },
    rand: { as: "random" },
  },
};

export const POSTGRES_FLAVOUR: NativeFlavour = { ...POSTGRES_LEXICAL, spellings: SPELLINGS };

/**
 * MySQL's and MariaDB's names of types, as metadata reports them (`connectors/catalog/mysql.ts`): manifests are made of it.
 * https://dev.mysql.com/doc/refman/9.4/en/data-types.html, https://mariadb.com/kb/en/data-types/
 */
import { BINARY, DOUBLE, INT8, INTEGER, REAL, type SqlType, TEXT, TIMESTAMP, type TypeNames } from "../../types.ts";

const FLAG: SqlType = { kind: "boolean", mayBeBits: true };

/** By their number, what BIT columns are called that hold so many bits: metadata tells nothing else by the last two. */
const BITS: Readonly<Record<"tinyint" | "flag" | "int64" | "bignumeric", SqlType>> = {
  tinyint: { kind: "integer", bits: 8, mayBeBits: true },
  // `tinyint(1)`, which is what BOOLEAN makes, and `bit(1)`.
  flag: { kind: "integer", bits: 8, mayBeBits: true, isFlag: true },
  int64: { kind: "integer", bits: 64, mayBeBits: true },
  bignumeric: { kind: "decimal", precision: 20, scale: 0, mayBeBits: true },
};

/** Bits of a value without a sign → the language's narrowest type that holds it. */
function unsigned(bits: number): string {
  if (bits < 16) return "smallint";
  if (bits < 32) return "integer";
  return bits < 64 ? "bigint" : "numeric(20, 0)";
}

const INTEGERS: Readonly<Record<string, number>> = {
  ...{ tinyint: 8, int1: 8, smallint: 16, int2: 16, mediumint: 24, middleint: 24, int3: 24 },
  ...{ int: 32, integer: 32, int4: 32, bigint: 64, int8: 64 },
};

function bitField(width: number): keyof typeof BITS {
  if (width === 1) return "flag";
  if (width < 8) return "tinyint";
  return width < 64 ? "int64" : "bignumeric";
}

/** ZEROFILL brings UNSIGNED with it. Decimals and doubles are what they are without a sign. */
const SIGN = /(?<!\s)\s+(?:(unsigned|zerofill)|signed)\b/g;

function respelled(text: string): string {
  const written = text.trim().toLowerCase();
  const [, name = "", parameters = ""] = /^([a-z0-9_]+)\s*(?:\((.*?)\))?/s.exec(written) ?? [];
  if (name === "enum" || name === "set") return name;
  const signs = [...written.matchAll(SIGN)];
  const bits = INTEGERS[name];
  if (name === "serial") return unsigned(64);
  if (name === "tinyint" && parameters === "1") return "flag";
  if (name === "bit") return bitField(Number(parameters || 1));
  if (bits !== undefined && signs.some(([, isUnsigned]) => isUnsigned !== undefined)) return unsigned(bits);
  // `float(30)` is as long as a double, `float(7, 2)` is no longer than a float.
  if (name === "float" && /^\d+$/.test(parameters) && Number(parameters) > 24) return "double";
  if (signs.length === 0 && name !== "fixed") return text;
  return written.replaceAll(SIGN, "").replace(/^fixed\b/, "decimal");
}

export const MYSQL_TYPE_NAMES: TypeNames = {
  names: new Map([
    ...Object.entries(BITS),
    ["bool", FLAG],
    ["boolean", FLAG],
    ["int1", INT8],
    ["int3", INTEGER],
    ["middleint", INTEGER],
    ["float", REAL],
    // Metadata tells it of a FLOAT, and DOUBLE of a double.
    ["float8", REAL],
    ["real", DOUBLE],
    // Metadata tells it of a DATETIME, and TIMESTAMPTZ of a TIMESTAMP; its own columns the server tells as instants itself.
    ["timestamp", TIMESTAMP],
    ["long", TEXT],
    ["long varchar", TEXT],
    ["long varbinary", BINARY],
  ]),
  respelled,
};

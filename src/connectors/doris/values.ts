/**
 * Reads the values that Doris writes as texts
 * (https://doris.apache.org/docs/dev/sql-manual/basic-element/sql-data-types/conversion/cast-to-string), by the type numbers of
 * MySQL's protocol. A FLOAT has seven digits and a DOUBLE sixteen. Types without a number in the protocol are sent as texts:
 * LARGEINT, JSON, VARIANT, arrays, maps and structs; sketches and bitmaps are NULL. Plans ask for arrays as JSON.
 */
import type { Statement } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import { listOf, readList } from "../http/json-lists.ts";
import { typeAsMeant } from "../meant-type.ts";
import { asMeant } from "../mysql/meant-types.ts";
import { type TextColumn, textColumn } from "../mysql/text-values.ts";
import type { ColumnDefinition } from "../mysql/types.ts";
import { UnreadableValue } from "../unreadable-value.ts";

type Reading = Pick<TextColumn, "type" | "read">;

const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, 128));

const float = (kind: "float32" | "float64", read: (value: number) => number): Reading => ({
  type: { kind },
  read: (bytes) => read(floatOf(ascii(bytes))),
});

function floatOf(text: string): number {
  const [, sign = "", word = ""] = /^(-?)(nan|inf|infinity)$/i.exec(text) ?? [];
  if (word !== "") return word.toLowerCase() === "nan" ? Number.NaN : Number(`${sign}Infinity`);
  if (!/^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(text)) throw new UnreadableValue("a floating-point number");
  return Number(text);
}

/** All digits of the text: Doris reports no precision. */
const DECIMAL: Reading = {
  type: { kind: "decimal" },
  read: (bytes) => {
    const text = ascii(bytes);
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new UnreadableValue("a decimal");
    return text;
  },
};

/** The type names of `textColumn` by the protocol's type numbers. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x01, "INT8"],
  [0x02, "INT16"],
  [0x03, "INT32"],
  [0x06, "NULL"],
  [0x08, "INT64"],
  [0x09, "INT24"],
  [0x0a, "DATE"],
  [0x0b, "TIME"],
  [0x0c, "DATETIME"],
]);

const OWN: ReadonlyMap<number, Reading> = new Map([
  [0x00, DECIMAL],
  [0x04, float("float32", Math.fround)],
  [0x05, float("float64", (value) => value)],
  // An instant: sessions are in UTC.
  [0x07, textColumn({ name: "", type: "TIMESTAMP" })],
  [0xf6, DECIMAL],
]);

/** CHAR, VARCHAR, STRING and all types without a number in the protocol. */
const TEXTS: ReadonlySet<number> = new Set([0x0f, 0xf5, 0xfc, 0xfd, 0xfe]);

/** Throws `SOURCE_ERROR` for a type of the protocol that Doris is not known to send; `meant` is the column in the plan. */
export function dorisColumn(
  { name, type }: ColumnDefinition,
  meant: Statement["columns"][number] | undefined,
): TextColumn {
  const reading = readingOf(name, type);
  const list = reading.type.kind === "string" ? listOf(meant?.type) : undefined;
  if (list !== undefined) return { name, type: list, read: (bytes) => readList(String(reading.read(bytes)), list) };
  if (meant?.type?.kind === "decimal" && reading.type.kind === "string") return { name, ...DECIMAL };
  const { read, type: told } = asMeant(reading, meant?.type);
  return { name, type: typeAsMeant(told, meant?.type), read };
}

function readingOf(name: string, type: number): Reading {
  const own = OWN.get(type);
  if (own !== undefined) return own;
  const known = TEXTS.has(type) ? "TEXT" : NAMES.get(type);
  if (known !== undefined) return textColumn({ name, type: known });
  throw new ConnectorFailure("SOURCE_ERROR", `Column "${name}" is of a type that has no exact text.`, {
    hint: "Cast the column to STRING.",
  });
}

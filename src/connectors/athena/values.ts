/**
 * Types of Athena's results and readers of their texts
 * (https://docs.aws.amazon.com/athena/latest/APIReference/API_ColumnInfo.html): every value is a text in Trino's form, or missing
 * for NULL. The text of a composite value cannot be parsed (`[a, b]` is an array of two elements or of one), so it stays
 * unchanged.
 */
import type { ReadJson } from "../http/json-rows.ts";
import { type TypeReader, typeReader } from "../trino/values.ts";
import { UnreadableValue } from "../unreadable-value.ts";

export interface AthenaColumn {
  readonly Name?: string | undefined;
  readonly Type?: string | undefined;
  readonly Precision?: number | undefined;
  readonly Scale?: number | undefined;
}

/** Reported fraction digits of a second; a text may have fewer. */
const SECOND_DIGITS = 6;
const NESTED = new Set(["array", "map", "row", "struct"]);

export function athenaTypeReader({ Type = "", Precision = 0, Scale = 0 }: AthenaColumn): TypeReader {
  const type = Type.toLowerCase();
  if (NESTED.has(type)) return { type: { kind: "opaque", name: type }, read: text };
  switch (type) {
    case "boolean":
      return { type: { kind: "boolean" }, read: boolean };
    case "varbinary":
      return { type: { kind: "binary" }, read: bytes };
    // Trino's name for it is real.
    case "float":
      return number("real");
    case "real":
    case "double":
      return number(type);
    case "string":
      return typeReader({ rawType: "varchar" }, type);
    case "decimal":
      return typeReader({ rawType: type, arguments: [long(Precision), long(Scale)] }, type);
    case "time":
    case "timestamp":
    case "timestamp with time zone": {
      const { type: logical, read } = typeReader({ rawType: type, arguments: [long(SECOND_DIGITS)] }, type);
      return { type: logical, read: (value) => read(withoutMoreDigits(text(value))) };
    }
    default:
      return typeReader({ rawType: type }, type);
  }
}

const long = (value: number) => ({ kind: "LONG", value }) as const;

const text: (value: unknown) => string = (value) =>
  typeof value === "string" ? value : fail("something that is not text");

const boolean: ReadJson = (value) => (value === "true" ? true : value === "false" ? false : fail("a boolean"));

/** Java writes `1.0E10`. */
function number(rawType: "real" | "double"): TypeReader {
  return typeReader({ rawType }, rawType);
}

/** `68 65 6c 6c 6f` */
const bytes: ReadJson = (value) => {
  const digits = text(value).replaceAll(" ", "");
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) return fail("bytes in hexadecimal digits");
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
};

function withoutMoreDigits(value: string): string {
  return /\.\d{7}/.test(value) ? fail(`a time of more than ${SECOND_DIGITS} digits of a second`) : value;
}

function fail(what: string): never {
  throw new UnreadableValue(what);
}

/**
 * RFC 4180: a header line, CRLF after every line, UTF-8 without a byte order mark. NULL is an empty field and an empty text is
 * `""`. Values are those of `modern` JSON, with decimals in plain digits; nested values are JSON. Values that a spreadsheet would
 * take for a formula are not changed: every other reader would get a wrong value (docs/reference/formats.md).
 */
import { convertColumns } from "../conversion/convert.ts";
import { ResultError } from "../failure.ts";
import { openZone } from "../text/zone.ts";
import type { LogicalType, Row } from "../types.ts";
import type { Encoder } from "./encoder.ts";
import { PROFILES } from "./profiles.ts";
import { encodeText } from "./text-stream.ts";
import { displayZones, type NotNull, textWriter, type WriterContext } from "./value-writers.ts";

export const csvEncoder: Encoder = {
  contentType: "text/csv",
  parameters: ["charset=utf-8", "header=present"],
  lateFailure: "break-off",
  begin(stream, options) {
    const source = convertColumns(stream, options.columnDtypes, options.zone);
    const { columns } = source;
    const zoneOf = displayZones(options.zone === undefined ? undefined : openZone(options.zone));
    const field = options.endLine === true ? fieldBeforeEndLine : plainField;
    const writers = columns.map(({ name, type }) =>
      fieldWriter(type, { column: name, rules: PROFILES.modern.columns, zoneOf }, field),
    );
    return encodeText(
      source,
      {
        head: `${columns.map(({ name }) => field(name)).join(",")}\r\n`,
        row: (row) => line(row, writers),
        end: (rows) => (options.endLine === true ? `# end: ${rows} rows\r\n` : ""),
        failure: (error) => ({ bytes: brokenLine(columns.length, options.describeFailure(error)), isOver: false }),
      },
      options,
    );
  },
};

type WriteField = (value: NotNull) => string;

function line(row: Row, writers: readonly WriteField[]): string {
  if (row.length !== writers.length) {
    throw new ResultError("VALUE_MISMATCH", `A row has ${row.length} values for ${writers.length} columns.`);
  }
  let text = "";
  for (let index = 0; index < writers.length; index++) {
    const value = row[index];
    const write = writers[index];
    if (value === undefined || write === undefined) throw new ResultError("VALUE_MISMATCH", "A row lacks a value.");
    if (index > 0) text += ",";
    if (value !== null) text += write(value);
  }
  return `${text}\r\n`;
}

function fieldWriter(type: LogicalType, context: WriterContext, field: (text: string) => string): WriteField {
  const write = textWriter(type, context);
  switch (type.kind) {
    case "decimal":
      // The writer checks the value. A database's own CSV has all digits of the scale and no exponent.
      return (value) => {
        write(value);
        return String(value);
      };
    case "string":
    case "uuid":
    case "json":
    case "opaque":
    case "list":
    case "struct":
    case "map":
    case "null":
      return (value) => field(write(value));
    case "boolean":
    case "int8":
    case "int16":
    case "int32":
    case "int64":
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
    case "float32":
    case "float64":
    case "binary":
    case "date":
    case "time":
    case "timestamp":
    case "interval":
      return (value) => write(value) || '""';
    default:
      return type satisfies never;
  }
}

/** Fields that RFC 4180 requires to be quoted, and fields that readers would trim or read as NULL without quotes. */
const QUOTED = /^$|^\s|\s$|[",\r\n]/;

function plainField(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Quotes a field that begins with `#`, so that no row looks like the end line, which has no quotes. */
function fieldBeforeEndLine(text: string): string {
  return text.startsWith("#") ? `"${text.replaceAll('"', '""')}"` : plainField(text);
}

/** Python's `csv` accepts any text except a field longer than this. */
const PYTHONS_FIELD_LIMIT = 131_072;

/** This byte never occurs in UTF-8. */
const NO_CHARACTER = 0xff;

/**
 * CSV has no end marker, and workerd ends a broken body as if it were complete (`Encoder.lateFailure`). So the last line is one
 * that every reader rejects: it has one field more than there are columns, an unclosed quote, a field longer than readers and
 * spreadsheet cells allow, and a byte that is not UTF-8 (DuckDB reads the rest as one column of another dialect).
 */
function brokenLine(columns: number, description: object): Uint8Array {
  const { metadata } = description as { readonly metadata?: { readonly reason?: unknown } };
  const reason = metadata?.reason;
  // Reasons are identifiers of this project; a quote in one would close the field.
  const because = typeof reason === "string" && /^[A-Z_]+$/.test(reason) ? ` (${reason})` : "";
  const words = `THE ANSWER BROKE OFF HERE AND IS NOT COMPLETE${because}. `;
  const repeated = words.repeat(Math.ceil((PYTHONS_FIELD_LIMIT + 1) / words.length));
  const bytes = new TextEncoder().encode(`${",".repeat(columns)}" ${repeated}`);
  bytes[columns + 1] = NO_CHARACTER;
  return bytes;
}

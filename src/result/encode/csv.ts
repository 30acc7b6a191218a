/**
 * RFC 4180: a header line, CRLF behind every line, UTF-8 without a mark. NULL is an empty field and an empty text `""`.
 * Values are those of `modern` JSON, with decimals in plain digits; nested ones are JSON. Nothing is added to a value that a
 * spreadsheet would take for a formula: it would be another value for every other reader (docs/formats.md).
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
      // Checked by the writer; all digits of the scale, and no exponent, are what a database's own CSV has.
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

/** What needs quotes by RFC 4180, and what readers trim or take for NULL without them. */
const QUOTED = /^$|^\s|\s$|[",\r\n]/;

function plainField(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** No row looks like the end line, which begins with `#` and has no quotes. */
function fieldBeforeEndLine(text: string): string {
  return text.startsWith("#") ? `"${text.replaceAll('"', '""')}"` : plainField(text);
}

/** Python's `csv` reads anything but a field longer than this. */
const PYTHONS_FIELD_LIMIT = 131_072;

/** No text in UTF-8 holds this byte. */
const NO_CHARACTER = 0xff;

/**
 * CSV has no end that a reader could miss, and workerd ends a broken body as if it were whole (`Encoder.lateFailure`). So the
 * last line is one that no reader takes: it has a field more than there are columns, whose quote is never closed, which is
 * longer than readers and cells allow, and which is not UTF-8: DuckDB reads all else as one column of another dialect.
 */
function brokenLine(columns: number, description: object): Uint8Array {
  const { metadata } = description as { readonly metadata?: { readonly reason?: unknown } };
  const reason = metadata?.reason;
  // Reasons are words of ours; a quote would close the field.
  const because = typeof reason === "string" && /^[A-Z_]+$/.test(reason) ? ` (${reason})` : "";
  const words = `THE ANSWER BROKE OFF HERE AND IS NOT COMPLETE${because}. `;
  const repeated = words.repeat(Math.ceil((PYTHONS_FIELD_LIMIT + 1) / words.length));
  const bytes = new TextEncoder().encode(`${",".repeat(columns)}" ${repeated}`);
  bytes[columns + 1] = NO_CHARACTER;
  return bytes;
}

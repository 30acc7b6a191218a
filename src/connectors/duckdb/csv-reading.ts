/**
 * Options of DuckDB's reader of CSV for the options of a connection and of models (`connection/csv-options.ts`). DuckDB 1.4 answers
 * wrongly for some files in these forms, without an error: such files are refused here.
 */
import type { CsvOptions } from "../connection/csv-options.ts";
import { ConnectorFailure } from "../failure.ts";
import { firstLine } from "../files/head.ts";
import { packingOf } from "../files/packed/unpacked.ts";
import { sqlText } from "./sql-text.ts";

/** A model's options win over the connection's. Throws `FILE_INVALID` for characters that have two meanings. */
export function csvOptions(connection: CsvOptions = {}, model: CsvOptions = {}): CsvOptions {
  const options = { ...connection, ...model };
  const { quote, escape } = quotesOf(options);
  const { delimiter, nullText = "" } = options;
  if (delimiter !== undefined && (delimiter === quote || delimiter === escape)) {
    throw contradicting("delimiter", "is the same character as quote or escape");
  }
  if (quote === "" && escape !== "") throw contradicting("escape", "is given, and values are never quoted");
  if (quote !== "" && escape === "") throw contradicting("escape", "is empty, and values are quoted");
  if ([delimiter, quote, escape].some((character) => character && nullText.includes(character))) {
    throw contradicting("nullText", "holds the delimiter, the quote or the escape character");
  }
  return options;
}

function contradicting(option: string, problem: string): ConnectorFailure {
  return new ConnectorFailure("FILE_INVALID", `The CSV option ${option} ${problem}.`, {
    hint: "Options of a model's properties.csv are used before those of the connection.",
  });
}

/** The quote is doubled within quotes (RFC 4180) unless another character is before it. */
export function quotesOf({ quote = '"', escape = quote }: CsvOptions): {
  readonly quote: string;
  readonly escape: string;
} {
  return { quote, escape };
}

/** Options for values: the same whether the columns are declared or inferred. */
export function valueOptions({ encoding, nullText, dateFormat, timestampFormat }: CsvOptions): readonly string[] {
  return [
    ...(encoding === undefined ? [] : [`encoding = ${sqlText(encoding)}`]),
    ...(nullText === undefined || nullText === "" ? [] : [`nullstr = ['', ${sqlText(nullText)}]`]),
    ...(dateFormat === undefined ? [] : [`dateformat = ${sqlText(dateFormat)}`]),
    ...(timestampFormat === undefined ? [] : [`timestampformat = ${sqlText(timestampFormat)}`]),
  ];
}

/** Types that DuckDB may infer: in a column with a time zone it reads values of another form as NULL. */
export const WITHOUT_ZONES =
  "auto_type_candidates = ['BOOLEAN', 'BIGINT', 'DOUBLE', 'TIME', 'DATE', 'TIMESTAMP', 'VARCHAR']";

/** Options for files whose columns are inferred. */
export function inferringOptions(options: CsvOptions): readonly string[] {
  const { delimiter, header, timestampFormat } = options;
  const { quote, escape } = quotesOf(options);
  const isQuoted = options.quote !== undefined || options.escape !== undefined;
  return [
    ...valueOptions(options),
    ...(delimiter === undefined ? [] : [`delim = ${sqlText(delimiter)}`]),
    ...(isQuoted ? [`quote = ${sqlText(quote)}`, `escape = ${sqlText(escape)}`] : []),
    ...(header === undefined ? [] : [`header = ${header}`]),
    ...(timestampFormat === undefined ? [] : [WITHOUT_ZONES]),
  ];
}

/** Whether DuckDB reads `infinity` and `epoch` as the first day of 1900 (`days-in-csv.ts`). */
export function hasFormats({ dateFormat, timestampFormat }: CsvOptions): boolean {
  return dateFormat !== undefined || timestampFormat !== undefined;
}

export interface EncodedFile {
  /** The name that may be shown. */
  readonly name: string;
  /** In bytes, as stored. */
  readonly size: number;
  /** The file's uncompressed bytes from the beginning, up to the requested number. Fails with `ConnectorFailure`. */
  beginning(): AsyncIterable<Uint8Array>;
}

/** Rejects with `FILE_INVALID` for UTF-16 that DuckDB reads as other text: big-endian, or with half a character at its end. */
export async function assertEncoding(file: EncodedFile, { encoding }: CsvOptions): Promise<void> {
  if (encoding !== "utf-16") return;
  const { name, size } = file;
  const hint = "Convert the file to UTF-8.";
  if (packingOf(name) !== undefined) {
    throw new ConnectorFailure("FILE_INVALID", `"${name}" is compressed UTF-16, which is not supported.`, { hint });
  }
  if (size % 2 === 1)
    throw new ConnectorFailure("FILE_INVALID", `"${name}" is not UTF-16: it ends within a character.`, { hint });
  await firstLine(name, file.beginning(), encoding);
}

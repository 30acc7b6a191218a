/** The format of files, by their names. */
import { FILE_FORMATS, type FileFormat, isFileFormat } from "../connection/file-format.ts";
import { ConnectorFailure } from "../failure.ts";

const EXTENSIONS: ReadonlyMap<string, FileFormat> = new Map([
  ["csv", "csv"],
  ["tsv", "csv"],
  ["json", "json"],
  ["jsonl", "json"],
  ["ndjson", "json"],
  ["parquet", "parquet"],
  ["pq", "parquet"],
]);

/** By the extension, also of a compressed file (`a.csv.gz`); undefined for an unknown extension. */
export function formatOfName(path: string): FileFormat | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const [, extension] = /\.([a-z]+)(?:\.(?:gz|zst))?$/.exec(name) ?? [];
  return extension === undefined ? undefined : EXTENSIONS.get(extension);
}

/**
 * The format of a path's files, of which `first` is one. `fallback` is the connection's format, for names without a known
 * extension. Throws `FILE_INVALID` if the fallback is unknown too.
 */
export function formatOf(path: string, first: string | undefined, fallback: string): FileFormat {
  const format = formatOfName(path) ?? formatOfName(first ?? "") ?? fallback;
  if (isFileFormat(format)) return format;
  const hint = `Known formats are ${FILE_FORMATS.join(", ")}.`;
  throw new ConnectorFailure("FILE_INVALID", `Unsupported format: ${format}`, { hint });
}

/**
 * Connection of `local_file`: a directory below the sidecar's file root, and the format of the files in it
 * (docs/spec/contract.md#connections).
 */
import * as z from "zod/mini";
import { once } from "../../once.ts";
import type { PlannerWarning } from "../../planner/plan.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { type CsvOptions, csvOptionsShape, readCsvOptions } from "./csv-options.ts";
import { readMembersWithoutTls } from "./unknown-members.ts";

export interface LocalFileConnection extends FileFields {
  readonly source: "local_file";
}

export interface FileFields {
  /** The directory for listings and for databases to attach; `/` is the file root. */
  readonly url: string;
  /**
   * Lower case. Any text is allowed: for an unknown format, a listing returns a message that clients match
   * (docs/spec/contract.md#metadata-of-files).
   */
  readonly format: string;
  /** Undefined where the connection has no options for its CSV files. */
  readonly csv?: CsvOptions | undefined;
}

/** The schema of `connectionInfo`. */
export const fileConnectionShape = once(() =>
  z.object({ url: z.nullish(z.string()), format: z.nullish(z.string()), csv: z.nullish(csvOptionsShape()) }),
);

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseLocalFileConnection(raw: unknown): ParsedConnection<LocalFileConnection> {
  const { fields, warnings } = parseFileFields(raw);
  return { info: { source: "local_file", ...fields }, warnings };
}

export function parseFileFields(raw: unknown): {
  readonly fields: FileFields;
  readonly warnings: readonly PlannerWarning[];
} {
  const hint = "Leave it out: files are read without a network.";
  const { given, warnings } = readMembersWithoutTls(fileConnectionShape(), raw, { hint });
  return { fields: fileFieldsOf(given), warnings };
}

/** Throws `INVALID_CONNECTION`. */
export function fileFieldsOf(given: z.infer<ReturnType<typeof fileConnectionShape>>): FileFields {
  for (const member of ["url", "format"] as const) {
    if (given[member]?.includes("\0")) throw invalidConnection(member, "must not contain a NUL character");
  }
  const csv = readCsvOptions(given.csv, (option, problem, hint) =>
    invalidConnection(option === undefined ? "csv" : `csv.${option}`, problem, hint),
  );
  return {
    url: given.url || "/",
    format: (given.format || "csv").toLowerCase(),
    ...(csv !== undefined && { csv }),
  };
}

export function canonicalFileConnection({ url, format, csv }: FileFields): CanonicalConnection {
  return { url, format, ...canonicalCsv(csv) };
}

/** The member `csv` of a canonical connection, if there is one. */
export function canonicalCsv(csv: CsvOptions | undefined): CanonicalConnection {
  return csv === undefined ? {} : { csv: { ...csv } };
}

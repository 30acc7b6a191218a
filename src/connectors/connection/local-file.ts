/** `connectionInfo` of `local_file`: a directory below the sidecar's file root, and the format of the files in it (contract §2.2). */
import * as z from "zod";
import { ConnectorFailure } from "../failure.ts";

/** Holds no secret, so it crosses to the sidecar as it is. */
export interface FileConnection {
  /** The directory that listings show and databases are attached from; `/` is the file root. */
  readonly url: string;
  /** Lower case. Any text: a listing answers unknown ones with a sentence that clients look for (contract §7.3). */
  readonly format: string;
}

export const FILE_FORMATS = ["csv", "json", "parquet"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export function isFileFormat(text: string): text is FileFormat {
  return (FILE_FORMATS as readonly string[]).includes(text);
}

const text = (fallback: string) =>
  z
    .string()
    .max(4096)
    .nullish()
    .transform((value) => (value ? value : fallback));

const schema = z.object({ url: text("/"), format: text("csv") });

/** Throws `INVALID_CONNECTION` naming the fields that are wrong, never their values. */
export function parseLocalFile(connectionInfo: unknown): FileConnection {
  const parsed = schema.safeParse(connectionInfo);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join(".") || "connectionInfo");
    const hint = "A file source takes url and format, both text.";
    throw new ConnectorFailure("INVALID_CONNECTION", `Not valid: ${[...new Set(fields)].join(", ")}.`, { hint });
  }
  return { url: parsed.data.url, format: parsed.data.format.toLowerCase() };
}

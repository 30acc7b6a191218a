/** Files under the name that a plan has for them. */
import type { CsvOptions } from "../connection/csv-options.ts";
import type { FileFormat } from "../connection/file-format.ts";
import type { FileNeed } from "../files/need.ts";
import type { Footer } from "../files/parquet/footer.ts";
import type { DeclaredFile } from "../files/read-files.ts";

/** An existing file, as its store describes it. */
export interface FoundFile {
  readonly name: string;
  readonly size: number;
  /** The bytes from `start` to before `end`, of this version. Rejects with `ConnectorFailure`. */
  read(start: number, end: number, signal: AbortSignal): Uint8Array | Promise<Uint8Array>;
  /**
   * The footer of a Parquet file. Rejects with `ConnectorFailure`; with `NEEDS_SIDECAR` if it is larger than `mostBytes` and than
   * the first read.
   */
  footer(signal: AbortSignal, mostBytes: number): Promise<Footer>;
}

/** The view for the files of one name in a plan. */
export interface View {
  readonly name: string;
  readonly files: readonly FoundFile[];
  readonly format: FileFormat;
  readonly need: FileNeed;
  /**
   * The columns that the manifest declares, and whether an access rule leaves no others
   * (docs/decisions/0037-files-have-declared-types.md#decision).
   */
  readonly declared: DeclaredFile | undefined;
  /** The connection's options for CSV files. */
  readonly csv: CsvOptions | undefined;
  readonly areRead: boolean;
  /** CSV files without declared columns have the columns of all of them, and not those of the first one. */
  readonly unitesFiles?: true;
  /** Whether a JSON column may be represented as text (`json-columns.ts`). */
  readonly jsonAsText: (column: string) => boolean;
}

/** Files under the name that a plan has for them. */
import type { DeclaredColumn } from "../../planner/plan.ts";
import type { FileFormat } from "../connection/file-format.ts";
import type { FileNeed } from "../files/need.ts";
import type { Footer } from "../files/parquet/footer.ts";

/** A file that is there, as the one who keeps it tells of it. */
export interface FoundFile {
  readonly name: string;
  readonly size: number;
  /** The bytes from `start` to before `end`, of this version of it. Fails with `ConnectorFailure`. */
  read(start: number, end: number, signal: AbortSignal): Uint8Array | Promise<Uint8Array>;
  /** Of a Parquet file. Fails with `ConnectorFailure`, `NEEDS_SIDECAR` where it is larger than `mostBytes` and than is looked at first. */
  footer(signal: AbortSignal, mostBytes: number): Promise<Footer>;
}

/** What stands for files under the name that a plan has for them. */
export interface View {
  readonly name: string;
  readonly files: readonly FoundFile[];
  readonly format: FileFormat;
  readonly need: FileNeed;
  /** What the manifest says of it, which it is read by for an access rule (decisions S74). */
  readonly declared: readonly DeclaredColumn[] | undefined;
  readonly areRead: boolean;
  /** Whether a column of JSON may be one of texts (`json-columns.ts`). */
  readonly jsonAsText: (column: string) => boolean;
}

/** The interface of every output format. */
import type { ColumnDtypes } from "../conversion/column-dtypes.ts";
import type { ResultStream } from "../types.ts";
import type { ProfileName } from "./profiles.ts";

/**
 * How a format reports a failure after its first byte (docs/decisions/0008-failure-behind-the-first-byte.md); a truncated answer
 * must never look complete. `break-off`: the answer ends where every reader rejects it, and the stream errors. `error-line`: a last
 * line contains the error, and the stream ends normally.
 *
 * An error of the stream is not enough: workerd ends an errored body with a regular last chunk, and the client takes the body for
 * complete (measured, 2026-09). So the bytes already sent must not be readable as a complete answer.
 */
type LateFailure = "break-off" | "error-line";

/** The outcome of an answer; reported once. */
export interface EncodeEnd {
  /** `cancelled`: the reader disconnected. */
  readonly outcome: "complete" | "failed" | "cancelled";
  /** Rows and bytes handed to the reader. */
  readonly rows: number;
  readonly bytes: number;
  /** The source's error when `outcome` is `failed`. */
  readonly error?: unknown;
}

export interface EncodeOptions {
  /**
   * Values and type names of JSON answers (docs/decisions/0001-two-profiles.md); the other formats have only one representation.
   */
  readonly profile: ProfileName;
  /**
   * Display zone of zoned timestamps (docs/decisions/0011-time-zones.md), accepted by `isKnownZone`; without it each column keeps
   * its zone.
   */
  readonly zone?: string | undefined;
  /** From `parseColumnDtypes`. */
  readonly columnDtypes?: ColumnDtypes | undefined;
  /** Ends CSV with the line `# end: N rows`, so that a reader can check that the answer is complete. */
  readonly endLine?: boolean | undefined;
  /** Adds `types` to the first line of NDJSON: the type of each column by position. */
  readonly columnTypes?: boolean | undefined;
  /** Describes a late failure at the end of an answer; must not contain anything that the reader may not see. */
  readonly describeFailure: (error: unknown) => object;
  /** Called once, after the source has been closed. Must not throw. */
  readonly onEnd?: ((end: EncodeEnd) => void) | undefined;
}

/** Reading fails where the answer breaks off, after the last bytes. */
export interface EncodedAnswer {
  /** The next bytes, never empty; `undefined` at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Stops the answer; the reader needs no more of it. */
  cancel(): Promise<void>;
  /** Whether the answer has been read to its regular end. */
  readonly isOver: boolean;
  /** The source's error, once the bytes that report it have been read. */
  readonly failure: { readonly error: unknown } | undefined;
}

export interface Encoder {
  readonly contentType: string;
  /** Parameters of the answer's `Content-Type`. */
  readonly parameters?: readonly string[];
  /**
   * Wraps the stream so that it throws `ResultError` CONVERSION at values that the format cannot represent. Apply it before the
   * first rows are prefetched, so that a failure in them still gets an error status.
   */
  readonly checked?: (stream: ResultStream) => ResultStream;
  readonly lateFailure: LateFailure;
  /**
   * The bytes of an answer, made as they are read: one batch is held at a time, and none is pulled before the reader needs it.
   * Cancelling the answer closes `stream`, as do its end and a failure.
   *
   * Not every disconnect is a cancel: workerd does not cancel while a write to a stalled client is pending (measured). The code
   * that creates the source must close it when the request's signal aborts.
   */
  begin(stream: ResultStream, options: EncodeOptions): EncodedAnswer;
}

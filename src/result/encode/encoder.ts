/** What every output format looks like from outside. */
import type { ColumnDtypes } from "../conversion/column-dtypes.ts";
import type { ResultStream } from "../types.ts";
import type { ProfileName } from "./profiles.ts";

/**
 * What a format does with a failure after its first byte (decisions W12); a truncated answer must never look complete.
 * `break-off`: the answer ends where no reader accepts it and the stream errors; `error-line`: a last line says what
 * happened and the stream ends normally.
 *
 * Erroring alone is not enough: workerd ends an errored body with a regular last chunk, and the client takes it for
 * whole (measured, 2026-09). So what was sent before must be such that it cannot be read as complete.
 */
type LateFailure = "break-off" | "error-line";

/** How an answer ended; reported once. */
export interface EncodeEnd {
  /** `cancelled`: the reader went away. */
  readonly outcome: "complete" | "failed" | "cancelled";
  /** Rows and bytes handed to the reader. */
  readonly rows: number;
  readonly bytes: number;
  /** What the source threw, when `outcome` is `failed`. */
  readonly error?: unknown;
}

export interface EncodeOptions {
  /** Values and type names of JSON answers (decisions W1); the other formats have one spelling. */
  readonly profile: ProfileName;
  /** Display zone of zoned timestamps (decisions W15), one that `isKnownZone` accepts; without it each column's own. */
  readonly zone?: string | undefined;
  /** From `parseColumnDtypes`. */
  readonly columnDtypes?: ColumnDtypes | undefined;
  /** CSV ends with the line `# end: N rows`, by which a reader knows that it has all of it. */
  readonly endLine?: boolean | undefined;
  /** What the end of an answer says of a late failure; must hold nothing that the reader may not see. */
  readonly describeFailure: (error: unknown) => object;
  /** Called once, after the source has been closed. Must not throw. */
  readonly onEnd?: ((end: EncodeEnd) => void) | undefined;
}

/** Reading it fails where the answer breaks off, after what was left to send. */
export interface EncodedAnswer {
  /** The next bytes, none of them empty; `undefined` at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Nobody reads on. */
  cancel(): Promise<void>;
  /** All of it has been read, up to its proper end. */
  readonly isOver: boolean;
  /** What the source threw, as soon as the bytes that say so have been read. */
  readonly failure: { readonly error: unknown } | undefined;
}

export interface Encoder {
  readonly contentType: string;
  /** What the answer's `Content-Type` says besides. */
  readonly parameters?: readonly string[];
  /**
   * The stream, which throws `ResultError` CONVERSION at values that the format cannot say. Whoever answers puts it before
   * what fetches the first rows, so that the answer to them still has a status of its own.
   */
  readonly checked?: (stream: ResultStream) => ResultStream;
  readonly lateFailure: LateFailure;
  /**
   * The bytes of an answer, made as they are read: one batch is held at a time and none is asked for before the
   * reader wants more. Cancelling it closes `stream`, as do its end and a failure.
   *
   * Not every reader that goes away cancels: workerd does not while a write to a stalled client is pending (measured).
   * Whoever made the source has to close it when the request's signal aborts.
   */
  begin(stream: ResultStream, options: EncodeOptions): EncodedAnswer;
}

/** A bucket of objects as file sources read it, whichever service keeps it: what lists, looks and reads, and never writes. */

/** One version of an object. */
export interface StoredObject {
  /** As the service has it: steps are apart by `/`, and the first has none before it. */
  readonly key: string;
  readonly size: number;
  /** With its quotes, as it stands in a header. Equal as long as the content is the same. */
  readonly etag: string;
}

/** What stands below a prefix up to the next delimiter; `prefix` ends with it. */
export interface CommonPrefix {
  readonly prefix: string;
}

export interface ListOptions {
  readonly signal: AbortSignal;
  /** Keys that go on behind it are told by their common prefix. */
  readonly delimiter?: "/";
}

/** Fails with `ConnectorFailure`, and after an abort with the signal's reason. */
export interface ObjectStore {
  /** `s3://bucket/`, which stands before keys wherever somebody is told of one. */
  readonly root: string;
  /** In the order of the service, which need not be that of the keys. */
  list(prefix: string, options: ListOptions): AsyncIterable<StoredObject | CommonPrefix>;
  /** Undefined when there is no such object. */
  head(key: string, signal: AbortSignal): Promise<StoredObject | undefined>;
  /**
   * The bytes from `start` to before `end`, of this version and of no other: `OBJECT_CHANGED` when the store has another now,
   * and `UPSTREAM_PROTOCOL` when what comes is not as long. Both may also be told by the stream.
   */
  read(object: StoredObject, start: number, end: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

/** A bucket of objects for file sources, of any service: it lists, looks up and reads objects, and never writes. */

/** One version of an object. */
export interface StoredObject {
  /** The service's key: steps are separated by `/`, without a leading `/`. */
  readonly key: string;
  readonly size: number;
  /** With its quotes, as in a header. Equal as long as the content is the same. */
  readonly etag: string;
}

/** A group of keys with a common prefix up to the next delimiter; `prefix` ends with it. */
export interface CommonPrefix {
  readonly prefix: string;
}

export interface ListOptions {
  readonly signal: AbortSignal;
  /** Keys that continue after the delimiter are reported by their common prefix. */
  readonly delimiter?: "/";
}

/** Rejects with `ConnectorFailure`, and after an abort with the signal's reason. */
export interface ObjectStore {
  /** `s3://bucket/`, the prefix of keys in messages. */
  readonly root: string;
  /** In the order of the service, which may differ from that of the keys. */
  list(prefix: string, options: ListOptions): AsyncIterable<StoredObject | CommonPrefix>;
  /** Undefined if the object does not exist. */
  head(key: string, signal: AbortSignal): Promise<StoredObject | undefined>;
  /**
   * The bytes from `start` to before `end`, of exactly this version: rejects with `OBJECT_CHANGED` if the store has another
   * version, and with `UPSTREAM_PROTOCOL` if the length differs. The stream may also fail with either.
   */
  read(object: StoredObject, start: number, end: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

/**
 * A bucket over S3's protocol: AWS, MinIO, Google Cloud Storage by HMAC keys, R2 and others. This module signs requests and sends
 * them only to the connection's service. If the service reports another region of the bucket, the request is repeated once for
 * that region; redirects are not followed.
 */
import { AwsV4Signer } from "aws4fetch";
import type { Secret } from "../../../guard/secret.ts";
import type { BucketFields, BucketService } from "../../connection/object-store.ts";
import { ConnectorFailure } from "../../failure.ts";
import { byteLimited } from "../../http/byte-limit.ts";
import { pause, waitFor } from "../../watch.ts";
import type { CommonPrefix, ListOptions, ObjectStore, StoredObject } from "../object-store.ts";
import { bucketAddress, encoded, isRegionOf, keyAddress } from "./address.ts";
import { changed, refusalIn, type StoreRefusal, storeFailure } from "./failures.ts";
import { notAListing, readPage } from "./listing.ts";
import { moving, PATIENCE, type Patience, pauseAfter } from "./patience.ts";

export interface S3StoreOptions {
  readonly service: BucketService;
  /** The runtime's `fetch`, which checks hosts and follows no redirects. */
  readonly fetch: typeof fetch;
  /** `fetch` always decompresses content that is declared as compressed: true for workerd, and not for the sidecar. */
  readonly unpacks?: boolean;
  /** A token for listing, in place of the keys. */
  readonly listingToken?: (signal: AbortSignal) => Promise<Secret>;
  /** Defaults to `PATIENCE`. */
  readonly patience?: Patience;
}

/** A page has up to a thousand keys with a thousand characters each, encoded, and their metadata. */
const MAX_PAGE = 16 * 1024 * 1024;

/** A response whose body fails when it arrives too slowly. */
type Answer = Pick<Response, "status" | "headers" | "body">;

interface Asked {
  readonly method: "GET" | "HEAD";
  /** The path below the bucket, with its query. */
  readonly path: string;
  /** The object in messages. */
  readonly about: string;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Used instead of a signature. */
  readonly token?: Secret | undefined;
}

export class S3Store implements ObjectStore {
  readonly root: string;
  readonly #bucket: BucketFields;
  readonly #options: S3StoreOptions;
  /** The region that the service has reported, if it differs from the connection's. */
  #region: string;

  constructor(bucket: BucketFields, options: S3StoreOptions) {
    this.root = `${options.service === "gcs" ? "gs" : "s3"}://${bucket.bucket}/`;
    this.#bucket = bucket;
    this.#options = options;
    this.#region = bucket.region;
  }

  async *list(prefix: string, { signal, delimiter }: ListOptions): AsyncIterable<StoredObject | CommonPrefix> {
    const about = `The listing of ${this.root}${prefix}`;
    const token = await this.#options.listingToken?.(signal);
    const seen = new Set<string>();
    let next: string | undefined;
    do {
      const query = {
        ...(next !== undefined && { "continuation-token": next }),
        ...(delimiter !== undefined && { delimiter }),
        "encoding-type": "url",
        "list-type": "2",
        prefix,
      };
      const path = `?${Object.entries(query)
        .map(([name, value]) => `${name}=${encoded(value)}`)
        .join("&")}`;
      const response = await this.#ask({ method: "GET", path, about, signal, token });
      if (response.status !== 200) throw storeFailure(await refusalIn(response), about);
      const page = readPage(await textOf(response, signal), prefix);
      yield* page.entries;
      next = page.next;
      if (next !== undefined && seen.has(next)) throw notAListing(`${about} comes back to where it was.`);
      if (next !== undefined) seen.add(next);
    } while (next !== undefined);
  }

  async head(key: string, signal: AbortSignal): Promise<StoredObject | undefined> {
    const path = keyAddress(key);
    const about = `${this.root}${key}`;
    const response = await this.#ask({ method: "HEAD", path, about, signal });
    await response.body?.cancel().catch(() => undefined);
    const size = response.headers.get("content-length");
    const etag = response.headers.get("etag");
    if (response.status === 200 && etag !== null && /^\d{1,15}$/.test(size ?? "")) {
      return { key, size: Number(size), etag };
    }
    if (response.status === 200) {
      throw new ConnectorFailure("UPSTREAM_PROTOCOL", `${about}: the answer has no size, or no version.`);
    }
    // A response to HEAD has no body. A GET of one byte returns the reason of a failure, the bucket's region, and whether the
    // bucket is missing.
    const region = this.#region;
    const asked = await this.#ask({ method: "GET", path, about, signal, headers: { range: "bytes=0-0" } });
    if (asked.status === 206) {
      await asked.body?.cancel().catch(() => undefined);
      const [, total] = /^bytes 0-0\/(\d{1,15})$/.exec(asked.headers.get("content-range") ?? "") ?? [];
      const version = asked.headers.get("etag");
      if (total !== undefined && version !== null) return { key, size: Number(total), etag: version };
    }
    const refusal = await refusalIn(asked);
    if (refusal.code === "NoSuchKey") return undefined;
    // An empty object has no first byte.
    if (refusal.status === 416 && this.#region !== region) return this.head(key, signal);
    throw storeFailure(refusal, about);
  }

  async read(
    { key, size, etag }: StoredObject,
    start: number,
    end: number,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const about = `${this.root}${key}`;
    if (start === end) return new Blob([]).stream();
    const headers = { range: `bytes=${start}-${end - 1}`, "if-match": etag };
    const response = await this.#ask({ method: "GET", path: keyAddress(key), about, signal, headers });
    const { status } = response;
    const isWhole = status === 200 && start === 0 && end === size;
    if (status !== 206 && !isWhole) {
      if (status === 200) {
        await response.body?.cancel().catch(() => undefined);
        const message = `${about}: the store sends more than the part that was asked for.`;
        throw new ConnectorFailure("UPSTREAM_PROTOCOL", message);
      }
      const refusal = await refusalIn(response);
      throw hasChanged(refusal) ? changed(about) : storeFailure(refusal, about);
    }
    const packing = response.headers.get("content-encoding") ?? "identity";
    if (this.#options.unpacks && packing !== "identity") {
      await response.body?.cancel().catch(() => undefined);
      throw marked(about, packing);
    }
    const range = response.headers.get("content-range");
    if (response.headers.get("etag") !== etag || (status === 206 && range !== `bytes ${start}-${end - 1}/${size}`)) {
      await response.body?.cancel().catch(() => undefined);
      throw changed(about);
    }
    return exactly(response.body ?? new Blob([]).stream(), end - start, about, signal);
  }

  /** Repeats the request for the region that the service names, if the bucket is in another. */
  async #ask(asked: Asked): Promise<Answer> {
    const response = await this.#send(asked, this.#region);
    const { status } = response;
    if (status !== 301 && status !== 307 && status !== 400 && status !== 403) return response;
    const named = asked.method === "HEAD" ? response.headers.get("x-amz-bucket-region") : undefined;
    const refusal = asked.method === "HEAD" ? undefined : await refusalIn(response);
    const region = named ?? refusal?.region;
    const isElsewhere = region != null && region !== this.#region && isRegionOf(this.#bucket.endpoint, region);
    if (!isElsewhere || asked.token !== undefined) {
      if (refusal === undefined) return response;
      throw storeFailure(refusal, asked.about);
    }
    await response.body?.cancel().catch(() => undefined);
    const again = await this.#send(asked, region);
    if (again.status < 300 || [404, 412, 416].includes(again.status)) this.#region = region;
    return again;
  }

  /** Repeats requests that may succeed soon; a HEAD is followed by a GET, and is not repeated. */
  async #send(asked: Asked, region: string): Promise<Answer> {
    const { pauses } = this.#options.patience ?? PATIENCE;
    for (const milliseconds of asked.method === "GET" ? pauses : []) {
      const answer = await this.#sendOnce(asked, region);
      const wait = pauseAfter(answer, milliseconds);
      if (wait === undefined) return answer;
      await answer.body?.cancel().catch(() => undefined);
      await pause(wait, asked.signal);
    }
    return this.#sendOnce(asked, region);
  }

  async #sendOnce(asked: Asked, region: string): Promise<Answer> {
    const { method, path, about, signal } = asked;
    const url = `${bucketAddress(this.#options.service, this.#bucket, region)}${path}`;
    const headers = await this.#headers(asked, url, region);
    const patience = this.#options.patience ?? PATIENCE;
    const stop = new AbortController();
    const late = (): ConnectorFailure => {
      const message = `${about}: the store is too slow: less than ${patience.leastBytes} bytes in ${patience.stallMs} ms.`;
      const failure = new ConnectorFailure("UPSTREAM_PROTOCOL", message);
      stop.abort(failure);
      return failure;
    };
    signal.throwIfAborted();
    const given = AbortSignal.any([signal, stop.signal]);
    try {
      const ask = () => this.#options.fetch(url, { method, headers, redirect: "manual", signal: given });
      const asking = ask().catch((cause: unknown) => {
        if (given.aborted || !isLost(cause)) throw cause;
        return ask();
      });
      const answer = await waitFor(asking, { milliseconds: patience.stallMs }, late);
      const { status, body } = answer;
      return { status, headers: answer.headers, body: body === null ? null : moving(body, patience, late) };
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof ConnectorFailure) throw cause;
      throw new ConnectorFailure("HOST_UNREACHABLE", `${about}: the store could not be reached.`, { cause });
    }
  }

  async #headers({ method, headers = {}, token }: Asked, url: string, region: string): Promise<Headers> {
    const { keys, requesterPays } = this.#bucket;
    const sent = new Headers({ ...headers, ...(requesterPays && { "x-amz-request-payer": "requester" }) });
    if (token !== undefined) sent.set("authorization", `Bearer ${token.reveal()}`);
    else {
      const signed = await new AwsV4Signer({
        accessKeyId: keys.accessKeyId.reveal(),
        secretAccessKey: keys.secretAccessKey.reveal(),
        ...(keys.sessionToken !== undefined && { sessionToken: keys.sessionToken.reveal() }),
        service: "s3",
        region,
        method,
        url,
        headers: sent,
      }).sign();
      for (const [name, value] of signed.headers) sent.set(name, value);
    }
    // Not signed, because proxies may change it. The stored bytes must arrive unchanged. Google decompresses objects that it has
    // compressed, and then ignores ranges, unless the client accepts gzip.
    sent.set("accept-encoding", this.#options.service === "gcs" ? "gzip" : "identity");
    return sent;
  }
}

/**
 * workerd keeps connections open, and notices only at the next request that the store has closed one. All requests are safe to
 * repeat.
 */
function isLost(cause: unknown): boolean {
  return cause instanceof Error && cause.message.startsWith("Network connection lost");
}

function marked(about: string, packing: string): ConnectorFailure {
  const message = `${about} is marked as packed (Content-Encoding: ${packing.slice(0, 20)}), and its stored bytes cannot be had here.`;
  const hint = "Take the mark off the object, or configure a sidecar (SIDECAR_URL), which reads it as it is stored.";
  return new ConnectorFailure("NEEDS_SIDECAR", message, { hint });
}

/** The object has another version, was deleted, or is shorter. */
function hasChanged({ status, code }: StoreRefusal): boolean {
  return status === 412 || code === "NoSuchKey" || status === 416;
}

async function textOf(response: Answer, signal: AbortSignal): Promise<string> {
  try {
    return await new Response(byteLimited(response.body, MAX_PAGE)).text();
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof ConnectorFailure) throw cause;
    throw notAListing("The listing broke off.", cause);
  }
}

/** The same bytes; fails with `UPSTREAM_PROTOCOL` unless their number is `length`. */
function exactly(
  body: ReadableStream<Uint8Array>,
  length: number,
  about: string,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = length;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let read: ReadableStreamReadResult<Uint8Array>;
        try {
          read = await reader.read();
        } catch (cause) {
          if (signal.aborted) throw signal.reason;
          if (cause instanceof ConnectorFailure) throw cause;
          throw brokenOff(about, left, cause);
        }
        if (read.done) {
          if (left > 0) throw brokenOff(about, left);
          controller.close();
          return;
        }
        left -= read.value.byteLength;
        if (left < 0) {
          await reader.cancel().catch(() => undefined);
          throw new ConnectorFailure("UPSTREAM_PROTOCOL", `${about}: the store sent more than it was asked for.`);
        }
        controller.enqueue(read.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function brokenOff(about: string, left: number, cause?: unknown): ConnectorFailure {
  const message = `${about}: the answer broke off ${left} bytes before its end.`;
  return new ConnectorFailure("UPSTREAM_PROTOCOL", message, { cause });
}

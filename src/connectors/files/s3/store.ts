/**
 * A bucket over S3's protocol: of AWS, MinIO, Google Cloud Storage by its HMAC keys, R2 and others. Requests are signed here
 * and go to the connection's service alone: where that says that the bucket is in another region, the same service is asked
 * there, once; no redirect is followed.
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
  /** As the runtime lends it: it judges hosts, and follows no redirects. */
  readonly fetch: typeof fetch;
  /** `fetch` unpacks by itself what is marked as packed, and nothing can keep it from that: workerd's, unlike the sidecar's. */
  readonly unpacks?: boolean;
  /** A token that lists in place of the keys. */
  readonly listingToken?: (signal: AbortSignal) => Promise<Secret>;
  /** By default `PATIENCE`. */
  readonly patience?: Patience;
}

/** A thousand keys of a thousand characters each, encoded, and what is said of them. */
const MAX_PAGE = 16 * 1024 * 1024;

/** Its body fails when it comes too slowly. */
type Answer = Pick<Response, "status" | "headers" | "body">;

interface Asked {
  readonly method: "GET" | "HEAD";
  /** Below the bucket, with its query. */
  readonly path: string;
  /** For messages. */
  readonly about: string;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of a signature. */
  readonly token?: Secret | undefined;
}

export class S3Store implements ObjectStore {
  readonly root: string;
  readonly #bucket: BucketFields;
  readonly #options: S3StoreOptions;
  /** That the service has said since, if another than the connection's. */
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
    // An answer to HEAD has no body: why, in which region to ask, and whether it is the bucket that is missing, is told to who
    // asks for a byte.
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

  /** Asks again in the region that the service names, if the bucket is in another. */
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

  /** Asks again what the store may answer a moment later; a HEAD has a GET that comes after it. */
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
    // Not signed: what stands in between may change it. Stored bytes are wanted as they are; Google decompresses what it has
    // compressed, and then heeds no range, unless the client says that it could.
    sent.set("accept-encoding", this.#options.service === "gcs" ? "gzip" : "identity");
    return sent;
  }
}

/** workerd keeps connections, and learns that the store has given one up when it asks by it; nothing asked here changes anything. */
function isLost(cause: unknown): boolean {
  return cause instanceof Error && cause.message.startsWith("Network connection lost");
}

function marked(about: string, packing: string): ConnectorFailure {
  const message = `${about} is marked as packed (Content-Encoding: ${packing.slice(0, 20)}), and its stored bytes cannot be had here.`;
  const hint = "Take the mark off the object, or configure a sidecar (SIDECAR_URL), which reads it as it is stored.";
  return new ConnectorFailure("NEEDS_SIDECAR", message, { hint });
}

/** Another version, none any more, or a shorter one. */
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

/** The same bytes, failing with `UPSTREAM_PROTOCOL` unless they are so many. */
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

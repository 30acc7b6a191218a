/**
 * A fake of an object store over S3's protocol, in memory. It checks signatures by code of its own (Node's crypto, the steps of
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html), counts requests and bytes, and does on request
 * what stores do on bad days. What a real store says is shown by test/engines/files.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface S3Keys {
  readonly access: string;
  readonly secret: string;
  readonly session?: string;
}

export interface S3ServerOptions {
  readonly bucket?: string;
  readonly region?: string;
  readonly keys?: S3Keys;
  readonly pageSize?: number;
  readonly requesterPays?: boolean;
  /** PEM, for `localhost`: then it speaks TLS alone. */
  readonly certificate?: { readonly cert: Buffer; readonly key: Buffer };
}

/** An answer in place of a store's; see `S3Fault`. */
export function say(response: ServerResponse, status: number, headers: OutgoingHttpHeaders, body: string): true {
  response.writeHead(status, headers).end(body);
  return true;
}

/** Decides what becomes of a request before it is answered as a store would; true when it has answered itself. */
export type S3Fault = (
  request: { readonly method: string; readonly key: string; readonly isListing: boolean },
  response: ServerResponse,
) => boolean;

export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly keys: S3Keys;
  readonly objects: Map<string, Uint8Array>;
  /** `GET key range`, `HEAD key`, `LIST prefix`. */
  readonly requests: string[];
  /** Bytes of objects that went out. */
  bytes: number;
  /** That have been made to it. */
  connections: number;
  fault: S3Fault | undefined;
  /** Before the bytes of an object. */
  delayMs: number;
  connectionInfo(more?: object): Record<string, unknown>;
  close(): Promise<void>;
}

const DEFAULT_KEYS: S3Keys = { access: "AKIDEXAMPLE", secret: "wJalr/XUtnFEMI+K7MDENG" };

export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const { bucket = "lake", region = "us-east-1", keys = DEFAULT_KEYS, pageSize = 1000 } = options;
  const objects = new Map<string, Uint8Array>();
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      answer(request, response);
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined);
    }
  };
  const { certificate } = options;
  const http = certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener);
  // The client closes idle connections: a server that closes one can meet a request that is on its way.
  http.keepAliveTimeout = 0;
  http.on("connection", () => {
    server.connections++;
  });
  const port = await new Promise<number>((resolve) => {
    http.listen(0, "127.0.0.1", () => resolve((http.address() as AddressInfo).port));
  });
  const server: S3Server = {
    endpoint: `${certificate === undefined ? "127.0.0.1" : "localhost"}:${port}`,
    bucket,
    keys,
    objects,
    requests: [],
    bytes: 0,
    connections: 0,
    fault: undefined,
    delayMs: 0,
    connectionInfo: (more = {}) => ({
      endpoint: server.endpoint,
      bucket,
      access_key: keys.access,
      secret_key: keys.secret,
      ...more,
    }),
    close: () => {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(() => resolve()));
    },
  };

  function answer(request: IncomingMessage, response: ServerResponse): unknown {
    const method = request.method ?? "";
    const [rawPath = "", rawQuery = ""] = (request.url ?? "").split("?");
    const path = decodeURIComponent(rawPath);
    const query = new URLSearchParams(rawQuery);
    const [, asked = "", key = ""] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
    const isListing = query.get("list-type") === "2";
    const range = request.headers.range;
    server.requests.push(isListing ? `LIST ${query.get("prefix")}` : `${method} ${key}${range ? ` ${range}` : ""}`);
    if (server.fault?.({ method, key, isListing }, response)) return true;
    const refusal = signatureProblem(request, rawPath, query);
    if (refusal !== undefined) return refuse(response, ...refusal);
    if (options.requesterPays && request.headers["x-amz-request-payer"] !== "requester") {
      return refuse(response, 403, "AccessDenied");
    }
    if (asked !== bucket) return refuse(response, 404, "NoSuchBucket");
    if (isListing) return list(query, response);
    const content = objects.get(key);
    if (content === undefined) return refuse(response, 404, "NoSuchKey");
    const etag = etagOf(content);
    const wanted = request.headers["if-match"];
    if (wanted !== undefined && wanted !== etag) return refuse(response, 412, "PreconditionFailed");
    if (method === "HEAD") {
      return response.writeHead(200, { etag, "content-length": content.byteLength }).end();
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    const start = Number(from ?? 0);
    const end = Math.min(to === undefined ? content.byteLength : Number(to) + 1, content.byteLength);
    if (start >= end) return refuse(response, 416, "InvalidRange");
    const part = content.subarray(start, end);
    server.bytes += part.byteLength;
    const headers = { etag, "content-length": part.byteLength };
    if (range === undefined) response.writeHead(200, headers);
    else response.writeHead(206, { ...headers, "content-range": `bytes ${start}-${end - 1}/${content.byteLength}` });
    return server.delayMs > 0 ? setTimeout(() => response.end(part), server.delayMs) : response.end(part);
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get("prefix") ?? "";
    const delimiter = query.get("delimiter");
    const after = query.get("continuation-token");
    const entries = new Map<string, Uint8Array | undefined>();
    for (const key of [...objects.keys()].sort()) {
      if (!key.startsWith(prefix)) continue;
      const cut = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
      if (cut < 0) entries.set(key, objects.get(key));
      else entries.set(key.slice(0, cut + 1), undefined);
    }
    const all = [...entries].filter(([name]) => after === null || name > Buffer.from(after, "base64").toString());
    const page = all.slice(0, pageSize);
    const encode = (name: string): string => encodeURIComponent(name).replaceAll("%20", "+").replaceAll("%2F", "/");
    const body = page.map(([name, content]) =>
      content === undefined
        ? `<CommonPrefixes><Prefix>${encode(name)}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${encode(name)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${etagOf(content).replaceAll('"', "&quot;")}</ETag><Size>${content.byteLength}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
    );
    const isTruncated = page.length < all.length;
    const token = Buffer.from(page.at(-1)?.[0] ?? "").toString("base64");
    const next = isTruncated ? `<NextContinuationToken>${token}</NextContinuationToken>` : "";
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(
        `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${encode(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${body.join("")}${next}</ListBucketResult>`,
      );
  }

  function signatureProblem(
    request: IncomingMessage,
    rawPath: string,
    query: URLSearchParams,
  ): [status: number, code: string, more?: string] | undefined {
    const header = (name: string): string => String(request.headers[name] ?? "");
    const [, access, date = "", signedRegion = "", names = "", signature] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([\da-f]{64})$/.exec(
        header("authorization"),
      ) ?? [];
    if (signature === undefined) return [403, "AccessDenied"];
    if (access !== keys.access) return [403, "InvalidAccessKeyId"];
    if (signedRegion !== region) return [400, "AuthorizationHeaderMalformed", `<Region>${region}</Region>`];
    if (keys.session !== undefined && header("x-amz-security-token") !== keys.session) return [400, "InvalidToken"];
    const canonicalQuery = [...query]
      .map(([name, value]) => `${strict(name)}=${strict(value)}`)
      .sort()
      .join("&");
    const signed = names.split(";");
    if (!signed.includes("host") || !signed.includes("x-amz-date")) return [403, "AccessDenied"];
    const canonical = [
      request.method,
      decodeURIComponent(rawPath).split("/").map(strict).join("/"),
      canonicalQuery,
      ...signed.map((name) => `${name}:${header(name).trim()}`),
      "",
      names,
      header("x-amz-content-sha256"),
    ].join("\n");
    const time = header("x-amz-date");
    const scope = `${date}/${signedRegion}/s3/aws4_request`;
    const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
    const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();
    const key = [signedRegion, "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${keys.secret}`, date));
    return hmac(key, text).toString("hex") === signature ? undefined : [403, "SignatureDoesNotMatch"];
  }
  return server;
}

/** Rejects a request like a store; returns true, like a fault that has answered. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  more = "",
  headers: OutgoingHttpHeaders = {},
): true {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>The store says ${code}.</Message>${more}<RequestId>1</RequestId></Error>`;
  response.writeHead(status, { "content-type": "application/xml", ...headers }).end(body);
  return true;
}

/** Hashing 50 MB anew for every range takes longer than all that is measured and tested over them. */
const ETAGS = new WeakMap<Uint8Array, string>();

export function etagOf(content: Uint8Array): string {
  const known = ETAGS.get(content);
  if (known !== undefined) return known;
  const etag = `"${createHash("md5").update(content).digest("hex")}"`;
  ETAGS.set(content, etag);
  return etag;
}

function strict(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

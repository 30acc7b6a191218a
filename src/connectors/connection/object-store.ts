/** Shared by connections to buckets: location of the bucket and form of its requests. */
import { canonicalHost } from "../../guard/egress.ts";
import type { AwsKeys } from "./aws-keys.ts";
import { pemOf } from "./certificate-authority.ts";
import { invalidConnection } from "./connection.ts";
import type { FileFields } from "./local-file.ts";
import { portNumber } from "./server-fields.ts";

/** The provider: it decides the scheme of paths and the host. */
export type BucketService = "s3" | "minio" | "gcs";

export interface BucketFields extends FileFields {
  readonly bucket: string;
  /** Part of the signature, and of AWS host names. */
  readonly region: string;
  readonly keys: AwsKeys;
  /** Another server with S3's protocol; undefined for the provider's own. */
  readonly endpoint: BucketEndpoint | undefined;
  /** Whether the bucket is in the address's path or before its host. */
  readonly style: "path" | "vhost";
  /** The requester pays for requests, if the bucket's owner requires it. */
  readonly requesterPays: boolean;
  /** PEM of the authority that signed the endpoint's certificate, if no public authority did. */
  readonly certificateAuthority: string | undefined;
}

export interface BucketEndpoint {
  /** Canonical. */
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/**
 * Buckets of services other than S3, and S3's oldest ones, may have names with `_` and capital letters
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html,
 * https://cloud.google.com/storage/docs/buckets#naming). A name is part of addresses, so it contains no character that ends a
 * host or a path.
 */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,220}[A-Za-z0-9]$/;

/** Throws `INVALID_CONNECTION`. */
export function bucketName(bucket: string): string {
  if (BUCKET.test(bucket) && !bucket.includes("..")) return bucket;
  throw invalidConnection("bucket", "is not the name of a bucket", "Give the name alone, without s3:// and slashes.");
}

/** `host`, `host:port`, or either after `http://` or `https://`, which then wins over `isSecure`. Throws `INVALID_CONNECTION`. */
export function bucketEndpoint(text: string, isSecure: boolean): BucketEndpoint {
  const [, scheme, authority = ""] = /^(?:(https?):\/\/)?(.*?)\/?$/i.exec(text.trim()) ?? [];
  const encrypts = scheme === undefined ? isSecure : scheme.toLowerCase() === "https";
  const [, name = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? [];
  const host = canonicalHost(name);
  if (host === undefined) {
    const hint = "Give host:port, or an address like https://host:port, without a path and without the bucket.";
    throw invalidConnection("endpoint", "names no host that can be dialled", hint);
  }
  return {
    host,
    port: port === undefined ? (encrypts ? 443 : 80) : portNumber(port, "endpoint"),
    isSecure: encrypts,
  };
}

export const BUCKET_TLS_HINT =
  "Write https:// before the endpoint; sslrootcert is for an authority of its certificate.";

/** The member `sslrootcert`. Throws `INVALID_CONNECTION`. */
export function bucketAuthority(given: string | null | undefined, endpoint: BucketEndpoint | undefined) {
  if (!given) return undefined;
  if (endpoint?.isSecure !== true) {
    throw invalidConnection("sslrootcert", "is for an endpoint over HTTPS, and there is none");
  }
  const pem = pemOf(given);
  if (pem !== undefined) return pem;
  const hint = "Paths are not read; send the certificate itself.";
  throw invalidConnection("sslrootcert", "must be a certificate in PEM form, or base64 of one", hint);
}

/** The form that `bucketEndpoint` reads. */
export function canonicalEndpoint({ host, port, isSecure }: BucketEndpoint): string {
  return `${isSecure ? "https" : "http"}://${authorityOf({ host, port })}`;
}

/** The host and port as written in an address. */
export function authorityOf({ host, port }: Pick<BucketEndpoint, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** A wildcard in a certificate covers one label, and an IP address has no subdomains. */
export function bucketStyle(
  given: string | undefined,
  { bucket, endpoint }: Pick<BucketFields, "bucket" | "endpoint">,
): BucketFields["style"] {
  const isAddress = endpoint !== undefined && /^[\d.]+$|:/.test(endpoint.host);
  switch (given?.toLowerCase()) {
    case undefined:
      return endpoint === undefined && /^[a-z0-9-]+$/.test(bucket) ? "vhost" : "path";
    case "path":
      return "path";
    case "vhost":
      if (!isAddress && /^[a-z0-9.-]+$/.test(bucket)) return "vhost";
      throw invalidConnection("url_style", "cannot be vhost: an address, or this bucket, has no name before the host");
    default:
      throw invalidConnection("url_style", "must be path or vhost");
  }
}

/** A region is part of the signature, and of AWS host names. Other services have their own region names. */
export const REGION = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Throws `INVALID_CONNECTION`. */
export function bucketRegion(region: string): string {
  const name = region.trim().toLowerCase();
  if (REGION.test(name)) return name;
  throw invalidConnection("region", "is not the name of a region");
}

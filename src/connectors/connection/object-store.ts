/** What connections to buckets have in common, once their members have been read: where the bucket is and how it is asked. */
import { canonicalHost } from "../../guard/egress.ts";
import type { AwsKeys } from "./aws-keys.ts";
import { pemOf } from "./certificate-authority.ts";
import { invalidConnection } from "./connection.ts";
import type { FileFields } from "./local-file.ts";
import { portNumber } from "./server-fields.ts";

/** Who keeps it: decides the scheme of its paths and where it answers. */
export type BucketService = "s3" | "minio" | "gcs";

export interface BucketFields extends FileFields {
  readonly bucket: string;
  /** Part of what is signed, and of AWS's hosts. */
  readonly region: string;
  readonly keys: AwsKeys;
  /** Of a service that speaks S3's protocol elsewhere; undefined for the service's own. */
  readonly endpoint: BucketEndpoint | undefined;
  /** Whether the bucket stands in the address's path or before its host. */
  readonly style: "path" | "vhost";
  /** Requests are paid for by whoever asks, where the bucket's owner wants it so. */
  readonly requesterPays: boolean;
  /** PEM: who has signed the certificate of the endpoint, where no public authority has. */
  readonly certificateAuthority: string | undefined;
}

export interface BucketEndpoint {
  /** Canonical. */
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/**
 * Buckets of other services than S3 may have names with `_` and capital letters, as its oldest have
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html,
 * https://cloud.google.com/storage/docs/buckets#naming). A part of addresses: nothing that ends a host or a path.
 */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,220}[A-Za-z0-9]$/;

/** Throws `INVALID_CONNECTION`. */
export function bucketName(bucket: string): string {
  if (BUCKET.test(bucket) && !bucket.includes("..")) return bucket;
  throw invalidConnection("bucket", "is not the name of a bucket", "Give the name alone, without s3:// and slashes.");
}

/** `host`, `host:port`, or either behind `http://` or `https://`, which then decides. Throws `INVALID_CONNECTION`. */
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

/** As `bucketEndpoint` reads it. */
export function canonicalEndpoint({ host, port, isSecure }: BucketEndpoint): string {
  return `${isSecure ? "https" : "http"}://${authorityOf({ host, port })}`;
}

/** As it stands in an address. */
export function authorityOf({ host, port }: Pick<BucketEndpoint, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Wildcards of certificates stand for one label, and addresses have no names before them. */
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

/** A part of what is signed, and of AWS's hosts. Other services have names of their own. */
export const REGION = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Throws `INVALID_CONNECTION`. */
export function bucketRegion(region: string): string {
  const name = region.trim().toLowerCase();
  if (REGION.test(name)) return name;
  throw invalidConnection("region", "is not the name of a region");
}

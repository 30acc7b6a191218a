/** Addresses of a bucket and its objects, and the one service that requests of a connection may go to. */
import { AWS_REGION } from "../../connection/aws-keys.ts";
import { authorityOf, type BucketFields, type BucketService, REGION } from "../../connection/object-store.ts";
import { ConnectorFailure } from "../../failure.ts";

const GOOGLE = "storage.googleapis.com";

/** `https://bucket.s3.eu-west-1.amazonaws.com/` or `https://host:port/bucket/`, with a trailing slash. */
export function bucketAddress(
  service: BucketService,
  { bucket, endpoint, style }: Pick<BucketFields, "bucket" | "endpoint" | "style">,
  region: string,
): string {
  const scheme = endpoint === undefined || endpoint.isSecure ? "https" : "http";
  const host = endpoint === undefined ? ownHost(service, region) : authorityOf(endpoint);
  return style === "vhost" ? `${scheme}://${bucket}.${host}/` : `${scheme}://${host}/${bucket}/`;
}

/** https://docs.aws.amazon.com/general/latest/gr/s3.html */
function ownHost(service: BucketService, region: string): string {
  if (service === "gcs") return GOOGLE;
  return `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

/** Whether a region that the service has named may be used: for AWS it becomes part of a host name. */
export function isRegionOf(endpoint: BucketFields["endpoint"], region: string): boolean {
  return (endpoint === undefined ? AWS_REGION : REGION).test(region);
}

/**
 * The key as the end of an address, which the service must read unchanged. Throws `FILE_NOT_FOUND` for keys without an address:
 * proxies and clients remove `.` and `..` steps.
 */
export function keyAddress(key: string): string {
  const steps = key.split("/");
  if (steps.includes("..") || steps.includes(".") || !key.isWellFormed()) {
    throw new ConnectorFailure("FILE_NOT_FOUND", `No request can name the object "${key}".`);
  }
  return steps.map(encoded).join("/");
}

/** RFC 3986: escapes all but unreserved characters, as signatures require. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

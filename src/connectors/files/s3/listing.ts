/** Parses pages of ListObjectsV2 (https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html). */
import { insideAll, valueOf, withoutElements } from "../../aws/xml.ts";
import { ConnectorFailure } from "../../failure.ts";
import type { CommonPrefix, StoredObject } from "../object-store.ts";

export interface ListingPage {
  readonly entries: readonly (StoredObject | CommonPrefix)[];
  /** Undefined at the end. */
  readonly next: string | undefined;
}

/** Throws `UPSTREAM_PROTOCOL` for anything but a page of keys that begin with `prefix`. */
export function readPage(xml: string, prefix: string): ListingPage {
  if (!/<ListBucketResult[\s>]/.test(xml.slice(0, 1024)) || !xml.includes("</ListBucketResult>")) {
    throw notAListing("The answer is not a listing.");
  }
  // Contents and prefixes contain elements with the same names as those of the page.
  const own = withoutElements(xml, ["Contents", "CommonPrefixes"]);
  const isEncoded = valueOf(own, "EncodingType") === "url";
  const nameIn = (element: string, name: string): string => {
    const text = valueOf(element, name);
    const decoded = text === undefined || !isEncoded ? text : decode(text);
    if (decoded?.startsWith(prefix)) return decoded;
    throw notAListing("The listing has what was not asked for.");
  };
  const objects = insideAll(xml, "Contents").map((element): StoredObject => {
    const size = valueOf(element, "Size") ?? "";
    const etag = valueOf(element, "ETag") ?? "";
    if (!/^\d{1,15}$/.test(size) || !/^(?:W\/)?"[\x21\x23-\x7e]+"$/.test(etag)) {
      throw notAListing("The listing has an object without size or version.");
    }
    return { key: nameIn(element, "Key"), size: Number(size), etag };
  });
  const prefixes = insideAll(xml, "CommonPrefixes").map((element) => ({ prefix: nameIn(element, "Prefix") }));
  const isTruncated = valueOf(own, "IsTruncated") === "true";
  const next = valueOf(own, "NextContinuationToken");
  if (isTruncated && !next) throw notAListing("The listing has more, and does not say how to ask for it.");
  return { entries: [...objects, ...prefixes], next: isTruncated ? next : undefined };
}

/** Decodes form encoding, in which a space may be a plus sign. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw notAListing("The listing has a key that cannot be decoded.", cause);
  }
}

export function notAListing(message: string, cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", message, { cause });
}

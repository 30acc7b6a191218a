/**
 * Connection of `s3_file`: a bucket of S3, or of another server with its protocol at an `endpoint`
 * (docs/spec/contract.md#connections).
 */
import * as z from "zod/mini";
import { once } from "../../once.ts";
import { AWS_REGION, keysOf } from "./aws-keys.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { csvOptionsShape } from "./csv-options.ts";
import { canonicalCsv, fileFieldsOf } from "./local-file.ts";
import {
  BUCKET_TLS_HINT,
  type BucketFields,
  bucketAuthority,
  bucketEndpoint,
  bucketName,
  bucketRegion,
  bucketStyle,
  canonicalEndpoint,
} from "./object-store.ts";
import { memberOfUrl } from "./server-fields.ts";
import { readMembersWithoutTls } from "./unknown-members.ts";

export interface S3FileConnection extends BucketFields {
  readonly source: "s3_file";
}

/** The schema of `connectionInfo`. */
export const s3FileConnectionShape = once(() =>
  z.object({
    url: z.nullish(z.string()),
    format: z.nullish(z.string()),
    csv: z.nullish(csvOptionsShape()),
    bucket: z.string(),
    region: z.string(),
    access_key: z.string(),
    secret_key: z.string(),
    session_token: z.nullish(z.string()),
    endpoint: z.nullish(z.string()),
    sslrootcert: z.nullish(z.string()),
    url_style: z.nullish(z.string()),
    use_ssl: z.nullish(z.boolean()),
    requester_pays: z.nullish(z.boolean()),
  }),
);

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseS3FileConnection(raw: unknown): ParsedConnection<S3FileConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "there is no URL for this source", "Give its fields.");
  const { given, warnings } = readMembersWithoutTls(s3FileConnectionShape(), raw, { hint: BUCKET_TLS_HINT });
  const keys = keysOf(given, { id: "access_key", secret: "secret_key", session: "session_token" });
  if (keys === undefined) throw invalidConnection("access_key", "must not be empty");
  const endpoint = given.endpoint ? bucketEndpoint(given.endpoint, given.use_ssl ?? true) : undefined;
  if (endpoint === undefined && given.use_ssl === false) {
    throw invalidConnection("use_ssl", "cannot be false: S3 is asked by HTTPS, and an endpoint is not given");
  }
  const region = bucketRegion(given.region);
  if (endpoint === undefined && !AWS_REGION.test(region)) {
    throw invalidConnection("region", "is not the name of a region", "Other services than S3 need an endpoint.");
  }
  const bucket = bucketName(given.bucket);
  return {
    info: {
      source: "s3_file",
      ...fileFieldsOf(given),
      bucket,
      region,
      keys,
      endpoint,
      style: bucketStyle(given.url_style || undefined, { bucket, endpoint }),
      requesterPays: given.requester_pays ?? false,
      certificateAuthority: bucketAuthority(given.sslrootcert, endpoint),
    },
    warnings,
  };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalS3FileConnection(connection: S3FileConnection): CanonicalConnection {
  const { url, format, csv, bucket, region, keys, endpoint, style, requesterPays, certificateAuthority } = connection;
  return {
    url,
    format,
    ...canonicalCsv(csv),
    bucket,
    region,
    access_key: keys.accessKeyId.reveal(),
    secret_key: keys.secretAccessKey.reveal(),
    ...(keys.sessionToken !== undefined && { session_token: keys.sessionToken.reveal() }),
    ...(endpoint !== undefined && { endpoint: canonicalEndpoint(endpoint) }),
    ...(certificateAuthority !== undefined && { sslrootcert: certificateAuthority }),
    url_style: style,
    requester_pays: requesterPays,
  };
}

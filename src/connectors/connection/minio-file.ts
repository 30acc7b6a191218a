/** Connection of `minio_file`: a bucket of MinIO, at `endpoint` (docs/spec/contract.md#connections). */
import * as z from "zod/mini";
import { once } from "../../once.ts";
import { keysOf } from "./aws-keys.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { csvOptionsShape } from "./csv-options.ts";
import { canonicalCsv, fileFieldsOf } from "./local-file.ts";
import {
  BUCKET_TLS_HINT,
  type BucketEndpoint,
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

export interface MinioFileConnection extends BucketFields {
  readonly source: "minio_file";
  readonly endpoint: BucketEndpoint;
}

/** The schema of `connectionInfo`. */
export const minioFileConnectionShape = once(() =>
  z.object({
    url: z.nullish(z.string()),
    format: z.nullish(z.string()),
    csv: z.nullish(csvOptionsShape()),
    endpoint: z.string(),
    bucket: z.string(),
    access_key: z.string(),
    secret_key: z.string(),
    ssl_enabled: z.nullish(z.boolean()),
    sslrootcert: z.nullish(z.string()),
    session_token: z.nullish(z.string()),
    region: z.nullish(z.string()),
    url_style: z.nullish(z.string()),
  }),
);

/** The default region; other servers return theirs in the error. */
const DEFAULT_REGION = "us-east-1";

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseMinioFileConnection(raw: unknown): ParsedConnection<MinioFileConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "there is no URL for this source", "Give its fields.");
  const { given, warnings } = readMembersWithoutTls(minioFileConnectionShape(), raw, {
    hint: BUCKET_TLS_HINT,
    alwaysTls: false,
  });
  const keys = keysOf(given, { id: "access_key", secret: "secret_key", session: "session_token" });
  if (keys === undefined) throw invalidConnection("access_key", "must not be empty");
  const endpoint = bucketEndpoint(given.endpoint, given.ssl_enabled ?? false);
  const bucket = bucketName(given.bucket);
  return {
    info: {
      source: "minio_file",
      ...fileFieldsOf(given),
      bucket,
      region: given.region ? bucketRegion(given.region) : DEFAULT_REGION,
      keys,
      endpoint,
      style: bucketStyle(given.url_style || undefined, { bucket, endpoint }),
      requesterPays: false,
      certificateAuthority: bucketAuthority(given.sslrootcert, endpoint),
    },
    warnings,
  };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalMinioFileConnection(connection: MinioFileConnection): CanonicalConnection {
  const { url, format, csv, bucket, region, keys, endpoint, style, certificateAuthority } = connection;
  return {
    url,
    format,
    ...canonicalCsv(csv),
    endpoint: canonicalEndpoint(endpoint),
    ...(certificateAuthority !== undefined && { sslrootcert: certificateAuthority }),
    bucket,
    region,
    access_key: keys.accessKeyId.reveal(),
    secret_key: keys.secretAccessKey.reveal(),
    ...(keys.sessionToken !== undefined && { session_token: keys.sessionToken.reveal() }),
    url_style: style,
  };
}

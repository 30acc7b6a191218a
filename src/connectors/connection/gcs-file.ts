/** Connection of `gcs_file`: a bucket of Google Cloud Storage, by an HMAC key (docs/spec/contract.md#connections). */
import * as z from "zod/mini";
import { once } from "../../once.ts";
import { keysOf } from "./aws-keys.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { csvOptionsShape } from "./csv-options.ts";
import { canonicalCsv, fileFieldsOf } from "./local-file.ts";
import {
  BUCKET_TLS_HINT,
  type BucketFields,
  bucketAuthority,
  bucketEndpoint,
  bucketName,
  bucketStyle,
  canonicalEndpoint,
} from "./object-store.ts";
import { memberOfUrl } from "./server-fields.ts";
import { canonicalServiceAccount, type ServiceAccount, serviceAccountOf } from "./service-account.ts";
import { readMembersWithoutTls } from "./unknown-members.ts";

export interface GcsFileConnection extends BucketFields {
  readonly source: "gcs_file";
  /** The account that lists the bucket, if the HMAC key may not. */
  readonly account: ServiceAccount | undefined;
}

/** The schema of `connectionInfo`. */
export const gcsFileConnectionShape = once(() =>
  z.object({
    url: z.nullish(z.string()),
    format: z.nullish(z.string()),
    csv: z.nullish(csvOptionsShape()),
    bucket: z.string(),
    key_id: z.string(),
    secret_key: z.string(),
    credentials: z.nullish(z.string()),
    endpoint: z.nullish(z.string()),
    sslrootcert: z.nullish(z.string()),
  }),
);

/**
 * Google has one host for all regions, and requires this name in a signature
 * (https://cloud.google.com/storage/docs/authentication/signatures).
 */
const REGION = "auto";

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseGcsFileConnection(raw: unknown): ParsedConnection<GcsFileConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "there is no URL for this source", "Give its fields.");
  const { given, warnings } = readMembersWithoutTls(gcsFileConnectionShape(), raw, { hint: BUCKET_TLS_HINT });
  const keys = keysOf({ ...given, none: undefined }, { id: "key_id", secret: "secret_key", session: "none" });
  if (keys === undefined) throw invalidConnection("key_id", "must not be empty");
  const account = given.credentials ? serviceAccountOf("credentials", given.credentials) : undefined;
  const endpoint = given.endpoint ? bucketEndpoint(given.endpoint, true) : undefined;
  if (account !== undefined && endpoint !== undefined) {
    // A caller who chooses the endpoint would receive a token with all permissions of the account.
    throw invalidConnection("credentials", "are for Google's own address, and an endpoint is given");
  }
  const bucket = bucketName(given.bucket);
  return {
    info: {
      source: "gcs_file",
      ...fileFieldsOf(given),
      bucket,
      region: REGION,
      keys,
      endpoint,
      style: bucketStyle("path", { bucket, endpoint }),
      requesterPays: false,
      certificateAuthority: bucketAuthority(given.sslrootcert, endpoint),
      account,
    },
    warnings,
  };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalGcsFileConnection(connection: GcsFileConnection): CanonicalConnection {
  const { url, format, csv, bucket, keys, endpoint, account, certificateAuthority } = connection;
  return {
    url,
    format,
    ...canonicalCsv(csv),
    bucket,
    key_id: keys.accessKeyId.reveal(),
    secret_key: keys.secretAccessKey.reveal(),
    ...(account !== undefined && { credentials: canonicalServiceAccount(account) }),
    ...(endpoint !== undefined && { endpoint: canonicalEndpoint(endpoint) }),
    ...(certificateAuthority !== undefined && { sslrootcert: certificateAuthority }),
  };
}

/** Opens the store of a connection to a bucket. */
import { once } from "../../once.ts";
import type { GcsFileConnection } from "../connection/gcs-file.ts";
import type { MinioFileConnection } from "../connection/minio-file.ts";
import type { BucketService } from "../connection/object-store.ts";
import type { S3FileConnection } from "../connection/s3-file.ts";
import type { ObjectStore } from "./object-store.ts";
import { S3Store, type S3StoreOptions } from "./s3/store.ts";

export type BucketConnection = S3FileConnection | MinioFileConnection | GcsFileConnection;

const SERVICES: Readonly<Record<BucketConnection["source"], BucketService>> = {
  s3_file: "s3",
  minio_file: "minio",
  gcs_file: "gcs",
};

/** `jose` is loaded when a service account lists a bucket. */
const tokens = once(() => import("../bigquery/access-token.ts"));
const READS_STORAGE = "https://www.googleapis.com/auth/devstorage.read_only";

/** Sends no request yet. `fetch` also checks hosts. */
export function openStore(
  connection: BucketConnection,
  fetch: typeof globalThis.fetch,
  { unpacks }: Pick<S3StoreOptions, "unpacks"> = {},
): ObjectStore {
  const account = connection.source === "gcs_file" ? connection.account : undefined;
  return new S3Store(connection, {
    service: SERVICES[connection.source],
    fetch,
    ...(unpacks !== undefined && { unpacks }),
    ...(account !== undefined && {
      listingToken: async (signal: AbortSignal) => (await tokens()).accessToken(account, fetch, signal, READS_STORAGE),
    }),
  });
}

/**
 * Attempts to get around access rules on files of a bucket, by a sidecar as it is started. One in 24 of what is answered for
 * local files is asked, beside all that is refused; `ACCESS_RULES=all` asks everything, of every rule.
 */
import { describe } from "vitest";
import { connectorIn, startSidecar } from "../sidecar/process.ts";
import { startS3Server } from "../support/s3-server.ts";
import { openDuckDbWorld, type World } from "./access-world.ts";
import { describeAttacks, oneByTurns } from "./attacks/describe.ts";
import { sampled } from "./attacks/index.ts";
import { putFiles } from "./bucket-files.ts";

describe.each(["parquet", "csv"] as const)("on %s of a bucket", (format) => {
  describeAttacks(() => openBucketWorld(format), oneByTurns(), sampled(24));
});

async function openBucketWorld(format: "parquet" | "csv"): Promise<World> {
  const files = await openDuckDbWorld(format);
  const [server, sidecar] = await Promise.all([startS3Server(), startSidecar({ ALLOWED_HOSTS: "127.0.0.1" })]);
  putFiles(server, files.root);
  const connector = await connectorIn(sidecar, "minio_file", server.connectionInfo({ format }));
  return {
    ...files,
    source: "minio_file",
    // Whole numbers of CSV have the width that they are read by where no rule makes them the manifest's.
    ...(format === "csv" && { plansWidths: true }),
    opened: { connector, close: () => connector.close() },
    close: async () => {
      await connector.close();
      await Promise.all([sidecar.stop(), server.close(), files.close()]);
    },
  };
}

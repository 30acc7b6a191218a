/**
 * Which servers planned statements are for: the dialect was seen on Spark 4. What 3.5 means by it nobody has asked, decimals of two
 * lengths for one; and it keeps settings that it does not know, so that reading them back tells nothing.
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { SparkSession } from "./session.ts";

const FIRST = 4;

/** Fails with `NOT_IMPLEMENTED` on an earlier server. */
export async function checkRelease(session: SparkSession): Promise<void> {
  const release = await session.release();
  if (Number(/^(\d{1,4})\./.exec(release)?.[1] ?? 0) >= FIRST) return;
  throw new ConnectorFailure("NOT_IMPLEMENTED", "Queries cannot be run on this release of Spark.", {
    hint: `Spark ${FIRST}.0 or later is needed; metadata is answered by 3.5 as well.`,
  });
}

/**
 * Supported server releases: the dialect was tested on 4.0.1 and 3.5.7. Earlier ones accept unknown settings, so that
 * reading them back proves nothing. 3.5 lacks a few features that plans for 4 use: such statements fail, mostly in
 * analysis, and the error explains why (docs/decisions/0057-spark-releases.md#decision).
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { SparkSession } from "./session.ts";

const FIRST = [3, 5] as const;
const WHOLE = 4;

/** Throws the explained form of a statement's failure. */
export type Explained = (failure: unknown) => never;

/** Fails with `NOT_IMPLEMENTED` on an earlier server. */
export async function checkRelease(session: SparkSession): Promise<Explained> {
  const release = await session.release();
  const [major = 0, minor = 0] = (/^(\d{1,4})\.(\d{1,4})\b/.exec(release) ?? []).slice(1).map(Number);
  if (major < FIRST[0] || (major === FIRST[0] && minor < FIRST[1])) {
    throw new ConnectorFailure("NOT_IMPLEMENTED", "Queries cannot be run on this release of Spark.", {
      hint: `Spark ${FIRST.join(".")} or later is needed, ${WHOLE}.0 for all that is planned.`,
    });
  }
  return (failure) => {
    throw major < WHOLE ? onEarlier(failure) : failure;
  };
}

function onEarlier(failure: unknown): unknown {
  if (!(failure instanceof ConnectorFailure) || failure.reason !== "SOURCE_INVALID_SQL") return failure;
  const { reason, message, engineCode, position } = failure;
  return new ConnectorFailure(reason, message, {
    hint: `The server's Spark is earlier than ${WHOLE}.0, which some statements need.`,
    ...(engineCode !== undefined && { engineCode }),
    ...(position !== undefined && { position }),
    cause: failure,
  });
}

/**
 * Row rules on Spark: expressions over excluded rows were tested on Apache Spark, from the release that
 * `docs/reference/access-rules.md` names. Other vendors add words after the number (`3.5.0-amzn-1`) or report no commit; plug-ins
 * may run a plan on another engine (Gluten, Comet, RAPIDS), and extensions add optimizer rules.
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { SparkSession } from "./session.ts";

const FIRST = [4, 0, 1] as const;

const CHANGING = ["spark.plugins", "spark.sql.extensions"];

/** Fails with `UNPROVEN_FENCE` where the server is not known to keep fences. */
export async function checkFences(session: SparkSession): Promise<void> {
  const [row] = await session.list({ sql: { query: "SELECT version() AS version" } });
  const changes = await session.settings(CHANGING);
  if (isKnown(row?.["version"]) && [...changes.values()].every((value) => value.trim() === "")) return;
  throw new ConnectorFailure("UNPROVEN_FENCE", "Models with row rules cannot be read on this server.", {
    hint: `Row rules are supported on Apache Spark itself, from ${FIRST.join(".")} on, without plug-ins and extensions: others are not known to keep expressions that may fail away from excluded rows. The operator's setting ROW_RULES=besteffort runs such statements without a proof.`,
  });
}

/** A release and its commit, `4.0.1 29434ea766b0fc3c3bf6eaadb43a8f931133649e`. */
export function isKnown(version: unknown): boolean {
  const [, ...found] = /^(\d{1,4})\.(\d{1,4})\.(\d{1,4}) (?!0{40})[0-9a-f]{40}$/.exec(String(version)) ?? [];
  if (found.length === 0) return false;
  const differing = FIRST.findIndex((part, index) => Number(found[index]) !== part);
  return differing === -1 || Number(found[differing]) > (FIRST[differing] ?? 0);
}

/**
 * Row rules on servers with Trino's protocol. For Trino itself, from the release in `docs/reference/access-rules.md` on, tests show that
 * the fences keep callers' expressions from being computed over excluded rows. Other products (Starburst's, with their own
 * optimizer) add a word to the version number.
 */
import { ConnectorFailure } from "../failure.ts";

const FIRST = 476;

/** Whether the response of `/v1/info` comes from a Trino that is known to respect fences. */
export function keepsFences(info: unknown): boolean {
  const { nodeVersion } = (info ?? {}) as { readonly nodeVersion?: { readonly version?: unknown } };
  const version = nodeVersion?.version;
  return typeof version === "string" && /^\d{1,6}$/.test(version) && Number(version) >= FIRST;
}

export function unfenced(): ConnectorFailure {
  return new ConnectorFailure("UNPROVEN_FENCE", "Models with row rules cannot be read on this server.", {
    hint: `Row rules are supported on Trino itself, from ${FIRST} on: others are not known to keep expressions that may fail away from excluded rows. The operator's setting ROW_RULES=besteffort runs such statements without a proof.`,
  });
}

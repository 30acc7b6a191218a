/**
 * Row rules on servers of Trino's protocol: what keeps expressions off withheld rows was shown on Trino itself, from the release that
 * `docs/access-rules.md` names. Others (Starburst's, with an optimizer of their own) put a word behind the number.
 */
import { ConnectorFailure } from "../failure.ts";

const FIRST = 476;

/** Whether the answer of `/v1/info` is that of a Trino that is known to keep them. */
export function keepsFences(info: unknown): boolean {
  const { nodeVersion } = (info ?? {}) as { readonly nodeVersion?: { readonly version?: unknown } };
  const version = nodeVersion?.version;
  return typeof version === "string" && /^\d{1,6}$/.test(version) && Number(version) >= FIRST;
}

export function unfenced(): ConnectorFailure {
  return new ConnectorFailure("NOT_IMPLEMENTED", "Models with row rules cannot be read on this server.", {
    hint: `Row rules are supported on Trino itself, from ${FIRST} on: others are not known to keep what may fail away from withheld rows.`,
  });
}

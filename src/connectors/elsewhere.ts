/** A second way to a source, for when the first one lacks what it takes. */
import type { CallOptions, Connector } from "./connector.ts";
import { ConnectorFailure, type FailureReason } from "./failure.ts";

/** Reasons that the sidecar may be without. */
const LACKING: ReadonlySet<FailureReason> = new Set([
  // A certificate that a Worker does not trust may be trusted, or not asked about, there (decisions C2).
  "TLS_UNTRUSTED",
  // What an engine of WASM does not read, or has no room for.
  "NEEDS_SIDECAR",
]);

/** Of the files Worker besides: one isolate has one engine, and the sidecar has many. */
const OF_ONE_ENGINE: ReadonlySet<FailureReason> = new Set(["OVERLOADED", "SOURCE_CRASHED"]);

/** Nothing has been answered by then, so the call that failed is made there, and those after it. */
export function elsewhereIfLacking(
  first: Connector,
  open: () => Promise<Connector>,
  { hasOneEngine }: { readonly hasOneEngine: boolean },
): Connector {
  let serving = first;
  const attempt = async <T>(call: (connector: Connector) => Promise<T>, { signal }: CallOptions): Promise<T> => {
    try {
      return await call(serving);
    } catch (error) {
      const isLacking =
        error instanceof ConnectorFailure &&
        (LACKING.has(error.reason) || (hasOneEngine && OF_ONE_ENGINE.has(error.reason)));
      if (!isLacking || serving !== first || signal.aborted) throw error;
      serving = await open();
      return call(serving);
    }
  };
  return {
    capabilities: first.capabilities,
    query: (statement, options) => attempt((connector) => connector.query(statement, options), options),
    dryRun: (statement, options) => attempt((connector) => connector.dryRun(statement, options), options),
    catalog: (request, options) => attempt((connector) => connector.catalog(request, options), options),
    close: async () => {
      await Promise.all([first.close(), serving === first ? undefined : serving.close()]);
    },
  };
}

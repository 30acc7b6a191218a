/** A second connector for a source, used when the first one cannot run a call. */
import type { CallOptions, Connector } from "./connector.ts";
import { ConnectorFailure, type FailureReason } from "./failure.ts";

/** Failures that the sidecar may not have. */
const LACKING: ReadonlySet<FailureReason> = new Set([
  // The sidecar may trust a certificate that a Worker does not, or not check it (docs/decisions/0026-placement.md).
  "TLS_UNTRUSTED",
  // Features that the WASM engine lacks, or memory.
  "NEEDS_SIDECAR",
]);

/** For the files Worker also these: an isolate has one engine, and the sidecar has many. */
const OF_ONE_ENGINE: ReadonlySet<FailureReason> = new Set(["OVERLOADED", "SOURCE_CRASHED"]);

/** The failed call has returned nothing yet, so it is repeated on the second connector, which also gets all later calls. */
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

/** A second way to a source, for when the first one ends at its certificate. */
import type { CallOptions, Connector } from "./connector.ts";
import { ConnectorFailure } from "./failure.ts";

/**
 * A certificate that a Worker does not trust may be trusted, or not asked about, in the sidecar (decisions C2). Nothing has
 * been sent to the source by then, so the call that failed is made there, and those after it.
 */
export function elsewhereIfUntrusted(first: Connector, open: () => Promise<Connector>): Connector {
  let serving = first;
  const attempt = async <T>(call: (connector: Connector) => Promise<T>, { signal }: CallOptions): Promise<T> => {
    try {
      return await call(serving);
    } catch (error) {
      const isUntrusted = error instanceof ConnectorFailure && error.reason === "TLS_UNTRUSTED";
      if (!isUntrusted || serving !== first || signal.aborted) throw error;
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

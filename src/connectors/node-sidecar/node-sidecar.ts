/** Connectors in the Node sidecar: the remote client with the sidecar's address and secret. */
import type { ConnectionInfo } from "../connection/connection-info.ts";
import type { Connector, OpenOptions } from "../connector.ts";
import { type Peer, remoteConnector } from "../remote/client.ts";
import { signedFetch } from "../remote/signed-fetch.ts";
import { canonicalConnection, capabilitiesOf } from "../sources.ts";

export interface SidecarSettings {
  /** Settings `SIDECAR_URL`, `SIDECAR_SECRET`, `CONNECT_TIMEOUT_MS`. */
  readonly url: string;
  readonly secret: string;
  readonly connectTimeoutMs: number;
  readonly fetch: typeof fetch;
}

/** @public For tests of the client. */
export const SIDECAR: Peer = {
  name: "The sidecar",
  unreachable: "SIDECAR_UNREACHABLE",
  hint: "Check that the sidecar runs and that SIDECAR_URL leads to it.",
};

/** Opens connections in the sidecar. Throws for an address that is not secure; sends nothing until a connector is used. */
export function nodeSidecar(
  settings: SidecarSettings,
): (connection: ConnectionInfo, options: OpenOptions) => Promise<Connector> {
  const transport = signedFetch(settings);
  return async (connection, { correlationId, caller, traceHeaders }) =>
    remoteConnector({
      transport,
      peer: SIDECAR,
      source: connection.source,
      connection: canonicalConnection(connection),
      correlationId,
      caller,
      ...(traceHeaders !== undefined && { traceHeaders }),
      capabilities: capabilitiesOf(connection),
      connectTimeoutMs: settings.connectTimeoutMs,
    });
}

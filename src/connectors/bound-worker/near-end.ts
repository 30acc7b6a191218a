/** Connectors that live in a Worker of their own, behind a service binding: the remote client, bound to it. */
import type { CanonicalConnection, ConnectionInfo } from "../connection/connection.ts";
import type { Capabilities, Connector, OpenOptions } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import { type Peer, remoteConnector, type Transport } from "../remote/client.ts";
import { FRAMES_TYPE, PROTOCOL_VERSION, VERSION_HEADER } from "../remote/protocol.ts";

/** How long the far end may take to reach a source, in milliseconds: a setting of the API's, which has them all. */
export const CONNECT_TIMEOUT_HEADER = "x-siskin-connect-timeout";

/** A binding asks for an address, and for no host in particular. */
export const CONNECTORS_ADDRESS = "http://connectors";

export interface BoundWorkerSettings {
  /** Of the binding `CONNECTORS`; undefined where there is none. */
  readonly fetch: typeof fetch | undefined;
  /** Setting `CONNECT_TIMEOUT_MS`. */
  readonly connectTimeoutMs: number;
}

const CONNECTORS: Peer = {
  name: "The Worker of the connectors",
  unreachable: "CONNECTORS_UNREACHABLE",
  hint: "Deploy both Workers of one release, by npm run deploy, and bind the one of the connectors as CONNECTORS.",
};

/** What the connectors over there can do; the contract suite checks it through this client. */
const CAPABILITIES: Capabilities = { streaming: "rows", cancels: true, errorPositions: true };

/** Opens connections over there; `connection` is what is sent. Sends nothing until a connector is asked. */
export function boundWorker(
  settings: BoundWorkerSettings,
): (source: ConnectionInfo["source"], connection: CanonicalConnection, options: OpenOptions) => Promise<Connector> {
  const transport = bindingTransport(settings);
  return async (source, connection, { correlationId, traceHeaders }) =>
    remoteConnector({
      transport,
      peer: CONNECTORS,
      source,
      connection,
      correlationId,
      ...(traceHeaders !== undefined && { traceHeaders }),
      capabilities: CAPABILITIES,
      connectTimeoutMs: settings.connectTimeoutMs,
    });
}

/** Nothing is signed: nobody but this Worker is at the other end of a binding. */
function bindingTransport({ fetch, connectTimeoutMs }: BoundWorkerSettings): Transport {
  return async (path, body, signal, traceHeaders) => {
    if (fetch === undefined) {
      const message = `${CONNECTORS.name} cannot be reached: there is no service binding CONNECTORS.`;
      throw new ConnectorFailure(CONNECTORS.unreachable, message, { hint: CONNECTORS.hint });
    }
    return fetch(CONNECTORS_ADDRESS + path, {
      method: "POST",
      headers: {
        ...traceHeaders,
        accept: FRAMES_TYPE,
        [VERSION_HEADER]: PROTOCOL_VERSION,
        [CONNECT_TIMEOUT_HEADER]: String(connectTimeoutMs),
      },
      body,
      signal,
    });
  };
}

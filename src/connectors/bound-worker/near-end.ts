/** Connectors in a separate Worker, behind a service binding: the remote client over that binding. */
import type { CanonicalConnection } from "../connection/connection.ts";
import type { ConnectionInfo } from "../connection/connection-info.ts";
import type { Connector, OpenOptions } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import { type Peer, remoteConnector, type Transport } from "../remote/client.ts";
import { FRAMES_TYPE, PROTOCOL_VERSION, VERSION_HEADER } from "../remote/protocol.ts";
import { canonicalConnection, capabilitiesOf } from "../sources.ts";

/** Time limit of the far end for reaching a source, in milliseconds: only the API Worker has the setting. */
export const CONNECT_TIMEOUT_HEADER = "x-siskin-connect-timeout";

/** A binding requires a URL, but ignores its host. */
export const BOUND_ADDRESS = "http://bound-worker";

export interface BoundWorkerSettings {
  readonly peer: Peer & { readonly binding: string };
  /** `fetch` of the binding; undefined if it is not bound. */
  readonly fetch: typeof fetch | undefined;
  /** Setting `CONNECT_TIMEOUT_MS`. */
  readonly connectTimeoutMs: number;
}

export const CONNECTORS: BoundWorkerSettings["peer"] = {
  binding: "CONNECTORS",
  name: "The Worker of the connectors",
  unreachable: "CONNECTORS_UNREACHABLE",
  hint: "Deploy both Workers of one release, by npm run deploy, and bind the one of the connectors as CONNECTORS.",
};

/** Bound in deployments that read files of buckets without a sidecar. */
export const FILES: BoundWorkerSettings["peer"] = {
  binding: "FILES",
  name: "The files Worker",
  unreachable: "CONNECTORS_UNREACHABLE",
  hint: "Deploy all Workers of one release, by npm run deploy, and bind the one of the files as FILES.",
};

/** Opens `info` at the far end; `sent` is the part that is transmitted. Sends nothing until the connector is used. */
export function boundWorker(
  settings: BoundWorkerSettings,
): (info: ConnectionInfo, options: OpenOptions, sent?: CanonicalConnection) => Promise<Connector> {
  const transport = bindingTransport(settings);
  return async (info, { correlationId, caller, traceHeaders }, sent = canonicalConnection(info)) =>
    remoteConnector({
      transport,
      peer: settings.peer,
      source: info.source,
      connection: sent,
      correlationId,
      caller,
      ...(traceHeaders !== undefined && { traceHeaders }),
      capabilities: capabilitiesOf(info),
      connectTimeoutMs: settings.connectTimeoutMs,
    });
}

/** Requests are not signed: only this Worker is at the other end of the binding. */
function bindingTransport({ peer, fetch, connectTimeoutMs }: BoundWorkerSettings): Transport {
  return async (path, body, signal, traceHeaders) => {
    if (fetch === undefined) {
      const message = `${peer.name} cannot be reached: there is no service binding ${peer.binding}.`;
      throw new ConnectorFailure(peer.unreachable, message, { hint: peer.hint });
    }
    return fetch(BOUND_ADDRESS + path, {
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

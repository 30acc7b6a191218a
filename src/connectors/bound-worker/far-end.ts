/** The far end of a service binding: runs connectors for the API Worker, which has checked the hosts. */
import type { Log } from "../../guard/request-log.ts";
import { traceOf } from "../../guard/trace-context.ts";
import { logLine } from "../../log-line.ts";
import type { ConnectionInfo } from "../connection/connection-info.ts";
import type { Connector, OpenOptions } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import { hyperdriveConnection } from "../hyperdrive.ts";
import { callRecord } from "../remote/call-record.ts";
import { failureToJson } from "../remote/failure-json.ts";
import { remoteResponse } from "../remote/host.ts";
import { operationAt, PROTOCOL_VERSION, type RemoteOperation, VERSION_HEADER } from "../remote/protocol.ts";
import { readOperation } from "../remote/read-operation.ts";
import { isImplemented, parseConnection } from "../sources.ts";
import { CONNECT_TIMEOUT_HEADER } from "./near-end.ts";

export interface FarEndOptions {
  /** `connectTimeoutMs`: limit for reaching a source, a setting of the API Worker. Throws `ConnectorFailure`. */
  readonly open: (
    connection: ConnectionInfo,
    options: Pick<OpenOptions, "signal"> & { readonly connectTimeoutMs: number },
  ) => Promise<Connector>;
  /** Bindings of this Worker, Hyperdrives among them. */
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** Keeps the Worker running after the answer, or after its reader has disconnected (`waitUntil`). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Needs no authentication: only a service binding leads to this Worker. Never throws. */
export async function serveBinding(request: Request, options: FarEndOptions): Promise<Response> {
  const { open, bindings, log, defer } = options;
  const { pathname } = new URL(request.url);
  if (pathname === "/ready") return new Response(null, { headers: { [VERSION_HEADER]: PROTOCOL_VERSION } });
  const name = operationAt(pathname);
  const connectTimeoutMs = Number(request.headers.get(CONNECT_TIMEOUT_HEADER));
  const isOurs = request.headers.get(VERSION_HEADER) === PROTOCOL_VERSION && connectTimeoutMs > 0;
  if (name === undefined || !isOurs) return refuse("It was asked by another release.");
  const reading = readOperation(name, new Uint8Array(await request.arrayBuffer()));
  if (!reading.ok) return refuse(reading.problem);

  const started = Date.now();
  const trace = traceOf(request.headers.get("traceparent"), request.headers.get("tracestate"));
  const ended = Promise.withResolvers<void>();
  // The statement is still ended on the source after the caller has disconnected.
  defer(ended.promise);
  return remoteResponse(reading.operation, request.signal, {
    open: async (operation, { signal }) => open(connectionOf(operation, bindings), { signal, connectTimeoutMs }),
    onEnd: (end) => {
      log(logLine(callRecord(end, Date.now() - started, trace)));
      ended.resolve();
    },
  });
}

function connectionOf({ source, connection }: RemoteOperation, bindings: FarEndOptions["bindings"]) {
  if (!isImplemented(source))
    throw new ConnectorFailure("NOT_IMPLEMENTED", "The Worker does not serve this data source.");
  return "hyperdrive" in connection
    ? hyperdriveConnection(source, connection["hyperdrive"], bindings)
    : parseConnection(source, connection).info;
}

function refuse(problem: string): Response {
  const failure = new ConnectorFailure(
    "UPSTREAM_PROTOCOL",
    `The Worker of the connectors did not understand. ${problem}`,
    {
      hint: "Deploy both Workers of one release: npm run deploy",
    },
  );
  return Response.json(failureToJson(failure), { status: 400 });
}

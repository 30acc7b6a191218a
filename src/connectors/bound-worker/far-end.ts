/** The far end of a service binding: runs connectors for the API Worker, which has decided who may be dialled. */
import type { Log } from "../../guard/request-log.ts";
import { traceOf } from "../../guard/trace-context.ts";
import type { ConnectionInfo } from "../connection/connection.ts";
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
  /** `connectTimeoutMs`: for reaching a source, which is a setting of the API's. Throws `ConnectorFailure`. */
  readonly open: (
    connection: ConnectionInfo,
    options: Pick<OpenOptions, "signal"> & { readonly connectTimeoutMs: number },
  ) => Promise<Connector>;
  /** Of this Worker: the Hyperdrives among them. */
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** Keeps the Worker at work after the answer, or after its reader has gone (`waitUntil`). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Needs no authentication: a service binding is the only way here. Never throws. */
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
  // The statement is ended at the source after whoever asked has gone.
  defer(ended.promise);
  return remoteResponse(reading.operation, request.signal, {
    open: async (operation, { signal }) => open(connectionOf(operation, bindings), { signal, connectTimeoutMs }),
    onEnd: (end) => {
      log(JSON.stringify(callRecord(end, Date.now() - started, trace)));
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
